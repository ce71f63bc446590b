#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs a build under a folder, then uses what was installed as somebody who
# has nothing else: the tool, pkg-config, the static archive, CMake. Last, the
# same CMake project with the source as a subdirectory.
#
#   installed.sh BUILD SCRATCH
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
scratch=$2

rm -rf "$scratch"
mkdir -p "$scratch/use"
scratch=$(cd "$scratch" && pwd)
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
cd "$scratch/use"
cp "$source/examples/axpy.mlir" "$source/examples/embed.c" .
prefix=$scratch/prefix
config=$(find "$prefix" -name jitrun.pc)
PKG_CONFIG_PATH=$(dirname "$config")
export PKG_CONFIG_PATH
library=$(pkg-config --variable=libdir jitrun)

echo "tool"
"$(pkg-config --variable=tool jitrun)" compile axpy.mlir -o axpy.so
"$prefix/bin/jitrun" axpy.mlir --input=f32=2 --input=2xf32=1 --input=2xf32=1

echo "pkg-config"
read -ra flags < <(pkg-config --cflags --libs jitrun)
cc embed.c "${flags[@]}" -Wl,-rpath,"$library" -o shared
./shared axpy.mlir
./shared axpy.so
nm -D shared | sed -n 's/^ *U \(jitrun_program_run@.*\)/\1/p'
readelf -dW shared | sed -nE 's/.*\[(libjitrun.*)\]/\1/p'

echo "static"
read -ra flags < <(pkg-config --cflags jitrun)
cc embed.c "${flags[@]}" "$library/libjitrun.a" -lm -o static
./static axpy.so

# build NAME ARGUMENT...: configures the project of $1 and builds it
build() {
  local name=$1
  shift
  cmake -S "$name" -B "$name/out" -G Ninja "$@" >"$name/cmake.log"
  cmake --build "$name/out" >"$name/build.log"
}

# A project in folder $1, which finds jitrun by the lines that are read.
make_project() {
  mkdir "$1"
  cp axpy.mlir embed.c "$source/examples/image.c" "$1"
  {
    echo 'cmake_minimum_required(VERSION 3.25)'
    echo 'project(consumer C)'
    cat
    cat "$source/test/consumer/project.cmake"
  } >"$1/CMakeLists.txt"
}

# Whether the image is made again: for its source, and not for nothing.
rebuild() {
  cmake --build "$1/out" | tail -n 1
  sed -i 's/arith.addf/arith.subf/' "$1/axpy.mlir"
  cmake --build "$1/out" >>"$1/build.log"
  "$1/out/image"
}

echo "CMake"
make_project found <<'END'
find_package(jitrun 0.1 REQUIRED COMPONENTS runtime jit tool helpers jitrt)
END
build found -DCMAKE_PREFIX_PATH="$prefix"
found/out/embed axpy.mlir
found/out/embed_static axpy.so
found/out/image
found/out/image_shared
rebuild found

echo "component"
make_project lacking <<'END'
find_package(jitrun REQUIRED COMPONENTS cuda)
END
cmake -S lacking -B lacking/out -DCMAKE_PREFIX_PATH="$prefix" \
  >lacking/cmake.log 2>&1 || grep 'no component' lacking/cmake.log

# Without the compiler, which is what takes long to build: images are made by
# the tool that is there.
echo "subdirectory"
make_project below <<'END'
set(JITRUN_LLVM OFF CACHE STRING "")
add_subdirectory($ENV{JITRUN_SOURCE} jitrun)
END
export JITRUN_SOURCE=$source
build below -DJITRUN_EXECUTABLE="$build/bin/jitrun"
below/out/embed axpy.so
below/out/image
below/out/image_shared
rebuild below

echo "pages"
(cd "$prefix/share" && ls man/man1/jitrun.1 man/man1/jitrun-opt.1 \
  man/man5/jitrun-values.5 bash-completion/completions/jitrun)

echo "documents"
(cd "$prefix/share/doc/jitrun" && ls customcalls.md examples/axpy.mlir)
