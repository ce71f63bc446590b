#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Everything one does with this repository, one function a verb: `./do` lists
# them. The text after `#:` is a verb's help.
set -euo pipefail
cd "$(dirname "$0")"

readonly LLVM=22
readonly PACKAGES=(
  gcc libc6-dev libstdc++-12-dev cmake ninja-build pkg-config python3
  llvm-$LLVM-dev libmlir-$LLVM-dev mlir-$LLVM-tools llvm-$LLVM-tools
  clang-$LLVM lld-$LLVM clang-format-$LLVM clang-tidy-$LLVM
  libclang-rt-$LLVM-dev
  zlib1g-dev libzstd-dev libpopt-dev libxxhash-dev libcmocka-dev
  binutils-aarch64-linux-gnu qemu-user
  libc6-dev-arm64-cross libgcc-12-dev-arm64-cross
  ccache git gdb hyperfine python3-psutil python3-venv groff-base valgrind
)
# Tests of lit in which several threads or processes meet: what the thread
# sanitizer runs of it here; `./do soak` has it run all.
readonly WITH_THREADS='async|threads|replicas|reduce|gather|transfers|collective'\
'|device|world|profile|regions|deadline|endings|cache|specialize|shared'\
'|instances|globals|embed|readme'
PASSED=0
FAILED=0

heading() {
  printf '\n== %s (%s)\n' "$1" "$(date +%T)"
}

die() {
  printf 'do: %s\n' "$1" >&2
  exit 1
}

