# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of kinds: of arguments, attributes and results. What is added to
them is part of the program of program.py. Each row has a group; the program
has every triple of groups and every pair of rows."""
import dataclasses

import digest
from digest import Attr, BUFFER, DTYPES, DYNAMIC, OPAQUE, SCALAR, Type, Value

NUMBERS = (-1.5, 0.75, 2.0, 0.0, -0.5, 6.0)


def sample(dtype, index):
    """A value of a type as a number, different ones for different indices."""
    if dtype.parts == 2:
        return NUMBERS[index % 6], NUMBERS[(index + 2) % 6]
    if dtype.layout:
        return NUMBERS[index % 6]
    if dtype.bits == 1:
        return (index + 1) % 2
    top = 1 << (dtype.bits - 1)
    if dtype.is_signed:
        return (-3, top - 1, -top, 5, 0, -1)[index % 6]
    return (2 * top - 3, 1, top, 0, 2 * top - 1, 5)[index % 6]


def literal(dtype, number):
    """The text of a number as an element or constant of that type."""
    if dtype.parts == 2:
        return f"({number[0]}, {number[1]})"
    if dtype.bits == 1:
        return "true" if number else "false"
    return str(number)


def spec(dtype, dims, numbers):
    """The same for --input, which has no signs in names of types."""
    texts = [literal(dtype, number) if dtype.parts == 2 else str(number)
             for number in numbers]
    head = "".join(f"{size}x" for size in dims) + dtype.name.lstrip("s")
    return f"{head}={','.join(texts)}" if texts else head


def memref(dtype, dims, strides=None):
    """(text, Type) of a memref; `strides` None: the identity layout."""
    sizes = "".join(("?" if size == DYNAMIC else str(size)) + "x"
                    for size in dims)
    layout = ""
    if strides is not None:
        texts = ["?" if stride == DYNAMIC else str(stride)
                 for stride in strides]
        layout = f", strided<[{', '.join(texts)}]>"
    known = digest.dense_strides(dims) if strides is None else strides
    return (f"memref<{sizes}{dtype.name}{layout}>",
            Type(BUFFER, dtype, tuple(dims), tuple(known)))


def distinct(dtypes, kept):
    """Handlers cannot tell siN from iN: one of them is enough."""
    return [dtype for dtype in dtypes
            if dtype.name[0] != "s" or dtype.name == kept]


def numbers_of(dtype, count, first=0):
    return [sample(dtype, first + i) for i in range(count)]


def bits_of(dtype, numbers):
    return tuple(dtype.encode(number) for number in numbers)


def opaque(name):
    return name, Type(OPAQUE, digest.POINTER, name=name)


@dataclasses.dataclass
class Param:
    """A parameter of the entry."""
    name: str
    text: str
    value: Value
    spec: str
    declared: Type


def scalar_params():
    for index, dtype in enumerate(digest.SCALARS):
        number = sample(dtype, index)
        declared = Type(SCALAR, dtype)
        yield Param(f"p_{dtype.name}", dtype.name,
                    Value(declared, (dtype.encode(number),)),
                    spec(dtype, (), [number]), declared)


def buffer_param(name, dtype, dims, strides=None, found=None, at=0):
    """A memref parameter; `found` are its sizes where `dims` are open."""
    text, declared = memref(dtype, dims, strides)
    sizes = tuple(found or dims)
    known = (tuple(digest.dense_strides(sizes))
             if strides is None or DYNAMIC in strides else strides)
    full = Type(BUFFER, dtype, sizes, tuple(known))
    numbers = numbers_of(dtype, full.count(), at)
    return Param(name, text, Value(full, bits_of(dtype, numbers)),
                 spec(dtype, sizes, numbers), declared)


ELEMENTS = [DTYPES[name] for name in DTYPES]
LARGE = (6, 8)  # sizes of the buffer that views are cut from


def buffer_params():
    """(group, Param)."""
    for index, dtype in enumerate(distinct(ELEMENTS, "si16")):
        yield "buffer", buffer_param(f"b_{dtype.name}", dtype, (3,), at=index)
    shapes = [(), (2, 3), (2, 1, 3, 1, 2)]
    for index, name in enumerate(("f32", "i16", "i1", "bf16", "f8E4M3FN",
                                  "complex<f64>", "ui64", "i4")):
        dims = shapes[index % 3]
        yield "buffer", buffer_param(f"r_{name}", DTYPES[name], dims)
    yield "empty", buffer_param("z_f32", DTYPES["f32"], (2, 0, 3))
    yield "empty", buffer_param("z_i1", DTYPES["i1"], (0,))
    yield "strided", buffer_param("s_f32", DTYPES["f32"], (2, 3), (1, 8))
    yield "strided", buffer_param("s_i8", DTYPES["i8"], (2, 3), (16, 4))
    open1, open2 = (DYNAMIC,), (DYNAMIC, DYNAMIC)
    yield "dynamic", buffer_param("d_f32", DTYPES["f32"], open1, None, (4,))
    yield "dynamic", buffer_param("d_i16", DTYPES["i16"], (DYNAMIC, 4), None,
                                  (2, 4))
    yield "dynamic", buffer_param("d_c64", DTYPES["complex<f32>"], open2,
                                  None, (2, 2))
    yield "dynamic", buffer_param("d_i1", DTYPES["i1"], open1, None, (0,))
    yield "dynamic", buffer_param("d_f64", DTYPES["f64"], open2, open2, (3, 2))
    yield "dynamic", buffer_param("d_f8", DTYPES["f8E5M2"], (2, DYNAMIC),
                                  open2, (2, 3))


def opaque_params():
    """Pointers. Tokens and async values, also words, go here as well, and with
    what they hold into results()."""
    for name, number in (("!rt.opaque", 42), ("!test.value<1>", 1 << 63)):
        text, declared = opaque(name)
        yield Param(f"o_{number}", text, Value(declared, (number,)),
                    f"opaque={number}", declared)


@dataclasses.dataclass
class View:
    """A part of a parameter, cut by one operation with sizes known now."""
    name: str
    operation: str      # after `%name = `
    text: str           # of its type
    value: Value


def cut(name, source, offset, dims, strides):
    """What memref.subview gives of a row-major matrix, LARGE."""
    steps = (strides[0] * LARGE[1], strides[1])
    start = offset[0] * LARGE[1] + offset[1]
    dtype = source.value.type.dtype
    bits = tuple(source.value.bits[start + i * steps[0] + j * steps[1]]
                 for i in range(dims[0]) for j in range(dims[1]))
    text = (f"memref<{dims[0]}x{dims[1]}x{dtype.name}, strided<"
            f"[{steps[0]}, {steps[1]}], offset: {start}>>")
    operation = (f"memref.subview %{source.name}{list(offset)} {list(dims)} "
                 f"{list(strides)} : {source.text} to {text}")
    return View(name, operation, text,
                Value(Type(BUFFER, dtype, tuple(dims), steps), bits))


def view_sources():
    for name in ("f32", "i1", "bf16", "f8E4M3B11FNUZ", "complex<f64>"):
        yield buffer_param(f"l_{name}", DTYPES[name], LARGE)


def views(sources):
    for index, source in enumerate(sources):
        dims, strides = ((3, 2), (2, 3)) if index % 2 else ((2, 4), (1, 2))
        yield cut(f"v_{source.value.type.dtype.name}", source, (1, 1), dims,
                  strides)


@dataclasses.dataclass
class Global:
    """A constant memref of the program."""
    name: str
    text: str
    elements: str
    value: Value


def dense(dtype, dims, numbers):
    """Nested brackets around the elements of a tensor."""
    texts = [literal(dtype, number) for number in numbers]
    for size in reversed(dims):
        if size == 0:
            return "dense<>"
        texts = ["[" + ", ".join(texts[i:i + size]) + "]"
                 for i in range(0, len(texts), size)]
    return f"dense<{texts[0]}>"


def globals_of():
    rows = [("f32", (2, 3)), ("i1", (5,)), ("i4", (3,)), ("bf16", ()),
            ("complex<f64>", (2,)), ("f8E5M2", (4,)), ("ui16", (3,)),
            ("index", (2,)), ("f16", (0,))]
    for name, dims in rows:
        dtype = DTYPES[name]
        text, declared = memref(dtype, dims)
        numbers = numbers_of(dtype, declared.count())
        yield Global(f"g_{name}", text, dense(dtype, dims, numbers),
                     Value(declared, bits_of(dtype, numbers)))
    dtype = DTYPES["si32"]
    text, declared = memref(dtype, (2, 2))
    yield Global("g_splat", text, "dense<-3>",
                 Value(declared, bits_of(dtype, [-3] * 4)))


@dataclasses.dataclass
class Result:
    """What a call returns: of no, one or two values."""
    group: str
    types: list         # of (text, Type)


def results():
    yield Result("none", [])
    for dtype in distinct(digest.SCALARS, "si8"):
        yield Result("scalar", [(dtype.name, Type(SCALAR, dtype))])
    static = [memref(DTYPES[name], dims) for name, dims in
              (("f32", (2, 3)), ("i1", (4,)), ("f8E5M2", ()),
               ("complex<f64>", (2,)), ("bf16", (1, 2, 1, 2, 2)),
               ("i4", (3,)), ("f64", (2, 0)))]
    for pair in static:
        yield Result("buffer", [pair])
    yield Result("strided", [memref(DTYPES["f32"], (2, 2), (1, 4))])
    open2 = (DYNAMIC, DYNAMIC)
    for pair in (memref(DTYPES["f32"], (DYNAMIC,)),
                 memref(DTYPES["i16"], (DYNAMIC, DYNAMIC)),
                 memref(DTYPES["f64"], (2, DYNAMIC), open2),
                 memref(DTYPES["complex<f32>"], open2, open2)):
        yield Result("dynamic", [pair])
    yield Result("opaque", [opaque("!rt.opaque")])
    yield Result("opaque", [opaque("!test.value<1>")])
    scalars = {dtype.name: (dtype.name, Type(SCALAR, dtype))
               for dtype in digest.SCALARS}
    yield Result("two", [scalars["f64"], scalars["i32"]])
    yield Result("two", [memref(DTYPES["i32"], (DYNAMIC,)), scalars["ui8"]])


def scalar_attrs():
    for index, dtype in enumerate(distinct(digest.SCALARS, "si64")):
        number = sample(dtype, index + 1)
        text = literal(dtype, number)
        text += "" if dtype.bits == 1 else f" : {dtype.name}"
        yield Attr("scalar", text, digest.KIND_SCALAR, dtype,
                   bits=(dtype.encode(number),))


def string_attrs():
    for text, value in (('"text"', b"text"), ('""', b""),
                        (r'"a\00b\22\0A\\\FF"', b'a\0b"\n\\\xff'),
                        ('"12345678"', b"12345678")):
        yield Attr("string", text, digest.KIND_STRING, count=len(value),
                   string=value)


def array_attrs():
    for name in ("i1", "i8", "i16", "i32", "i64", "f32", "f64"):
        dtype = DTYPES[name]
        numbers = numbers_of(dtype, 3)
        texts = [literal(dtype, number) for number in numbers]
        yield Attr("dense array", f"array<{name}: {', '.join(texts)}>",
                   digest.KIND_ARRAY, dtype, count=3,
                   bits=bits_of(dtype, numbers))
        yield Attr("empty array", f"array<{name}>", digest.KIND_ARRAY, dtype)
    for dtype in distinct(digest.SCALARS, "si4"):
        numbers = numbers_of(dtype, 3, 1)
        suffix = "" if dtype.bits == 1 else f" : {dtype.name}"
        texts = [literal(dtype, number) + suffix for number in numbers]
        yield Attr("array", f"[{', '.join(texts)}]", digest.KIND_ARRAY, dtype,
                   count=3, bits=bits_of(dtype, numbers))
    yield Attr("empty array", "[]", digest.KIND_ARRAY)


def tensor_attr(group, dtype, dims, numbers, text=None):
    shape = "".join(f"{size}x" for size in dims)
    text = text or dense(dtype, dims, numbers)
    return Attr(group, f"{text} : tensor<{shape}{dtype.name}>",
                digest.KIND_TENSOR, dtype, tuple(dims), len(numbers),
                bits_of(dtype, numbers))


def tensor_attrs():
    shapes = [(3,), (2, 3), (), (2, 1, 2)]
    for index, dtype in enumerate(distinct(ELEMENTS, "si4")):
        dims = shapes[index % 4]
        count = Type(BUFFER, dtype, dims, ()).count()
        yield tensor_attr("tensor", dtype, dims, numbers_of(dtype, count))
    for name in ("i1", "i4", "ui4", "f32", "bf16", "complex<f32>",
                 "f8E4M3FN"):
        dtype = DTYPES[name]
        number = sample(dtype, 0)
        yield tensor_attr("splat", dtype, (2, 5), [number] * 10,
                          f"dense<{literal(dtype, number)}>")
    yield tensor_attr("empty tensor", DTYPES["f64"], (0,), [])
    yield tensor_attr("empty tensor", DTYPES["i1"], (2, 0, 3), [])


def dictionary(items):
    text = ", ".join(name if item.kind == digest.KIND_UNIT
                     else f"{name} = {item.text}" for name, item in items)
    return Attr("dictionary", f"{{{text}}}", digest.KIND_DICT,
                count=len(items), items=tuple(sorted(items)))


def attrs(entry):
    """All attributes; `entry` is the number of @other among the entries."""
    unit = Attr("unit", "unit", digest.KIND_UNIT)
    function = Attr("function", "@other", digest.KIND_FUNCTION, entry=entry)
    rows = [*scalar_attrs(), *string_attrs(), *array_attrs(), *tensor_attrs(),
            unit, function, dictionary([])]
    by_kind = {row.group: row for row in rows}
    inner = dictionary([("z", by_kind["string"]), ("y", unit)])
    rows.append(dictionary([("b", by_kind["scalar"]), ("a", inner),
                            ("c", by_kind["tensor"]), ("d", function)]))
    return rows + [dictionary([(f"k{i}", row)
                               for i, row in enumerate(by_kind.values())])]
