#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles programs for AArch64 with the tool of this machine, libjitrun and the
# programs that use them with clang, and runs them in QEMU:
#
#   aarch64.sh BUILD SCRATCH LLVM_BIN
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$1 scratch=$2 llvm=$3
readonly TARGET=aarch64-linux-gnu
jitrun=$build/bin/jitrun

rm -rf "$scratch"
mkdir -p "$scratch/system"
cd "$scratch"
ln -s /usr/include/xxhash.h system
cc=("$llvm/clang" --target=$TARGET -O1 -D_GNU_SOURCE "-I$source/include")

# libjitrun.a and libjitrun-helpers.a, folder by folder.
build_folder() {
  mkdir -p "lib/$1"
  (cd "lib/$1" && "${cc[@]}" -fPIC -fvisibility=hidden -ffunction-sections \
    -fdata-sections '-DJITRUN_VERSION="0.1.0"' '-DJITRUN_SOVERSION="0"' \
    "-I$source/lib" -isystem "$scratch/system" -c "$source/lib/$1"/*.c)
}
for folder in base customcalls helpers runtime; do
  build_folder $folder &
done
wait
# Names of files come twice.
for object in lib/*/*.o; do
  mv "$object" "lib/$(basename "$(dirname "$object")")_$(basename "$object")"
done
"$llvm/llvm-ar" rc libjitrun.a lib/*.o
"$llvm/llvm-ar" rc libjitrun-helpers.a lib/helpers_*.o

# link NAME FILE... [FLAG...]
link() {
  local name=$1
  shift
  "${cc[@]}" -fuse-ld=lld "$@" libjitrun.a -lm -o "$name"
}

emulate() {
  qemu-aarch64 -L /usr/$TARGET "$@"
}

echo "linked"
"$jitrun" compile "$source/test/consumer/hello.mlir" --target=$TARGET \
  --emit=o,h,so -o hello
link hello -static -include hello.h "$source/test/consumer/hello.c" hello.o
emulate ./hello

echo "loaded"
link embed "$source/examples/embed.c"
"$jitrun" compile "$source/examples/axpy.mlir" --target=$TARGET \
  --emit=o,so -o axpy
emulate ./embed axpy.o
emulate ./embed axpy.so

echo "refused"
"$jitrun" compile "$source/examples/axpy.mlir" -o x86.so
"$jitrun" compile "$source/examples/axpy.mlir" -o x86.o
emulate ./embed x86.so || true
emulate ./embed x86.o || true
"$jitrun" axpy.o --input=f32=1 --input=1xf32 --input=1xf32 || true

# Custom calls alone run on any machine.
echo "thunks"
"$jitrun" compile "$source/test/consumer/copy.mlir" -o copy.so
"$jitrun" compile "$source/test/consumer/copy.mlir" -o copy.image
emulate ./embed copy.so
emulate ./embed copy.image

echo "helpers"
"$jitrun" compile "$source/test/consumer/helpers.mlir" --target=$TARGET \
  --emit=o,h --prefix=hello -o helpers
link helped -static -include helpers.h "$source/test/consumer/hello.c" \
  helpers.o
emulate ./helped
"$jitrun" compile "$source/test/consumer/helpers.mlir" --target=$TARGET \
  -o helpers.so || true