#: deps            install the Debian packages that are missing
do_deps() {
  local missing=() package
  for package in "${PACKAGES[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "deps: all ${#PACKAGES[@]} packages are installed"
    return
  fi
  command -v apt-get >/dev/null || die "deps needs apt-get; install what" \
    "corresponds to: ${missing[*]}"
  echo "deps: installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" </dev/null
  echo "deps: done"
}

is_installed() {
  dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    command -v sudo >/dev/null || die "deps must run as root, or with sudo"
    sudo "$@"
  fi
}

#: build [PRESET]  build: release (the default) in build/, others in build-*/
do_build() {
  build_preset "${1:-release}"
}

build_folder() {
  if [ "$1" = release ]; then echo build; else echo "build-$1"; fi
}

build_preset() {
  local folder log
  folder=$(build_folder "$1")
  mkdir -p "$folder"
  log=$folder/configure.log
  cmake --preset "$1" >"$log" 2>&1 || { cat "$log"; return 1; }
  ninja -C "$folder" -j "$(nproc)" --quiet || return 1
  echo "built $folder"
}

#: demo            install what is missing, build, run a program, compare
do_demo() {
  do_deps
  do_build
  examples/demo.sh
}

#: test            all tests: dev, release, sanitizers, fuzz targets, lint
do_test() {
  trap summarize EXIT
  test_preset dev
  test_preset release
  test_preset no-llvm
  test_preset asan
  test_preset tsan "$WITH_THREADS"
  heading "clang-$LLVM: warnings"
  count_one build_preset clang
  stop_if_failed
  fuzz_all 5 --seed=1
  do_lint
}

# Builds a preset, runs its unit tests, then lit, or what a pattern takes of it.
test_preset() {
  heading "$1: build"
  count_failure build_preset "$1"
  stop_if_failed
  heading "$1: unit tests"
  run_unit "$(build_folder "$1")"
  heading "$1: lit"
  run_lit "$(build_folder "$1")" "${2-.}"
  stop_if_failed
}

run_unit() {
  local log=$1/unit.log status=0
  ctest --test-dir "$1" -j "$(nproc)" --output-on-failure >"$log" 2>&1 ||
    status=$?
  [ "$status" -eq 0 ] || cat "$log"
  local failed total
  read -r failed total < <(sed -nE \
    's/.*, ([0-9]+) tests? failed out of ([0-9]+)/\1 \2/p' "$log") || true
  count "$((${total:-0} - ${failed:-0}))" "${failed:-0}" "$status"
}

# Of the tests of a build, those that a pattern takes.
run_lit() {
  local log=$1/lit.log status=0
  "/usr/lib/llvm-$LLVM/bin/lit" -v -j "$(nproc)" --filter="$2" \
    "$1/test/lit" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || grep -vE '^(PASS|UNSUPPORTED|XFAIL): ' "$log" || true
  count "$(lit_number 'Passed' "$log")" "$(lit_number 'Failed' "$log")" \
    "$status"
}

lit_number() {
  sed -nE "s/^ *$1 *: *([0-9]+).*/\1/p" "$2" | grep . || echo 0
}

# Adds passed and failed tests to the totals; a failing status without failed
# tests is one failure.
count() {
  local failed=$2
  if [ "$3" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  PASSED=$((PASSED + $1))
  FAILED=$((FAILED + failed))
  echo "passed $1, failed $failed"
}

# Runs a command that counts as one test.
count_one() {
  if "$@"; then count 1 0 0; else count 0 1 1; fi
}

# Runs a command that counts only when it fails.
count_failure() {
  "$@" || count 0 1 1
}

# Ends the run when something has failed.
stop_if_failed() {
  [ "$FAILED" -eq 0 ] || exit 1
}

summarize() {
  local status=$?
  if [ "$status" -ne 0 ] && [ "$FAILED" -eq 0 ]; then FAILED=1; fi
  printf '\n%d passed, %d failed\n' "$PASSED" "$FAILED"
  exit "$status"
}

#: lint            includes, exports, headers, format, clang-tidy, coverage
do_lint() {
  local script
  trap summarize EXIT
  count_failure build_preset dev
  count_failure build_preset release
  stop_if_failed
  for script in test/lint/*.py test/lint/*.sh; do
    heading "lint: $(basename "$script")"
    count_one "$script"
  done
  for script in jitrt ops; do
    heading "lint: coverage.sh $script"
    count_one test/coverage.sh "$script"
  done
  stop_if_failed
}

#: fmt             format every C file
do_fmt() {
  c_files | xargs -0 "clang-format-$LLVM" -i
}

c_files() {
  git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h'
}

#: bench [WHAT..]  benchmarks of the release build: start compile dispatch, kinds
#:                 load execute; peers: side by side with JAX, IREE, tvm-ffi and
#:                 MLIR's tools; --check: fail when load or peers miss an aim
do_bench() {
  do_build >&2
  bench/bench.py "$@"
}

#: values [NAME..] write the values of test/ops anew, with numpy and ml_dtypes
do_values() {
  local python=build-values/bin/python
  if [ ! -x "$python" ]; then
    python3 -m venv build-values || die "values needs python3-venv"
    "$python" -m pip install --quiet numpy==2.4.6 ml_dtypes==0.6.0
  fi
  "$python" test/ops/values.py "$@"
}

#: soak client [MINUTES]  random calls of the client API, as long (60) under each
#:                 of AddressSanitizer and ThreadSanitizer
#: soak [MINUTES]  hostile inputs, damaged and large images, each fuzz target for
#:                 as long (10), then repeat the sanitizers' tests as long
do_soak() {
  if [ "${1-}" = client ]; then
    soak_client "${2-60}"
    return
  fi
  local minutes=${1:-10} round=0 end
  trap summarize EXIT
  heading "soak: hostile inputs"
  do_build
  PATH=/usr/lib/llvm-$LLVM/bin:$PATH count_one test/hostile.py \
    build/bin/jitrun --count=1000 --seed="$(date +%s)"
  heading "soak: damaged images"
  count_one damage_images build
  count_failure build_preset asan
  stop_if_failed
  count_one damage_images build-asan
  heading "soak: large images"
  count_one test/image/large.py build
  fuzz_all "$((minutes * 60))"
  end=$((SECONDS + minutes * 60))
  while [ $SECONDS -lt $end ]; do
    round=$((round + 1))
    heading "soak: round $round"
    test_preset asan
    test_preset tsan
  done
}

soak_client() {
  local preset suppressions=$PWD/test/sanitizers
  trap summarize EXIT
  for preset in asan tsan; do
    heading "soak: client, $preset, $1 minutes"
    count_failure build_preset $preset
    stop_if_failed
    ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 \
      LSAN_OPTIONS=suppressions=$suppressions/lsan.supp:print_suppressions=0 \
      UBSAN_OPTIONS=print_stacktrace=1 \
      TSAN_OPTIONS=suppressions=$suppressions/tsan.supp:halt_on_error=1 \
      count_one build-$preset/test/soak_client --seconds=$(($1 * 60))
  done
}

#: executors       run what lit runs by both executors, and compare
do_executors() {
  trap summarize EXIT
  count_failure build_preset dev
  stop_if_failed
  local log=$PWD/build-dev/executors.log
  rm -f "$log"
  heading "executors: lit"
  # Some tests look at files that the first of the two runs has changed.
  "/usr/lib/llvm-$LLVM/bin/lit" -q -j "$(nproc)" --param "both=$log" \
    build-dev/test/lit >/dev/null || true
  cut -d' ' -f1 "$log" | sort | uniq -c
  ! grep '^different ' "$log" || count 0 1 1
  count "$(grep -c '^same ' "$log")" 0 0
}

# All of what lit does a sample of, with the tools of a build.
damage_images() {
  local folder kind seal status=0
  folder=$(mktemp -d)
  sed s/FIRST/5/ test/lit/image/Inputs/count.mlir >"$folder/count.mlir"
  for kind in o so; do
    "$1/bin/jitrun" compile "$folder/count.mlir" -o "$folder/count.$kind" ||
      status=1
    for seal in "" --sealed; do
      "$1/test/image/damage" $seal --seed="$(date +%s)" \
        "$folder/count.$kind" || status=1
    done
  done
  rm -r "$folder"
  return $status
}

# Runs every fuzz target, so many seconds each; more options go to fuzz.py.
fuzz_all() {
  local target seconds=$1
  shift
  heading "fuzz: build"
  count_failure build_preset fuzz
  stop_if_failed
  for target in build-fuzz/test/fuzz/*_fuzz; do
    heading "fuzz: $(basename "$target"), $seconds s"
    PATH=/usr/lib/llvm-$LLVM/bin:$PATH count_one test/fuzz/fuzz.py "$target" \
      --seconds="$seconds" --jobs="$(nproc)" "$@"
  done
  stop_if_failed
}

#: install         install the release build under $PREFIX (/usr/local)
do_install() {
  do_build
  cmake --install build --prefix "${PREFIX:-/usr/local}"
}

do_help() {
  echo "usage: ./do VERB"
  sed -nE 's/^#: /  /p' "$0"
}

verb=${1:-help}
[ $# -eq 0 ] || shift
declare -F "do_$verb" >/dev/null || {
  do_help >&2
  die "there is no '$verb'"
}
"do_$verb" "$@"
