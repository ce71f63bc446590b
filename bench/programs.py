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


def functions(count):
    """`count` exported functions with code of their own."""
    return "\n".join(f"""\
func.func @f{i}(%m: memref<16xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %k = arith.constant {i}.5 : f32
  scf.for %i = %c0 to %c16 step %c1 {{
    %x = memref.load %m[%i] : memref<16xf32>
    %y = arith.mulf %x, %k : f32
    %z = math.exp %y : f32
    memref.store %z, %m[%i] : memref<16xf32>
  }}
  return
}}""" for i in range(count)) + "\n"


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


LOOP_CALLS = 10


def loop_calls(count, is_custom=True):
    """`count` calls in loops of ten, each on two slices at offsets that only the
    loop knows; as custom calls, or of ordinary functions for MLIR's own tools."""
    slice_type = "memref<16xf32, strided<[1], offset: ?>>"
    types = f"({slice_type}, {slice_type})"
    lines = [f"func.func private @h{i}{types}" +
             (f' attributes {{rt.custom_call = "bench.h{i}"}}' if is_custom
              else "") for i in range(HANDLERS)]
    lines += ["func.func @main(%m: memref<256xf32>) {",
              "  %c0 = arith.constant 0 : index",
              "  %c1 = arith.constant 1 : index",
              "  %c4 = arith.constant 4 : index"]
    for i in range(count):
        handler, a, b = pick(i)
        if i % LOOP_CALLS == 0:
            lines.append(f"  scf.for %i{i} = %c0 to %c4 step %c1 {{")
            loop = f"%i{i}"
        for name, at in (("a", a), ("b", b)):
            lines += [f"    %k{name}{i} = arith.constant {at} : index",
                      f"    %o{name}{i} = arith.addi {loop}, %k{name}{i} "
                      ": index",
                      f"    %{name}{i} = memref.subview %m[%o{name}{i}] [16] "
                      f"[1] : memref<256xf32> to {slice_type}"]
        attributes = f" {{k = {i} : i32, s = 0.5 : f32}}" if is_custom else ""
        lines.append(f"    func.call @h{handler}(%a{i}, %b{i}){attributes} "
                     f": {types} -> ()")
        if i % LOOP_CALLS == LOOP_CALLS - 1 or i == count - 1:
            lines.append("  }")
    return "\n".join(lines) + "\n  return\n}\n"


def vm_calls(count):
    """The calls of calls(), as calls from IREE's VM to functions of the host:
    to be compiled, not run."""
    types = "(!vm.buffer, !vm.buffer, i32, f32) -> ()"
    lines = ["vm.module @m {"]
    lines += [f"  vm.import private @bench.h{i}(%from : !vm.buffer, "
              "%to : !vm.buffer, %k : i32, %s : f32)" for i in range(HANDLERS)]
    names = ", ".join(f"%v{i} : !vm.buffer" for i in range(SLICES))
    lines += [f"  vm.func private @main({names}) {{",
              "    %s = vm.const.f32 5.000000e-01"]
    for i in range(count):
        handler, a, b = pick(i)
        lines += [f"    %k{i} = vm.const.i32 {i}",
                  f"    vm.call @bench.h{handler}(%v{a}, %v{b}, %k{i}, %s) "
                  f": {types}"]
    return "\n".join(lines) + "\n    vm.return\n  }\n  vm.export @main\n}\n"


def vm_asks(count):
    """Calls from IREE's VM to a function that its own runtime has, which takes a
    buffer and a number and gives a number."""
    types = "(!vm.ref<!hal.buffer_view>, i32) -> i64"
    lines = ["vm.module @m {",
             "  vm.import private @hal.buffer_view.dim("
             "%v : !vm.ref<!hal.buffer_view>, %i : i32) -> i64",
             "  vm.func private @main(%v : !vm.ref<!hal.buffer_view>) -> i64 {",
             "    %c0 = vm.const.i32.zero"]
    lines += [f"    %r{i} = vm.call @hal.buffer_view.dim(%v, %c0) : {types}"
              for i in range(count)]
    return "\n".join(lines) + (f"\n    vm.return %r{count - 1} : i64\n  }}\n"
                               "  vm.export @main attributes {iree.abi.stub}\n"
                               "}\n")


