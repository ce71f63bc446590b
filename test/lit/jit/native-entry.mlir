// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow between calls: still one host function for the exported one;
// straight runs stay one call of the dispatcher.
// REQUIRES: llvm
// RUN: %jitrun compile %s --emit=ll -o - | FileCheck %s --check-prefix=LL
// RUN: %jitrun_opt %s --stage=native | FileCheck %s --check-prefix=NATIVE

// LL-COUNT-1: define hidden ptr @jitrun_native_entry_main(ptr
// LL-NOT: define

// NATIVE: func.func @jitrun_native_entry_main(%[[EXEC:.*]]: !llvm.ptr) -> !llvm.ptr
// The two calls before the loop are one run.
// NATIVE: %[[FIRST:.*]] = llvm.mlir.constant(0 : i64) : i64
// NATIVE: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64) : i64
// NATIVE: %[[E:.*]] = llvm.call %{{.*}}(%[[EXEC]], %[[FIRST]], %[[COUNT]])
// NATIVE: %[[BAD:.*]] = llvm.icmp "ne" %[[E]]
// NATIVE: cf.cond_br %[[BAD]], ^[[ERROR:bb[0-9]+]](%[[E]] : !llvm.ptr)
// NATIVE: ^[[ERROR]](%[[OUT:.*]]: !llvm.ptr):
// NATIVE-NEXT: return %[[OUT]] : !llvm.ptr

func.func private @noop(memref<4xf32>) attributes {rt.custom_call = "jitrun.noop"}
func.func private @on(memref<?xf32>, index) attributes {rt.custom_call = "jitrun.noop"}
func.func @main(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @noop(%a) : (memref<4xf32>) -> ()
  call @noop(%a) : (memref<4xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%i) : memref<?xf32>
    func.call @on(%t, %i) : (memref<?xf32>, index) -> ()
    memref.dealloc %t : memref<?xf32>
  }
  return
}
