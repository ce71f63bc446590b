# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a program of many calls in two forms that compute the same, bit for bit:
#
#   awk -v form=loops   300 call sites: 292 in a row, 8 in and around two nested
#                       loops; of these, one has a scalar and one a buffer of a
#                       size that are known only at run time
#   awk -v form=flat    the loops unrolled, with every operand a constant
BEGIN {
  OUTER = 4
  INNER = 3
  print "func.func private @scale(memref<64xf32>, f64)"
  print "    attributes {rt.custom_call = \"test.scale\"}"
  print "func.func private @axpy(f64, memref<64xf32>, memref<64xf32>)"
  print "    attributes {rt.custom_call = \"test.axpy\"}"
  print "func.func private @memset(memref<64xf32>, f32)"
  print "    attributes {rt.custom_call = \"jitrun.memset\"}"
  if (form == "loops") {
    print "func.func private @scale_part(memref<?xf32, strided<[2], offset: 1>>, f64)"
    print "    attributes {rt.custom_call = \"test.scale\"}"
  }
  for (n = 1; form == "flat" && n <= OUTER * INNER; n++) {
    print "func.func private @scale_" n "(memref<" n "xf32, strided<[2], offset: 1>>, f64)"
    print "    attributes {rt.custom_call = \"test.scale\"}"
  }
  print "func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {jitrun.output}) {"
  print "  %t = memref.alloc() : memref<64xf32>"
  print "  %zero = arith.constant 0.0 : f32"
  print "  func.call @memset(%t, %zero) : (memref<64xf32>, f32) -> ()"
  straight(1, 145)
  if (form == "loops")
    loops()
  else
    flat()
  straight(146, 291)
  print "  memref.dealloc %t : memref<64xf32>"
  print "  return"
  print "}"
}

function constant(text) {
  print "  %f" ++constants " = arith.constant " text " : f64"
  return "%f" constants
}

function scale(buffer, factor) {
  print "  func.call @scale(" buffer ", " factor ") : (memref<64xf32>, f64) -> ()"
}

function axpy(a, x, y) {
  print "  func.call @axpy(" a ", " x ", " y ") : (f64, memref<64xf32>, memref<64xf32>) -> ()"
}

function straight(first, last,  k) {
  for (k = first; k <= last; k++) {
    if (k % 3 == 0)
      scale("%y", constant("0.9" k % 7))
    else if (k % 3 == 1)
      axpy(constant("0.0" k), "%x", "%t")
    else
      axpy(constant("-0.3" k), "%t", "%y")
  }
}

# In iteration (i, j) the run-time scalar is i / 4 + j / 8, exactly, and the
# run-time size is INNER * i + j + 1.
function flat(  i, j, n) {
  for (i = 0; i < OUTER; i++) {
    scale("%t", constant("0.75"))
    for (j = 0; j < INNER; j++) {
      n = INNER * i + j + 1
      axpy(constant(sprintf("%.3f", i / 4 + j / 8)), "%x", "%y")
      print "  %part" n " = memref.subview %y[1] [" n "] [2]"
      print "      : memref<64xf32> to memref<" n "xf32, strided<[2], offset: 1>>"
      print "  func.call @scale_" n "(%part" n ", " constant("1.1") ")"
      print "      : (memref<" n "xf32, strided<[2], offset: 1>>, f64) -> ()"
      axpy(constant("0.01"), "%y", "%t")
      scale("%y", constant("0.97"))
    }
    axpy(constant("0.5"), "%x", "%t")
    axpy(constant("0.25"), "%t", "%y")
  }
  scale("%t", constant("0.5"))
}

function loops() {
  print "  %c0 = arith.constant 0 : index"
  print "  %c1 = arith.constant 1 : index"
  print "  %outer = arith.constant " OUTER " : index"
  print "  %inner = arith.constant " INNER " : index"
  print "  %quarter = arith.constant 0.25 : f64"
  print "  %eighth = arith.constant 0.125 : f64"
  print "  scf.for %i = %c0 to %outer step %c1 {"
  scale("%t", constant("0.75"))
  print "  scf.for %j = %c0 to %inner step %c1 {"
  print "    %before = arith.muli %i, %inner : index"
  print "    %number = arith.addi %before, %j : index"
  print "    %n = arith.addi %number, %c1 : index"
  print "    %i32 = arith.index_cast %i : index to i32"
  print "    %j32 = arith.index_cast %j : index to i32"
  print "    %i_real = arith.sitofp %i32 : i32 to f64"
  print "    %j_real = arith.sitofp %j32 : i32 to f64"
  print "    %i_part = arith.mulf %i_real, %quarter : f64"
  print "    %j_part = arith.mulf %j_real, %eighth : f64"
  print "    %a = arith.addf %i_part, %j_part : f64"
  axpy("%a", "%x", "%y")
  print "    %part = memref.subview %y[1] [%n] [2]"
  print "        : memref<64xf32> to memref<?xf32, strided<[2], offset: 1>>"
  print "    %more = arith.constant 1.1 : f64"
  print "    func.call @scale_part(%part, %more)"
  print "        : (memref<?xf32, strided<[2], offset: 1>>, f64) -> ()"
  axpy(constant("0.01"), "%y", "%t")
  scale("%y", constant("0.97"))
  print "  }"
  axpy(constant("0.5"), "%x", "%t")
  axpy(constant("0.25"), "%t", "%y")
  print "  }"
  scale("%t", constant("0.5"))
}
