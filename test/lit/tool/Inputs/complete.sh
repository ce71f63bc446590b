# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sources a completion and prints what it offers for some command lines, split
# into words as bash splits them for completion.
source "$1"

offer() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  if [ "$1" = jitrun-opt ]; then _jitrun_opt; else _jitrun; fi
  local line
  line="$* -> ${COMPREPLY[*]-}"
  printf '%s\n' "${line% }" | tr -s ' '
}

offer jitrun com
offer jitrun help b
offer jitrun a
offer jitrun run f
offer jitrun run folder/
offer jitrun --ent
offer jitrun compile --e
offer jitrun compile --entry
offer jitrun a.mlir -O
offer jitrun a.mlir --executor =
offer jitrun a.mlir --executor = j
offer jitrun a.mlir --executor t
offer jitrun compile --emit = s
offer jitrun compile --emit = o,h,m
offer jitrun compile --emit = a
offer jitrun a.mlir --device = ''
offer jitrun a.mlir --print-ir-after = t
offer jitrun a.mlir --input = @b
offer jitrun a.mlir --input.1 = @b
offer jitrun a.mlir --input = 2x
offer jitrun calls --plugin = ''
offer jitrun compile a.mlir -o b
offer jitrun devices ''
offer jitrun-opt --stage = pl
offer jitrun-opt --s
offer jitrun-opt a
