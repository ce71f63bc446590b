; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What LLVM makes of the operations behind lib/helpers, for helpers_test.c: each
; function works on memory, so that only LLVM decides which registers the calls
; to the helpers use. Compiled by llc for plain x86-64, which has no instruction
; for any of them.

define void @llvm_f32_f16(ptr %in, ptr %out) {
  %x = load float, ptr %in
  %y = fptrunc float %x to half
  store half %y, ptr %out
  ret void
}

define void @llvm_f64_f16(ptr %in, ptr %out) {
  %x = load double, ptr %in
  %y = fptrunc double %x to half
  store half %y, ptr %out
  ret void
}

define void @llvm_f80_f16(ptr %in, ptr %out) {
  %x = load x86_fp80, ptr %in
  %y = fptrunc x86_fp80 %x to half
  store half %y, ptr %out
  ret void
}

define void @llvm_f32_bf16(ptr %in, ptr %out) {
  %x = load float, ptr %in
  %y = fptrunc float %x to bfloat
  store bfloat %y, ptr %out
  ret void
}

define void @llvm_f64_bf16(ptr %in, ptr %out) {
  %x = load double, ptr %in
  %y = fptrunc double %x to bfloat
  store bfloat %y, ptr %out
  ret void
}

define void @llvm_f80_bf16(ptr %in, ptr %out) {
  %x = load x86_fp80, ptr %in
  %y = fptrunc x86_fp80 %x to bfloat
  store bfloat %y, ptr %out
  ret void
}

define void @llvm_f16_f32(ptr %in, ptr %out) {
  %x = load half, ptr %in
  %y = fpext half %x to float
  store float %y, ptr %out
  ret void
}

define void @llvm_f16_f80(ptr %in, ptr %out) {
  %x = load half, ptr %in
  %y = fpext half %x to x86_fp80
  store x86_fp80 %y, ptr %out
  ret void
}

define void @llvm_i128_f16(ptr %in, ptr %out) {
  %x = load i128, ptr %in
  %y = sitofp i128 %x to half
  store half %y, ptr %out
  ret void
}

define void @llvm_u128_f32(ptr %in, ptr %out) {
  %x = load i128, ptr %in
  %y = uitofp i128 %x to float
  store float %y, ptr %out
  ret void
}

define void @llvm_i128_f64(ptr %in, ptr %out) {
  %x = load i128, ptr %in
  %y = sitofp i128 %x to double
  store double %y, ptr %out
  ret void
}

define void @llvm_f16_i128(ptr %in, ptr %out) {
  %x = load half, ptr %in
  %y = fptosi half %x to i128
  store i128 %y, ptr %out
  ret void
}

define void @llvm_f64_u128(ptr %in, ptr %out) {
  %x = load double, ptr %in
  %y = fptoui double %x to i128
  store i128 %y, ptr %out
  ret void
}

define void @llvm_sdivrem(ptr %in, ptr %out) {
  %second = getelementptr i128, ptr %in, i64 1
  %rest = getelementptr i128, ptr %out, i64 1
  %a = load i128, ptr %in
  %b = load i128, ptr %second
  %q = sdiv i128 %a, %b
  %r = srem i128 %a, %b
  store i128 %q, ptr %out
  store i128 %r, ptr %rest
  ret void
}

define void @llvm_udivrem(ptr %in, ptr %out) {
  %second = getelementptr i128, ptr %in, i64 1
  %rest = getelementptr i128, ptr %out, i64 1
  %a = load i128, ptr %in
  %b = load i128, ptr %second
  %q = udiv i128 %a, %b
  %r = urem i128 %a, %b
  store i128 %q, ptr %out
  store i128 %r, ptr %rest
  ret void
}

define void @llvm_powi(ptr %in, ptr %out) {
  %second = getelementptr double, ptr %in, i64 1
  %x = load double, ptr %in
  %n = load i32, ptr %second
  %y = call double @llvm.powi.f64.i32(double %x, i32 %n)
  store double %y, ptr %out
  ret void
}

declare double @llvm.powi.f64.i32(double, i32)
