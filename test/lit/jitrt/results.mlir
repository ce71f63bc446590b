// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memrefs that handlers return, of static and of dynamic type, in memory of the
// execution and of the handler; and what entries return of them.
//
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=flow --input=i64=5 --executor=thunks > %t.thunks
// RUN: %FileCheck %s --check-prefix=FLOW < %t.thunks
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=flow --input=i64=5 -O0 | cmp - %t.thunks
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=flow --input=i64=5 -O2 | cmp - %t.thunks
// RUN: %jitrun compile %s -o %t.o --plugin=%plugins/values.so
// RUN: %jitrun %t.o --plugin=%plugins/values.so --entry=flow --input=i64=5 | cmp - %t.thunks
// RUN: %jitrun %t.o --plugin=%plugins/values.so --entry=flow --input=i64=5 --executor=thunks | cmp - %t.thunks
// RUN: %jitrun compile %s -o %t.so --plugin=%plugins/values.so
// RUN: %jitrun %t.so --plugin=%plugins/values.so --entry=flow --input=i64=5 | cmp - %t.thunks
// FLOW: 5xi32=[0 1 2 3 4]
// FLOW-NEXT: 2x2xf32={{\[}}[1 2][3 4]]
// FLOW-NEXT: 2x2xf32={{\[}}[1 3][2 4]]
// FLOW-NEXT: 2x2xi32={{\[}}[4 3][2 1]]
// FLOW-NEXT: result[0]: 5xi32=[0 1 2 3 4]
// FLOW-NEXT: result[1]: 2x2xf32={{\[}}[1 2][3 4]]
// FLOW-NEXT: result[2]: 2x2xf32={{\[}}[1 3][2 4]]
// FLOW-NEXT: result[3]: 2x2xi32={{\[}}[4 3][2 1]]
//
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=sum --input=i64=10 | %FileCheck %s --check-prefix=SUM
// RUN: %jitrun %t.o --plugin=%plugins/values.so --entry=sum --input=i64=10 | %FileCheck %s --check-prefix=SUM
// SUM: result[0]: i32=45
//
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=scalars --input=f64=1.5 -O0 | %FileCheck %s --check-prefix=SCALARS
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=scalars --input=f64=1.5 --executor=thunks | %FileCheck %s --check-prefix=SCALARS
// SCALARS: f64=1.5
// SCALARS-NEXT: i32=3
// SCALARS-NEXT: result[0]: f64=1.5
// SCALARS-NEXT: result[1]: i32=3
//
// An empty result needs no memory.
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=flow --input=i64=0 | %FileCheck %s --check-prefix=EMPTY
// EMPTY: result[0]: 0xi32=[]
//
// RUN: not %jitrun %s --plugin=%plugins/values.so --entry=flow --input=i64=-1 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
// RUN: not %jitrun %s --plugin=%plugins/values.so --entry=flow --input=i64=-1 --executor=thunks 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: jitrun: error: {{.*}}results.mlir:{{[0-9]+}}:8: result 0 has type ?xi32, and is given size 0 of -1
// NEGATIVE-NEXT: note: in custom call 'test.iota'
//
// RUN: not %jitrun %s --plugin=%plugins/values.so --entry=ask_wrong 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: jitrun: error: {{.*}}: result 0 has type 2x2xi32, and is given size 0 of 3
// WRONG-NEXT: note: in custom call 'test.wrong'
//
// What a handler gave before is not there for the next call.
// RUN: not %jitrun %s --plugin=%plugins/values.so --entry=nothing_twice --repeat=2 2>&1 | %FileCheck %s --check-prefix=NOTHING
// RUN: not %jitrun %s --plugin=%plugins/values.so --entry=nothing_twice --repeat=2 --executor=thunks 2>&1 | %FileCheck %s --check-prefix=NOTHING
// NOTHING: jitrun: error: {{.*}}: custom call 'test.nothing' gave result 0 no memory; its handler has to call result_alloc or result_set

// A result that nothing uses needs none.
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=unused --repeat=2 -O0
// RUN: %jitrun %s --plugin=%plugins/values.so --entry=unused --repeat=2 --executor=thunks

func.func private @iota(i64) -> memref<?xi32> attributes {rt.custom_call = "test.iota"}
func.func private @shared() -> memref<2x2xf32> attributes {rt.custom_call = "test.shared"}
func.func private @columns() -> memref<2x?xf32, strided<[?, ?]>> attributes {rt.custom_call = "test.shared"}
func.func private @square() -> memref<2x2xi32> attributes {rt.custom_call = "test.square"}
func.func private @nothing() -> memref<2x2xi32> attributes {rt.custom_call = "test.nothing"}
func.func private @wrong() -> memref<2x2xi32> attributes {rt.custom_call = "test.wrong"}
func.func private @pair(f64) -> (f64, i32) attributes {rt.custom_call = "test.pair"}
func.func private @print_vector(memref<?xi32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_shared(memref<2x2xf32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_columns(memref<2x?xf32, strided<[?, ?]>>) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_square(memref<2x2xi32>) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_f64(f64) attributes {rt.custom_call = "jitrun.print"}
func.func private @print_i32(i32) attributes {rt.custom_call = "jitrun.print"}

func.func @flow(%n: i64) -> (memref<?xi32>, memref<2x2xf32>, memref<2x?xf32, strided<[?, ?]>>, memref<2x2xi32>) {
  %a = call @iota(%n) : (i64) -> memref<?xi32>
  %b = call @shared() : () -> memref<2x2xf32>
  %c = call @columns() : () -> memref<2x?xf32, strided<[?, ?]>>
  %d = call @square() : () -> memref<2x2xi32>
  call @print_vector(%a) : (memref<?xi32>) -> ()
  call @print_shared(%b) : (memref<2x2xf32>) -> ()
  call @print_columns(%c) : (memref<2x?xf32, strided<[?, ?]>>) -> ()
  call @print_square(%d) : (memref<2x2xi32>) -> ()
  return %a, %b, %c, %d : memref<?xi32>, memref<2x2xf32>, memref<2x?xf32, strided<[?, ?]>>, memref<2x2xi32>
}

// The program reads what the handler returned.
func.func @sum(%n: i64) -> i32 {
  %a = call @iota(%n) : (i64) -> memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %size = memref.dim %a, %c0 : memref<?xi32>
  %sum = scf.for %i = %c0 to %size step %c1 iter_args(%s = %zero) -> i32 {
    %v = memref.load %a[%i] : memref<?xi32>
    %t = arith.addi %s, %v : i32
    scf.yield %t : i32
  }
  return %sum : i32
}

func.func @scalars(%x: f64) -> (f64, i32) {
  %a, %b = call @pair(%x) : (f64) -> (f64, i32)
  call @print_f64(%a) : (f64) -> ()
  call @print_i32(%b) : (i32) -> ()
  return %a, %b : f64, i32
}

func.func @ask_wrong() {
  %a = call @wrong() : () -> memref<2x2xi32>
  return
}

func.func @nothing_twice() -> memref<2x2xi32> {
  %a = call @nothing() : () -> memref<2x2xi32>
  return %a : memref<2x2xi32>
}

func.func @unused() {
  %a = call @nothing() : () -> memref<2x2xi32>
  return
}
