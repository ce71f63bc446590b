# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs to measure with, as MLIR text."""

HANDLERS = 16
SLICES = 16
SLICE_BYTES = 64

HELLO = """\
func.func private @noop(memref<4xf32>) \
attributes {rt.custom_call = "jitrun.noop"}
func.func @main(%x: memref<4xf32>) {
  call @noop(%x) : (memref<4xf32>) -> ()
  return
}
"""

# What mlir-runner can do of it: it calls a function of its own that prints.
HELLO_RUNNER = """\
func.func private @printF32(f32)
func.func @main() {
  %x = arith.constant 1.0 : f32
  call @printF32(%x) : (f32) -> ()
  return
}
"""


def mix_bits(x):
    """A random number of `x`; dispatch_limit.c has the same."""
    x = ((x ^ (x >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    x = ((x ^ (x >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return x ^ (x >> 16)


def pick(index):
    """Handler and the two slices of call `index`."""
    bits = mix_bits(index)
    return bits % HANDLERS, (bits >> 4) % SLICES, (bits >> 8) % SLICES


def slices(slice_type):
    """Operations that cut %m into the slices %v0, %v1, ..."""
    size = SLICES * SLICE_BYTES
    for i in range(SLICES):
        yield f"  %o{i} = arith.constant {i * SLICE_BYTES} : index"
        yield (f"  %v{i} = memref.view %m[%o{i}][] : "
               f"memref<{size}xi8> to {slice_type}")


def calls(count):
    """`count` custom calls in one function, each with two buffers and two
    attributes, over 16 targets in random order."""
    slice_type = f"memref<{SLICE_BYTES // 4}xf32>"
    types = f"({slice_type}, {slice_type})"
    lines = [f"func.func private @h{i}{types} "
             f'attributes {{rt.custom_call = "bench.h{i}"}}'
             for i in range(HANDLERS)]
    lines.append(f"func.func @main(%m: memref<{SLICES * SLICE_BYTES}xi8>) {{")
    lines.extend(slices(slice_type))
    for i in range(count):
        handler, a, b = pick(i)
        lines.append(f"  call @h{handler}(%v{a}, %v{b}) "
                     f"{{k = {i} : i32, s = 0.5 : f32}} : {types} -> ()")
    return "\n".join(lines) + "\n  return\n}\n"


def plain_calls(count):
    """The same with ordinary functions, for MLIR's own tools: attributes have
    become arguments."""
    slice_type = f"memref<{SLICE_BYTES // 4}xf32>"
    types = f"({slice_type}, {slice_type}, i32, f32)"
    lines = [f"func.func private @h{i}{types}" for i in range(HANDLERS)]
    lines.append(f"func.func @main(%m: memref<{SLICES * SLICE_BYTES}xi8>) {{")
    lines.extend(slices(slice_type))
    lines.append("  %s = arith.constant 0.5 : f32")
    for i in range(count):
        handler, a, b = pick(i)
        lines.append(f"  %k{i} = arith.constant {i} : i32")
        lines.append(f"  call @h{handler}(%v{a}, %v{b}, %k{i}, %s) "
                     f": {types} -> ()")
    return "\n".join(lines) + "\n  return\n}\n"
