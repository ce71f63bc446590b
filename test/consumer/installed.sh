#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs a build under a folder, then uses what was installed as somebody who
# has nothing else: the tool, pkg-config, the static archive, CMake.
#
#   installed.sh BUILD SCRATCH
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
scratch=$2

rm -rf "$scratch"
mkdir -p "$scratch/use"
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
cd "$scratch/use"
cp "$source/examples/axpy.mlir" "$source/examples/embed.c" .
prefix=$scratch/prefix
config=$(find "$prefix" -name jitrun.pc)
PKG_CONFIG_PATH=$(dirname "$config")
export PKG_CONFIG_PATH
library=$(pkg-config --variable=libdir jitrun)

echo "tool"
"$prefix/bin/jitrun" compile axpy.mlir -o axpy.so
"$prefix/bin/jitrun" axpy.mlir --input=f32=2 --input=2xf32=1 --input=2xf32=1

echo "pkg-config"
read -ra flags < <(pkg-config --cflags --libs jitrun)
cc embed.c "${flags[@]}" -Wl,-rpath,"$library" -o shared
./shared axpy.mlir
./shared axpy.so

echo "static"
read -ra flags < <(pkg-config --cflags jitrun)
cc embed.c "${flags[@]}" "$library/libjitrun.a" -lm -o static
./static axpy.so

echo "CMake"
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer C)
find_package(jitrun REQUIRED)
add_executable(embed embed.c)
target_link_libraries(embed jitrun::jitrun)
add_executable(embed_static embed.c)
target_link_libraries(embed_static jitrun::jitrun_static)
END
cmake -S . -B out -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >cmake.log
cmake --build out >build.log
out/embed axpy.mlir
out/embed_static axpy.so

echo "pages"
(cd "$prefix/share" && ls man/man1/jitrun.1 man/man1/jitrun-opt.1 \
  man/man5/jitrun-values.5 bash-completion/completions/jitrun)

echo "documents"
(cd "$prefix/share/doc/jitrun" && ls customcalls.md examples/axpy.mlir)
