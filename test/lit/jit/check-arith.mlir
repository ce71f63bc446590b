// --check: divisions and shifts.
// REQUIRES: llvm

// RUN: %ways --native %s --check --entry=div --input=i32=6 --input=i32=2 | %FileCheck %s --check-prefix=DIV0
// DIV0: result[0]: i32=3
// RUN: not %ways --native %s --check --entry=div --input=i32=6 --input=i32=0 2>&1 | %FileCheck %s --check-prefix=DIV1
// DIV1: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.divsi: division by zero
// RUN: not %jitrun %s --check --entry=div --input=i32=-2147483648 --input=i32=-1 2>&1 | %FileCheck %s --check-prefix=DIV2
// DIV2: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.divsi: overflow: the smallest number of 32 bits divided by -1
// RUN: %jitrun %s --check --entry=div --input=i32=-2147483647 --input=i32=-1 | %FileCheck %s --check-prefix=DIV3
// DIV3: result[0]: i32=2147483647
// RUN: %jitrun %s --check --entry=shl --input=i32=6 --input=i32=31 | %FileCheck %s --check-prefix=SHL4
// SHL4: result[0]: i32=0
// RUN: not %jitrun %s --check --entry=shl --input=i32=6 --input=i32=32 2>&1 | %FileCheck %s --check-prefix=SHL5
// SHL5: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.shli: a shift by 32 is too wide for 32 bits
// RUN: not %jitrun %s --check --entry=shl --input=i32=6 --input=i32=-1 2>&1 | %FileCheck %s --check-prefix=SHL6
// SHL6: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.shli: a shift by 4294967295 is too wide for 32 bits
// RUN: %jitrun %s --check --entry=vdiv --input=i32=8 --input=i32=2 | %FileCheck %s --check-prefix=VDIV7
// VDIV7: result[0]: i32=4
// RUN: not %jitrun %s --check --entry=vdiv --input=i32=8 --input=i32=0 2>&1 | %FileCheck %s --check-prefix=VDIV8
// VDIV8: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.divsi: division by zero
// RUN: not %jitrun %s --check --entry=vdiv --input=i32=-2147483648 --input=i32=-1 2>&1 | %FileCheck %s --check-prefix=VDIV9
// VDIV9: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.divsi: overflow: the smallest number of 32 bits divided by -1
// RUN: %jitrun %s --check --entry=remu --input=index=7 --input=index=4 | %FileCheck %s --check-prefix=REMU10
// REMU10: result[0]: i64=3
// RUN: not %jitrun %s --check --entry=remu --input=index=7 --input=index=0 2>&1 | %FileCheck %s --check-prefix=REMU11
// REMU11: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: index.remu: division by zero
// RUN: %jitrun %s --check --entry=floor --input=index=-7 --input=index=2 | %FileCheck %s --check-prefix=FLOOR12
// FLOOR12: result[0]: i64=-4
// RUN: not %jitrun %s --check --entry=floor --input=index=-9223372036854775808 --input=index=-1 2>&1 | %FileCheck %s --check-prefix=FLOOR13
// FLOOR13: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: index.floordivs: overflow: the smallest number of 64 bits divided by -1
// RUN: %jitrun %s --check --entry=by_minus_one --input=i8=5 | %FileCheck %s --check-prefix=BY_MINUS_ONE14
// BY_MINUS_ONE14: result[0]: i8=-5
// RUN: not %jitrun %s --check --entry=by_minus_one --input=i8=-128 2>&1 | %FileCheck %s --check-prefix=BY_MINUS_ONE15
// BY_MINUS_ONE15: jitrun: error: {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: arith.divsi: overflow: the smallest number of 8 bits divided by -1

func.func @div(%a: i32, %b: i32) -> i32 {
  %v = arith.divsi %a, %b : i32
  return %v : i32
}
func.func @shl(%a: i32, %b: i32) -> i32 {
  %v = arith.shli %a, %b : i32
  return %v : i32
}
func.func @vdiv(%a: i32, %b: i32) -> i32 {
  %x = vector.broadcast %a : i32 to vector<2x4xi32>
  %y = vector.broadcast %b : i32 to vector<2x4xi32>
  %z = arith.divsi %x, %y : vector<2x4xi32>
  %v = vector.extract %z[1, 2] : i32 from vector<2x4xi32>
  return %v : i32
}
func.func @remu(%a: index, %b: index) -> index {
  %v = index.remu %a, %b
  return %v : index
}
func.func @floor(%a: index, %b: index) -> index {
  %v = index.floordivs %a, %b
  return %v : index
}
// Only the overflow can happen.
func.func @by_minus_one(%a: i8) -> i8 {
  %b = arith.constant -1 : i8
  %v = arith.divsi %a, %b : i8
  return %v : i8
}
