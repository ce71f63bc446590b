// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers with a sign in their type, which LLVM's have not: as constants, as
// results, and handed on by native code; ui4 does not become negative.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/digest.so --entry=constants --executor=thunks | %FileCheck %s --check-prefix=CONSTANTS
// RUN: %jitrun %s --plugin=%plugins/digest.so --entry=constants -O0 | %FileCheck %s --check-prefix=CONSTANTS
// RUN: %jitrun %s --plugin=%plugins/digest.so --entry=chosen --input=i1=1 --input=ui4=13 --input=ui8=200 --input=i64=-7 | %FileCheck %s --check-prefix=CHOSEN
// RUN: %jitrun %s --plugin=%plugins/digest.so --entry=chosen --input=i1=1 --input=ui4=13 --input=ui8=200 --input=i64=-7 -O0 | %FileCheck %s --check-prefix=CHOSEN

func.func private @print4(ui4) attributes {rt.custom_call = "jitrun.print"}
func.func private @print8(ui8) attributes {rt.custom_call = "jitrun.print"}
func.func private @print64(si64) attributes {rt.custom_call = "jitrun.print"}
func.func private @make() -> (ui4, ui8, si64) attributes {rt.custom_call = "test.kinds"}

// CONSTANTS: ui4=13
// CONSTANTS-NEXT: ui8=200
// CONSTANTS-NEXT: i64=-7
func.func @constants() {
  %a = arith.constant -3 : i4
  %b = arith.constant -56 : i8
  %c = arith.constant -7 : i64
  %d = "rt.unsigned_cast"(%a) : (i4) -> ui4
  %e = "rt.unsigned_cast"(%b) : (i8) -> ui8
  %f = "rt.unsigned_cast"(%c) : (i64) -> si64
  call @print4(%d) : (ui4) -> ()
  call @print8(%e) : (ui8) -> ()
  call @print64(%f) : (si64) -> ()
  return
}

// CHOSEN: ui4=13
// CHOSEN-NEXT: ui8=200
// CHOSEN-NEXT: i64=-7
// CHOSEN-NEXT: result[0]: ui4=13
// CHOSEN-NEXT: result[1]: ui8=200
// CHOSEN-NEXT: result[2]: i64=-7
func.func @chosen(%yes: i1, %a: ui4, %b: ui8, %c: si64) -> (ui4, ui8, si64) {
  %x:3 = scf.if %yes -> (ui4, ui8, si64) {
    scf.yield %a, %b, %c : ui4, ui8, si64
  } else {
    %y:3 = func.call @make() : () -> (ui4, ui8, si64)
    scf.yield %y#0, %y#1, %y#2 : ui4, ui8, si64
  }
  call @print4(%x#0) : (ui4) -> ()
  call @print8(%x#1) : (ui8) -> ()
  call @print64(%x#2) : (si64) -> ()
  return %x#0, %x#1, %x#2 : ui4, ui8, si64
}
