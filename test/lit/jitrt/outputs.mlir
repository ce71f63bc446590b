// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rt.set_output: the last write counts, and what is written is seen only when
// the function returns without an error.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=last --input=i32=1 --input=i32=2 | FileCheck %s --check-prefix=LAST
// RUN: %jitrun %s --entry=branch --input=i1=1 | FileCheck %s --check-prefix=BRANCH1
// RUN: %jitrun %s --entry=branch --input=i1=0 | FileCheck %s --check-prefix=BRANCH0
// RUN: %jitrun %s --entry=nested --input=index=3 | FileCheck %s --check-prefix=NESTED3
// RUN: %jitrun %s --entry=nested --input=index=0 | FileCheck %s --check-prefix=NESTED0
// RUN: %jitrun %s --entry=memory --input=2xf32=1,2 | FileCheck %s --check-prefix=MEMORY
// RUN: %jitrun %s --entry=checked --input=i32=1 | FileCheck %s --check-prefix=CHECKED
// RUN: not %jitrun %s --entry=checked --input=i32=-1 2>&1 | FileCheck %s --check-prefix=REFUSED

// LAST: result[0]: i32=2
// LAST-NEXT: result[1]: i32=1
func.func @last(%ctx: !rt.execution_context, %a: i32, %b: i32) {
  rt.set_output %ctx, 1, %a : i32
  rt.set_output %ctx, 0, %a : i32
  rt.set_output %ctx, 0, %b : i32
  return
}

// BRANCH1: result[0]: f32=1
// BRANCH0: result[0]: f32=2
func.func @branch(%ctx: !rt.execution_context, %c: i1) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  cf.cond_br %c, ^yes, ^no
^yes:
  rt.set_output %ctx, 0, %one : f32
  cf.br ^end
^no:
  rt.set_output %ctx, 0, %two : f32
  cf.br ^end
^end:
  return
}

// An output that a path does not set is zero there.
// NESTED3: result[0]: i64=2
// NESTED3-NEXT: result[1]: i64=7
// NESTED0: result[0]: i64=0
// NESTED0-NEXT: result[1]: i64=7
func.func @nested(%ctx: !rt.execution_context, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i64
  rt.set_output %ctx, 1, %c7 : i64
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i64
    rt.set_output %ctx, 0, %v : i64
  }
  return
}

// MEMORY: result[0]: 4xf32=[0 0 0 0]
// MEMORY-NEXT: result[1]: 2xf32=[1 2]
func.func private @zero(memref<4xf32>, f32) attributes {rt.custom_call = "jitrun.memset"}
func.func @memory(%ctx: !rt.execution_context, %m: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  func.call @zero(%a, %zero) : (memref<4xf32>, f32) -> ()
  rt.set_output %ctx, 0, %a : memref<4xf32>
  rt.set_output %ctx, 1, %m : memref<2xf32>
  return
}

// What asserts were turned into: a block that sets an error.
// CHECKED: result[0]: 1xi32=[1]
// REFUSED: error: {{.*}}: must not be negative
// REFUSED-NOT: result
func.func @checked(%ctx: !rt.execution_context, %a: i32) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi32>
  %ok = arith.cmpi sge, %a, %zero : i32
  cf.cond_br %ok, ^good, ^bad
^good:
  memref.store %a, %m[%c0] : memref<1xi32>
  rt.set_output %ctx, 0, %m : memref<1xi32>
  return
^bad:
  rt.set_error %ctx, "must not be negative"
  return
}
