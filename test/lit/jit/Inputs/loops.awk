# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A program of n loops in a row, or inside a loop of two rounds (nested=1). Loop i
# adds i, as often as %n says, to a sum that all pass on, and stores it.
BEGIN {
  print "func.func private @noop(memref<?xi64>, i64)"
  print "    attributes {rt.custom_call = \"jitrun.noop\"}"
  print "func.func @main(%a: memref<400xi64>, %n: index) -> i64 {"
  print "  %c0 = arith.constant 0 : index"
  print "  %c1 = arith.constant 1 : index"
  print "  %c2 = arith.constant 2 : index"
  print "  %z = arith.constant 0 : i64"
  if (nested)
    print "  %out = scf.for %j = %c0 to %c2 step %c1 iter_args(%s0 = %z) -> i64 {"
  else
    print "  %s0 = arith.addi %z, %z : i64"
  print "  %t = memref.alloc(%n) : memref<?xi64>"
  for (i = 0; i < n; i++) {
    print "  %k" i " = arith.constant " i " : i64"
    print "  %i" i " = arith.constant " i " : index"
    print "  memref.store %k" i ", %t[%c0] : memref<?xi64>"
    print "  %s" i + 1 " = scf.for %x" i " = %c0 to %n step %c1" \
          " iter_args(%p" i " = %s" i ") -> i64 {"
    print "    %v" i " = memref.load %t[%c0] : memref<?xi64>"
    print "    %q" i " = arith.addi %p" i ", %v" i " : i64"
    if (i % 10 == 0)
      print "    func.call @noop(%t, %q" i ") : (memref<?xi64>, i64) -> ()"
    print "    scf.yield %q" i " : i64"
    print "  }"
    print "  memref.store %s" i + 1 ", %a[%i" i "] : memref<400xi64>"
  }
  print "  memref.dealloc %t : memref<?xi64>"
  if (nested) {
    print "  scf.yield %s" n " : i64"
    print "  }"
    print "  return %out : i64"
  } else
    print "  return %s" n " : i64"
  print "}"
}
