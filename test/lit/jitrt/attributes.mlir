// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of JitRt's programs as handlers get them: names without a value,
// exported functions, integers of odd widths, and the attributes of dialects
// that are not there, under the field names of JitRt's handlers.
// REQUIRES: llvm
// RUN: %jitrun %s --entry=main --plugin=%plugins/testcalls.so --executor=thunks | %FileCheck %s
// RUN: %jitrun %s --entry=main --plugin=%plugins/testcalls.so --executor=jit | %FileCheck %s
// RUN: %jitrun %s --entry=main --plugin=%plugins/testcalls.so --executor=jit -O0 | %FileCheck %s
// RUN: %jitrun compile %s -o %t.o
// RUN: %jitrun %t.o --entry=main --plugin=%plugins/testcalls.so | %FileCheck %s
// RUN: %jitrun compile %s -o %t.so
// RUN: %jitrun %t.so --entry=main --plugin=%plugins/testcalls.so | %FileCheck %s
// RUN: %jitrun inspect %t.so --json | %FileCheck %s --check-prefix=JSON

// CHECK: {fn = entry 1, i24 = s32 -1, i3 = s8 -1, list = array s64[-1 2], nested = {fn = entry 0, unit = unit}, nul = "a\00b", si40 = s64 -5, ui24 = u32 16777215, unit = unit}
// JSON: "name": "fn",
// JSON-NEXT: "kind": "function",
// JSON-NEXT: "value": "other"
// JSON: "name": "unit",
// JSON-NEXT: "kind": "unit"
// JSON-NEXT: }

// CHECK-NEXT: {dot = #mhlo.dot {lhs_batch = array s64[0], lhs_contract = array s64[2], rhs_batch = array s64[0], rhs_contract = array s64[]}}
// CHECK-NEXT: {conv = #mhlo.conv {input_batch_dim = s64 0, input_feature_dim = s64 3, input_spatial_dims = array s64[1 2],
// CHECK-SAME: {{^}} kernel_in_feature_dim = s64 2, kernel_out_feature_dim = s64 3, kernel_spatial_dims = array s64[0 1],
// CHECK-SAME: {{^}} output_batch_dim = s64 1, output_feature_dim = s64 3, output_spatial_dims = array s64[2 0]}}
// CHECK-NEXT: {conv = #mhlo.conv {input_batch_dim = s64 0, input_feature_dim = s64 1, input_spatial_dims = array s64[2],
// CHECK-SAME: {{^}} kernel_in_feature_dim = s64 1, kernel_out_feature_dim = s64 0, kernel_spatial_dims = array s64[2],
// CHECK-SAME: {{^}} output_batch_dim = s64 0, output_feature_dim = s64 1, output_spatial_dims = array s64[2]}}
// CHECK-NEXT: {config = #lmhlo_gpu.convolution_backend_config {algorithm = s64 -1, is_cudnn_frontend = pred true, is_cudnn_reordered_int8 = pred false, knob_ids = array s64[2 3], knob_values = array s64[4 0],
// CHECK-SAME: {{^}} operand_0_layout = array s64[2 1 3 0], operand_1_layout = array s64[], result_layout = array s64[3 2 1 0], tensor_ops_enabled = pred true, workspace_size = s64 10000}}
// CHECK-NEXT: {channel = #mhlo.channel_handle {handle = s64 1, type = s64 -2}, trace = #rt.hlo_trace {hlo_op = "fusion.1\22\0a\ff"}}
// CHECK-NEXT: {a0 = #lmhlo_gpu.activation s32 0, a1 = #lmhlo_gpu.activation s32 1, a2 = #lmhlo_gpu.activation s32 2, a3 = #lmhlo_gpu.activation s32 3, a4 = #lmhlo_gpu.activation s32 4, a5 = #lmhlo_gpu.activation s32 5, a6 = #lmhlo_gpu.activation s32 6, a7 = #lmhlo_gpu.activation s32 7}
// CHECK-NEXT: {e0 = #lmhlo_gpu.epilogue s32 1, e1 = #lmhlo_gpu.epilogue s32 2, e2 = #lmhlo_gpu.epilogue s32 4, e3 = #lmhlo_gpu.epilogue s32 6, e4 = #lmhlo_gpu.epilogue s32 32, e5 = #lmhlo_gpu.epilogue s32 1056, e6 = #lmhlo_gpu.epilogue s32 36, e7 = #lmhlo_gpu.epilogue s32 1060}
// CHECK-NEXT: {f1 = #mhlo.fft_type s32 1, f2 = #mhlo.fft_type s32 2, f3 = #mhlo.fft_type s32 3, f4 = #mhlo.fft_type s32 4}

func.func private @attrs() attributes {rt.custom_call = "test.read_attrs"}
func.func @main() {
  call @attrs() {unit, fn = @other, nested = {unit, fn = @main}, i3 = -1 : i3, i24 = -1 : i24, ui24 = 16777215 : ui24, si40 = -5 : si40, list = [-1 : i48, 2 : i48], nul = "a\00b"} : () -> ()
  call @attrs() {dot = #mhlo.dot<lhs_batching_dimensions = [0],
    rhs_batching_dimensions = [0], lhs_contracting_dimensions=[2]>} : () -> ()
  call @attrs() {conv = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[1, b, 0, f]>} : () -> ()
  call @attrs() {conv = #mhlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0,
    kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [2]>} : () -> ()
  call @attrs() {config = #lmhlo_gpu.convolution_backend_config<algorithm = -1, tensor_ops_enabled = true, is_cudnn_frontend = true, knob_ids = [2, 3], knob_values = [4, 0], operand_0_layout = [2, 1, 3, 0], result_layout = [3, 2, 1, 0], workspace_size = 10000>} : () -> ()
  call @attrs() {channel = #mhlo.channel_handle<handle = 1, type = -2>, trace = #rt.hlo_trace<"fusion.1\22\n\FF">} : () -> ()
  call @attrs() {a0 = #lmhlo_gpu<activation None>, a1 = #lmhlo_gpu<activation Sigmoid>, a2 = #lmhlo_gpu<activation Relu>, a3 = #lmhlo_gpu<activation Relu6>,
                 a4 = #lmhlo_gpu<activation ReluX>, a5 = #lmhlo_gpu<activation Tanh>, a6 = #lmhlo_gpu<activation BandPass>, a7 = #lmhlo_gpu<activation Elu>} : () -> ()
  call @attrs() {e0 = #lmhlo_gpu<epilogue Default>, e1 = #lmhlo_gpu<epilogue Relu>, e2 = #lmhlo_gpu<epilogue Bias>, e3 = #lmhlo_gpu<epilogue BiasRelu>,
                 e4 = #lmhlo_gpu<epilogue Gelu>, e5 = #lmhlo_gpu<epilogue GeluAux>, e6 = #lmhlo_gpu<epilogue BiasGelu>, e7 = #lmhlo_gpu<epilogue BiasGeluAux>} : () -> ()
  call @attrs() {f1 = #mhlo<fft_type FFT>, f2 = #mhlo<fft_type IFFT>, f3 = #mhlo<fft_type IRFFT>, f4 = #mhlo.fft_type<RFFT>} : () -> ()
  return
}
func.func @other() {
  return
}
