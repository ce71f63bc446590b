#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The release libraries export only what they should, under names of bearable
# length, and need only what a bare system has; so do the tools.
set -euo pipefail
cd "$(dirname "$0")/../../build/lib"
status=0

# Complains about each line of standard input.
complain_about() {
  local name
  while read -r name; do
    printf '%s: %s\n' "$1" "$name" >&2
    status=1
  done
}

exported_names() {
  nm -D --defined-only --format=posix "$1" |
    sed -nE '/^JITRUN_/!s/^([^@ ]+).*/\1/p'
}

# What an archive defines for the linker to see, hidden names too.
archive_names() {
  nm -g --defined-only --format=posix "$1" |
    sed -nE 's/^([^ ]+) [A-Z] .*/\1/p'
}

needed_libraries() {
  readelf -dW "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p'
}

# The version of the symbols, which has the minor number while the major is 0.
version_of() {
  nm -D --defined-only --format=posix "$1" | sed -nE 's/^[^@ ]+@@([^ ]+).*/\1/p' |
    sort -u
}

others_than() {
  grep -vxE "$1" || true
}

for library in libjitrun.so libjitrun-jitrt.so libjitrun-jit.so; do
  complain_about "$library needs" < <(needed_libraries "$library" |
    others_than 'libc\.so\.6|libm\.so\.6|ld-linux-x86-64\.so\.2')
done
complain_about "libjitrun.so needs" < <(needed_libraries libjitrun.so |
  grep -F libm.so || true)
# Each library takes time at every start; an empty path means the current folder.
for tool in jitrun jitrun-opt; do
  complain_about "$tool needs" < <(needed_libraries "../bin/$tool" |
    others_than 'libjitrun\.so\.0|libc\.so\.6|ld-linux-.*')
  complain_about "$tool looks for libraries in" < <(
    readelf -dW "../bin/$tool" | sed -nE 's/.*R(UN)?PATH.*\[(.*)\]/\2/p' |
      grep -E '^:|::|:$' || true)
done
complain_about "libjitrun.so exports" < <(exported_names libjitrun.so |
  others_than 'jitrun_.*|__jit_debug_(register_code|descriptor)')
complain_about "libjitrun-jit.so exports" < <(exported_names libjitrun-jit.so |
  others_than 'jitrun_jit_.*')
complain_about "libjitrun-jitrt.so exports" < <(
  exported_names libjitrun-jitrt.so |
    others_than 'jitrun_jitrt_.{1,18}|__type_id_.*|XlaCustomCallStatus.*')
for library in libjitrun.so libjitrun-jitrt.so libjitrun-jit.so; do
  [ "$(version_of $library | grep -cE '^JITRUN(_JIT|_JITRT)?_[0-9]+\.[0-9]+$')" = 1 ] ||
    complain_about "$library has no symbol version, or several" <<<"$(version_of $library)"
done
complain_about "libjitrun.a defines, with a strange or too long name" < <(
  archive_names libjitrun.a |
    others_than 'jitrun_.{1,24}|jr_.{1,21}|__[a-z0-9_]+|memrefCopy')
complain_about "libjitrun-helpers.a defines" < <(
  archive_names libjitrun-helpers.a | others_than '__[a-z0-9_]+|memrefCopy')
# The compiler's builtins for features of the CPU ask for all of them whenever a
# program starts; base/cpu.h asks at need.
complain_about "libjitrun.a needs, for a builtin" < <(
  nm -u libjitrun.a 2>/dev/null | grep -oE '__cpu_(indicator_init|model)\b' |
    sort -u || true)
[ -n "$(exported_names libjitrun.so)" ] ||
  complain_about "exports nothing" <<<libjitrun.so
[ -n "$(exported_names libjitrun-jit.so)" ] ||
  complain_about "exports nothing" <<<libjitrun-jit.so
exit $status
