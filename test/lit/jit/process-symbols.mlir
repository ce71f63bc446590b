// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native code sees nothing of the process: exit is there, and is not found.
// REQUIRES: llvm
// RUN: not %jitrun %s --input=i32=7 2>&1 | FileCheck %s

// CHECK: jitrun: error: ORC cannot link the program: {{.*}}undefined symbol 'exit'
llvm.func @exit(i32)
func.func @main(%n: i32) {
  llvm.call @exit(%n) : (i32) -> ()
  return
}