# IREE compiles no program that does nothing.
HELLO_IREE = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.mulf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""

MANY = 12
CALLS_OF_A_KIND = 1000
COMPUTED_CALLS = 100  # each takes a compiler longer

# Arguments: type, and the operations that make a value of a parameter: none
# where it is passed as it is. Those after `computed` are known only at run
# time.
ARGUMENTS = {
    "i32": ("i32", None, None),
    "i32, computed": ("i32", "i32", "arith.addi %p, %p : i32"),
    "opaque": ("!rt.opaque", None, None),
    "memref": ("memref<64xf32>", None, None),
    "strided": ("memref<32xf32, strided<[2]>>", "memref<64xf32>",
                "memref.subview %p[0] [32] [2] : memref<64xf32> to "
                "memref<32xf32, strided<[2]>>"),
    "dynamic": ("memref<?xf32>", None, None),
    "dynamic, computed": ("memref<?xf32, strided<[1], offset: ?>>",
                          "memref<64xf32>",
                          "memref.subview %p[%at] [%at] [1] : memref<64xf32> "
                          "to memref<?xf32, strided<[1], offset: ?>>"),
}
ATTRIBUTES = {
    "attr": "7 : i32", "string": '"text"', "array": "array<i64: 1, 2, 3, 4>",
    "tensor": "dense<[1, 2, 3, 4]> : tensor<4xi64>",
    "dict": "{a = 1 : i32, b = 2 : i32, c = 3 : i32}",
}


def argument_calls(name, times):
    """Calls with `times` arguments of one kind."""
    wanted, given, operation = ARGUMENTS[name]
    target = f"{name.split(',')[0]}_x{times}"
    types = ", ".join([wanted] * times)
    lines = [f"func.func private @f({types}) "
             f'attributes {{rt.custom_call = "bench.{target}"}}']
    if given:
        lines += [f"func.func @main(%p: {given}, %at: index) {{",
                  f"  %v0 = {operation}"]
        names = ", ".join(["%v0"] * times)
    else:
        params = [f"%v{i}: {wanted}" for i in range(times)]
        lines.append(f"func.func @main({', '.join(params)}) {{")
        names = ", ".join(f"%v{i}" for i in range(times))
    count = COMPUTED_CALLS if "computed" in name else CALLS_OF_A_KIND
    lines += [f"  call @f({names}) : ({types}) -> ()"] * count
    return "\n".join(lines) + "\n  return\n}\n"


def result_calls(times):
    """Calls with `times` results, of which the program returns the last."""
    types = ", ".join(["i32"] * times)
    lines = [f"func.func private @f() -> ({types}) "
             f'attributes {{rt.custom_call = "bench.ret_x{times}"}}',
             f"func.func @main() -> ({types}) {{"]
    lines += [f"  %r{i}:{times} = call @f() : () -> ({types})"
              for i in range(CALLS_OF_A_KIND)]
    names = ", ".join(f"%r{CALLS_OF_A_KIND - 1}#{i}" for i in range(times))
    return "\n".join(lines) + f"\n  return {names} : {types}\n}}\n"


def attribute_calls(name, times):
    """Calls with `times` attributes of one kind; `user`: with none, handlers
    ask for user data."""
    shown = [f"{chr(97 + i)} = {ATTRIBUTES[name]}" for i in range(times)
             if name in ATTRIBUTES]
    lines = ["func.func private @f() attributes "
             f'{{rt.custom_call = "bench.{name}_x{times}"}}',
             "func.func @main() {"]
    call = f"  call @f() {{{', '.join(shown)}}} : () -> ()"
    return "\n".join(lines + [call] * CALLS_OF_A_KIND) + "\n  return\n}\n"


def kinds():
    """(name, KIND of bench/kinds.c, text) of each program."""
    for times in (1, MANY):
        for name in ARGUMENTS:
            yield (f"{name} x{times}", f"{name.split(',')[0]}_x{times}",
                   argument_calls(name, times))
        yield f"result i32 x{times}", f"ret_x{times}", result_calls(times)
        for name in [*ATTRIBUTES, "user"]:
            shown = {"attr": "attribute i32", "user": "user data"}.get(
                name, f"attribute {name}")
            yield (f"{shown} x{times}", f"{name}_x{times}",
                   attribute_calls(name, times))
