// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers that only handlers read: as arguments and results of calls and of
// entries, through control flow and functions, of types that users have.
//
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=through --input=opaque=42 | %FileCheck %s --check-prefix=THROUGH
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=through --input=opaque=42 -O0 | %FileCheck %s --check-prefix=THROUGH
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=through --input=opaque=42 --executor=thunks | %FileCheck %s --check-prefix=THROUGH
// RUN: %jitrun compile %s -o %t.o --plugin=%plugins/values.so
// RUN: %jitrun %t.o --plugin=%plugins/values.so --entry=through --input=opaque=42 | %FileCheck %s --check-prefix=THROUGH
// RUN: %jitrun compile %s -o %t.so --plugin=%plugins/values.so
// RUN: %jitrun %t.so --plugin=%plugins/values.so --entry=through --input=opaque=42 | %FileCheck %s --check-prefix=THROUGH
// THROUGH: i64=42
// THROUGH-NEXT: !rt.opaque
// THROUGH-NEXT: !testlib.value
// THROUGH-NEXT: result[0]: i64=7
// THROUGH-NEXT: result[1]: opaque=7
//
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=chosen --input=i1=1 --input=opaque=3 --input=opaque=4 | %FileCheck %s --check-prefix=CHOSEN
// RUN: %jitrun %t.o --plugin=%plugins/values.so --entry=chosen --input=i1=1 --input=opaque=3 --input=opaque=4 | %FileCheck %s --check-prefix=CHOSEN
// CHOSEN: result[0]: i64=3
// CHOSEN-NEXT: result[1]: i64=5
//
// RUN: not %jitrun %s --plugin=%plugins/values.so --entry=through --input=i64=42 2>&1 | %FileCheck %s --check-prefix=REFUSED
// REFUSED: jitrun: error: --input=i64=42 (arg[0]): is i64, !rt.opaque is needed
//
// RUN: %jitrun inspect %s | %FileCheck %s --check-prefix=INSPECT
// INSPECT: entry 'chosen'
// INSPECT-NEXT: arg[0]: i1
// INSPECT-NEXT: arg[1]: !testlib.value
// INSPECT-NEXT: arg[2]: !testlib.value

func.func private @hide(i64) -> !rt.opaque attributes {rt.custom_call = "test.hide"}
func.func private @hide_value(i64) -> !testlib.value attributes {rt.custom_call = "test.hide"}
func.func private @show(!rt.opaque) -> i64 attributes {rt.custom_call = "test.show"}
func.func private @show_value(!testlib.value) -> i64 attributes {rt.custom_call = "test.show"}
func.func private @type(!rt.opaque) attributes {rt.custom_call = "test.type"}
func.func private @type_value(!testlib.value) attributes {rt.custom_call = "test.type"}
func.func private @print(i64) attributes {rt.custom_call = "jitrun.print"}

func.func @through(%p: !rt.opaque) -> (i64, !rt.opaque) {
  %n = call @show(%p) : (!rt.opaque) -> i64
  call @print(%n) : (i64) -> ()
  call @type(%p) : (!rt.opaque) -> ()
  %seven = arith.constant 7 : i64
  %q = call @hide(%seven) : (i64) -> !rt.opaque
  %v = call @hide_value(%seven) : (i64) -> !testlib.value
  call @type_value(%v) : (!testlib.value) -> ()
  %m = call @show_value(%v) : (!testlib.value) -> i64
  return %m, %q : i64, !rt.opaque
}

func.func @chosen(%c: i1, %p: !testlib.value, %q: !testlib.value) -> (i64, i64) {
  %v = scf.if %c -> !testlib.value {
    scf.yield %p : !testlib.value
  } else {
    scf.yield %q : !testlib.value
  }
  %n = func.call @inner(%v) : (!testlib.value) -> i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%it = %v) -> !testlib.value {
    %k = func.call @inner(%it) : (!testlib.value) -> i64
    %one = arith.constant 1 : i64
    %k1 = arith.addi %k, %one : i64
    %next = func.call @hide_value(%k1) : (i64) -> !testlib.value
    scf.yield %next : !testlib.value
  }
  %m = func.call @inner(%last) : (!testlib.value) -> i64
  return %n, %m : i64, i64
}

func.func private @inner(%v: !testlib.value) -> i64 {
  %n = func.call @show_value(%v) : (!testlib.value) -> i64
  return %n : i64
}
