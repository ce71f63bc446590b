# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments that only native code can give: values that control flow selects,
views whose place, sizes and strides are computed, memory from an allocation
of unknown size."""
import digest
import tables
from digest import BUFFER, DTYPES, DYNAMIC, OPAQUE, SCALAR, Type, Value

OPEN = (DYNAMIC, DYNAMIC)
VIEWED = ("f32", "i1", "i4", "bf16", "f8E4M3FN", "complex<f64>", "ui16")


def clean(name):
    return "".join(c if c.isalnum() else "_" for c in name)


def given(name, dtype, number):
    declared = Type(SCALAR, dtype)
    return tables.Param(name, dtype.name,
                        Value(declared, (dtype.encode(number),)),
                        tables.spec(dtype, (), [number]), declared)


def params():
    yield given("yes", DTYPES["i1"], 1)
    for name, number in (("one", 1), ("two", 2), ("three", 3)):
        yield given(name, DTYPES["index"], number)
    for index, dtype in enumerate(digest.SCALARS):
        for side in ("x", "y"):
            number = tables.sample(dtype, index + (side == "y"))
            yield given(f"{side}_{clean(dtype.name)}", dtype, number)
    for side, number in (("x", 77), ("y", 78)):
        text, declared = tables.opaque("!rt.opaque")
        yield tables.Param(f"{side}_opaque", text,
                           Value(declared, (number,)), f"opaque={number}",
                           declared)
    for name in VIEWED:
        yield tables.buffer_param(f"l_{clean(name)}", DTYPES[name],
                                  tables.LARGE)
    yield tables.buffer_param("m_f64", DTYPES["f64"], OPEN, OPEN, (3, 4))


def values(program, parameters):
    """(group, text of the type, name, Value, Type at the site) of each; adds
    the operations."""
    by_name = {param.name: param for param in parameters}
    yield from selected(program, by_name)
    for name in VIEWED:
        yield from views(program, by_name[f"l_{clean(name)}"])
    yield from casts(program, by_name["l_f32"], by_name["m_f64"])
    yield from allocated(program)


def define(program, group, name, operation, text, declared, value):
    program.add(f"%{name} = {operation}")
    return group, text, f"%{name}", value, declared


def selected(program, by_name):
    """Values that scf.if yields."""
    names = [clean(dtype.name) for dtype in digest.SCALARS] + ["opaque"]
    for index, name in enumerate(names):
        first, second = by_name[f"x_{name}"], by_name[f"y_{name}"]
        text = first.text
        sides = [(first, second), (second, first)][index % 2]
        operation = (f"scf.if %yes -> {text} {{ scf.yield %{sides[0].name} : "
                     f"{text} }} else {{ scf.yield %{sides[1].name} : "
                     f"{text} }}")
        is_opaque = first.declared.kind == OPAQUE
        yield define(program, f"computed {'opaque' if is_opaque else 'scalar'}",
                     f"if_{name}", operation, text, first.declared,
                     sides[0].value)


def pick(value, start, dims, strides):
    """A view: elements from `start` on."""
    bits = tuple(value.bits[start + i * strides[0] + j * strides[1]]
                 for i in range(dims[0]) for j in range(dims[1]))
    return Value(Type(BUFFER, value.type.dtype, dims, strides), bits)


def views(program, source):
    dtype = source.value.type.dtype
    columns = tables.LARGE[1]
    name = clean(dtype.name)
    text, declared = tables.memref(dtype, OPEN, OPEN)
    text = text.replace("]>>", "], offset: ?>>")
    yield define(
        program, "computed view", f"sub_{name}",
        f"memref.subview %{source.name}[%one, %two] [%two, %three] "
        f"[%three, %two] : {source.text} to {text}", text, declared,
        pick(source.value, columns + 2, (2, 3), (3 * columns, 2)))
    text, declared = tables.memref(dtype, (2, 2), (columns, 1))
    text = text.replace("]>>", "], offset: ?>>")
    yield define(
        program, "computed place", f"at_{name}",
        f"memref.subview %{source.name}[%three, %one] [2, 2] [1, 1] : "
        f"{source.text} to {text}", text, declared,
        pick(source.value, 3 * columns + 1, (2, 2), (columns, 1)))


def casts(program, large, matrix):
    columns = tables.LARGE[1]
    text, _ = tables.memref(DTYPES["f32"], OPEN)  # the sizes stay known
    yield define(program, "cast", "cast", f"memref.cast %{large.name} : "
                 f"{large.text} to {text}", text, large.declared, large.value)
    text, declared = tables.memref(DTYPES["f32"], (3, 2), (-columns, 2))
    text = text.replace("]>>", "], offset: 40>>")
    yield define(program, "cast", "back",
                 f"memref.reinterpret_cast %{large.name} to offset: [40], "
                 f"sizes: [3, 2], strides: [{-columns}, 2] : {large.text} to "
                 f"{text}", text, declared,
                 pick(large.value, 40, (3, 2), (-columns, 2)))
    rows, width = matrix.value.type.dims
    yield define(program, "cast", "turned",
                 f"memref.transpose %{matrix.name} (i, j) -> (j, i) : "
                 f"{matrix.text} to {matrix.text}", matrix.text,
                 matrix.declared,
                 pick(matrix.value, 0, (width, rows), (1, width)))


def allocated(program):
    """Memory that the program fills with 0, 1, 2."""
    text, declared = tables.memref(DTYPES["i64"], (DYNAMIC,))
    full = Type(BUFFER, DTYPES["i64"], (3,), (1,))
    row = define(program, "allocated", "new", f"memref.alloc(%three) : {text}",
                 text, declared, Value(full, (0, 1, 2)))
    for line in ("%zero = arith.constant 0 : index",
                 "scf.for %i = %zero to %three step %one {",
                 "  %k = arith.index_cast %i : index to i64",
                 f"  memref.store %k, %new[%i] : {text}", "}"):
        program.add(line)
    yield row
