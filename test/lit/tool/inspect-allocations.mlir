// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What attributes say of an entry's arguments: of parameters, constants,
// outputs and their aliases; from MLIR and from an image.
//
// REQUIRES: llvm
// RUN: %jitrun inspect %s | %FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun inspect %t.o | %FileCheck %s
// CHECK: entry 'main'
// CHECK-NEXT: {{^}}  arg[0]: 16xi8, 16 bytes, aligned to 64; parameter 0 {}, not used{{$}}
// CHECK-NEXT: {{^}}  arg[1]: 8xi8 (output), 8 bytes; parameter 1 {0}, must alias output {1,0}{{$}}
// CHECK-NEXT: {{^}}  arg[2]: 4xi8 (output), 4 bytes; parameter 1 {1}, may alias output {1,1}, not used{{$}}
// CHECK-NEXT: {{^}}  arg[3]: 16xi8, 16 bytes; constant 'weights'{{$}}
// CHECK-NEXT: {{^}}  arg[4]: 16xi8 (output), 16 bytes; live out, output {0}{{$}}
// CHECK-NEXT: {{^}}  arg[5]: 16xi8 (output), 16 bytes; table of a tuple, not used{{$}}
// CHECK-NEXT: {{^}}  arg[6]: 32xi8, 32 bytes; temporary, not used, thread-local{{$}}
// CHECK-NEXT: {{^}}  output 1: arg[4] as 4xf32{{$}}
// CHECK-NEXT: {{^}}  output 2: arg[1] as 2xi32{{$}}
// CHECK-NEXT: {{^}}  output 3: arg[2] as f32{{$}}
// CHECK-NEXT: {{^}}  result's shape: (f32[4]{0}, (s32[2]{0}, f32[])){{$}}
// CHECK: allocation {{[0-9]+}}: constant 'weights' 4xf32, 16 bytes at {{[0-9]+}}, aligned to 64
// CHECK-NEXT: allocation {{[0-9]+}}: temporary 2xi8, 2 bytes at 0, aligned to 64
// CHECK-NEXT: allocation {{[0-9]+}}: variable 'count' i32, 4 bytes at {{[0-9]+}}, aligned to 64
//
// RUN: %jitrun inspect --json %s | %python -m json.tool --compact | %FileCheck %s --check-prefix=JSON
// RUN: %jitrun inspect --json %t.o | %python -m json.tool --compact | %FileCheck %s --check-prefix=JSON
// JSON: "result_shape":"(f32[4]{0}, (s32[2]{0}, f32[]))"
// JSON-SAME: "outputs":[{"argument":4,"index":[0],"type":"4xf32"},{"argument":1,"index":[1,0],"type":"2xi32"},{"argument":2,"index":[1,1],"type":"f32"}]
// JSON-SAME: "allocations":[{"argument":0,"kind":"parameter","parameter":0,"index":[],"size_bytes":16,"alignment":64,"unused":true}
// JSON-SAME: {"argument":1,"kind":"parameter","parameter":1,"index":[0],"size_bytes":8,"alignment":1,"output_index":[1,0],"alias":"must"}
// JSON-SAME: {"argument":2,"kind":"parameter","parameter":1,"index":[1],"size_bytes":4,"alignment":1,"output_index":[1,1],"alias":"may","unused":true}
// JSON-SAME: {"argument":3,"kind":"constant","name":"weights","size_bytes":16,"alignment":1}
// JSON-SAME: {"argument":4,"kind":"output","size_bytes":16,"alignment":1,"output_index":[0]}
// JSON-SAME: {"argument":5,"kind":"tuple","size_bytes":16,"alignment":1,"unused":true}
// JSON-SAME: {"argument":6,"kind":"temporary","size_bytes":32,"alignment":1,"unused":true,"thread_local":true}]
//
// Outputs are printed in the order of their indices, whatever that of the
// arguments.
// RUN: %jitrun %s --entry=ordered --input=1xi32=1 --input=1xi32=2 | %FileCheck %s --check-prefix=ORDER
// ORDER: arg[1]: 1xi32=[2]
// ORDER-NEXT: arg[0]: 1xi32=[1]
memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" @count : memref<i32> = dense<0>
func.func @main(%p0: memref<16xi8> {lmhlo.params = 0 : index, jitrun.alignment = 64 : i64},
    %p1: memref<8xi8> {lmhlo.params = 1 : index, lmhlo.param_shape_index = dense<0> : tensor<1xindex>,
                       lmhlo.output_index = dense<[1, 0]> : tensor<2xindex>, lmhlo.must_alias},
    %p2: memref<4xi8> {jitrun.parameter = 1, jitrun.parameter_index = [1],
                       jitrun.output_index = array<i64: 1, 1>, jitrun.may_alias},
    %c: memref<16xi8> {lmhlo.constant_name = "weights"},
    %out: memref<16xi8> {lmhlo.output_index = dense<0> : tensor<1xi64>},
    %table: memref<16xi8> {lmhlo.output_index = dense<> : tensor<0xi32>},
    %temp: memref<32xi8> {jitrun.thread_local})
    attributes {result_xla_shape = "(f32[4]{0}, (s32[2]{0}, f32[]))"} {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<2xi8>
  %n = memref.get_global @count : memref<i32>
  %x = memref.load %p1[%c0] : memref<8xi8>
  memref.store %x, %t[%c0] : memref<2xi8>
  %y = memref.load %t[%c0] : memref<2xi8>
  memref.store %y, %p1[%c0] : memref<8xi8>
  %z = arith.extui %y : i8 to i32
  memref.store %z, %n[] : memref<i32>
  memref.copy %c, %out : memref<16xi8> to memref<16xi8>
  return
}
func.func @ordered(%a: memref<1xi32> {jitrun.output_index = [1]},
                   %b: memref<1xi32> {jitrun.output_index = [0]}) {
  return
}
