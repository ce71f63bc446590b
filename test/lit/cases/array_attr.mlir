// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attribute kinds reach the handler as they are written: arrays, an empty one,
// a dictionary, a string with a NUL, the largest unsigned number. An array of
// several element types is refused by name when the program is compiled.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=main --plugin=%plugins/testcalls.so --input=4xf64 --executor=jit | FileCheck %s
// RUN: %jitrun %s --entry=main --plugin=%plugins/testcalls.so --input=4xf64 --executor=thunks | FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --entry=main --plugin=%plugins/testcalls.so --input=4xf64 | FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --entry=main --plugin=%plugins/testcalls.so --input=4xf64 | FileCheck %s
// CHECK: {big = u64 18446744073709551615, dims = array s64[4 2 9], empty = array s32[], nested = {lo = s64 -1, name = "q\00z"}}
//
// RUN: sed -e 's/empty/mixed = [1 : i32, 2.5 : f32], empty/' %s > %t.mlir
// RUN: not %jitrun %t.mlir --plugin=%plugins/testcalls.so --input=4xf64 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: jitrun: error: {{.*}}: attribute 'mixed' of a custom call cannot be encoded: it is an array of several element types

func.func private @attrs(memref<4xf64>) attributes {rt.custom_call = "test.read_attrs"}
func.func @main(%y: memref<4xf64>) attributes {rt.exported = 0 : i32} {
  call @attrs(%y) {dims = array<i64: 4, 2, 9>, empty = array<i32>,
                   nested = {lo = -1 : i64, name = "q\00z"}, big = 18446744073709551615 : ui64}
    : (memref<4xf64>) -> ()
  return
}
