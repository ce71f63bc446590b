// Which function is run.
//
// REQUIRES: llvm
// RUN: %jitrun %s --entry=second | %FileCheck %s --check-prefix=SECOND
// SECOND: result[0]: i32=2
// RUN: sh -c "%jitrun %s; echo status $?" 2>&1 | %FileCheck %s --check-prefix=WHICH
// WHICH: jitrun: error: no entry 'main', say which with --entry; the program has 'first', 'second'
// WHICH-NEXT: status 1
// RUN: not %jitrun %s --entry=frist 2>&1 | %FileCheck %s --check-prefix=NEAR
// NEAR: jitrun: error: no entry 'frist'; the program has 'first', 'second'; did you mean 'first'?
func.func @first() -> i32 {
  %c1 = arith.constant 1 : i32
  return %c1 : i32
}
func.func @second() -> i32 {
  %c2 = arith.constant 2 : i32
  return %c2 : i32
}
