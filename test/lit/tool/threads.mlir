// --threads limits the processors that a program has.
//
// REQUIRES: llvm
// RUN: %jitrun %s --threads=1 | %FileCheck %s
// RUN: %jitrun %s --threads=1 --no-supervise | %FileCheck %s
// CHECK: result[0]: i64=1
// RUN: %jitrun %s --threads=100000 | %FileCheck %s --check-prefix=ALL
// ALL: result[0]: i64={{[1-9]}}
func.func @main() -> index {
  %0 = async.runtime.num_worker_threads : index
  return %0 : index
}
