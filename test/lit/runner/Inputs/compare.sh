# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compare.sh JITRUN LIBRARIES PROGRAM FOLDER: runs a program by mlir-opt and
# mlir-runner, by jitrun as it is, and by jitrun as mlir-opt has lowered it. All
# must print the same, but for addresses.
set -euo pipefail
jitrun=$1 libraries=$2 program=$3 folder=$4
mkdir -p "$folder"
mlir-opt "$program" -convert-linalg-to-loops -convert-vector-to-scf \
  -lower-affine -convert-scf-to-cf -convert-vector-to-llvm \
  -expand-strided-metadata -lower-affine -finalize-memref-to-llvm \
  -convert-arith-to-llvm -convert-index-to-llvm -convert-cf-to-llvm \
  -convert-func-to-llvm -reconcile-unrealized-casts -o "$folder/lowered.mlir"
mlir-runner "$folder/lowered.mlir" -e main -entry-point-result=void \
  -shared-libs="$libraries/libmlir_runner_utils.so" \
  -shared-libs="$libraries/libmlir_c_runner_utils.so" > "$folder/expected"
"$jitrun" "$program" > "$folder/direct"
"$jitrun" "$folder/lowered.mlir" > "$folder/lowered"
for file in expected direct lowered; do
  sed -i 's/0x[0-9a-f]*/ADDRESS/' "$folder/$file"
done
cmp "$folder/expected" "$folder/direct"
cmp "$folder/expected" "$folder/lowered"
