# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The digest of test/plugins/digest.c, computed without jitrun: element types
with the bits of their values, types, values, attributes, and what the handler
makes its results of."""
import dataclasses
import functools
import struct

MASK = (1 << 64) - 1
DYNAMIC = -(1 << 63)
SCALAR, BUFFER, OPAQUE = 1, 2, 3
KIND_SCALAR, KIND_STRING, KIND_ARRAY, KIND_TENSOR = 1, 2, 3, 4
KIND_DICT, KIND_UNIT, KIND_FUNCTION = 5, 6, 7


def mix(digest, word):
    digest = ((digest ^ (word & MASK)) * 0x9E3779B97F4A7C15) & MASK
    return digest ^ (digest >> 32)


def fold(digest, words):
    return functools.reduce(mix, words, digest)


def byte_words(data):
    """What fold_bytes() mixes in."""
    padded = data + bytes(-len(data) % 8)
    return [len(data), *struct.unpack(f"<{len(padded) // 8}Q", padded)]


@dataclasses.dataclass(frozen=True)
class DType:
    """An element type: its name in MLIR, number, bytes, and how numbers
    become bits: an integer of `bits`, or a float of exponent, mantissa and
    bias."""
    name: str
    number: int
    size: int
    bits: int = 0
    is_signed: bool = False
    layout: tuple = ()
    parts: int = 1

    def encode(self, value):
        """The bits of a number; of a pair of them for complex types."""
        if self.parts == 2:
            half = 4 * self.size
            return (self.encode_float(value[0]) |
                    self.encode_float(value[1]) << half)
        if self.layout:
            return self.encode_float(value)
        if self.is_signed and value < 0:  # i4 is kept as a whole byte
            return value & ((1 << (8 * self.size)) - 1)
        return value

    def encode_float(self, value):
        """Bits of a normal number, or zero, that needs no rounding."""
        exponent_bits, mantissa_bits, bias = self.layout
        if value == 0:
            return 0
        sign, number, exponent = value < 0, abs(value), bias
        while number >= 2:
            number, exponent = number / 2, exponent + 1
        while number < 1:
            number, exponent = number * 2, exponent - 1
        mantissa = (number - 1) * (1 << mantissa_bits)
        assert mantissa == int(mantissa)
        assert 0 < exponent < 1 << exponent_bits
        return (sign << (exponent_bits + mantissa_bits) |
                exponent << mantissa_bits | int(mantissa))

    def words(self, bits):
        """What fold_element() mixes in for a value of those bits."""
        return [bits] if self.size <= 8 else [bits & MASK, bits >> 64]

    def make(self, seed, first):
        """An element of random bits, and how many words it took."""
        if self.size > 8:
            return mix(seed, first) | mix(seed, first + 1) << 64, 2
        return self.clip(mix(seed, first)), 1

    def clip(self, bits):
        """As make_word()."""
        if bits >> 60 == 0 and self.name in ("bf16", "f16"):
            return {"bf16": 0x7F81, "f16": 0x7C01}[self.name]
        if self.number == 1:
            return bits & 1
        if self.number == 22:
            return bits & 15
        if self.number == 21:
            return (bits & 15) | (0xF0 if bits & 8 else 0)
        return bits & ((1 << (8 * min(self.size, 8))) - 1)


def _integers():
    yield DType("i1", 1, 1, bits=1)
    for bits, signed, unsigned in ((4, 21, 22), (8, 2, 6), (16, 3, 7),
                                   (32, 4, 8), (64, 5, 9)):
        size = max(bits // 8, 1)
        for prefix in ("i", "si"):
            yield DType(f"{prefix}{bits}", signed, size, bits, True)
        yield DType(f"ui{bits}", unsigned, size, bits)
    yield DType("index", 5, 8, 64, True)


FLOATS = [DType("bf16", 16, 2, layout=(8, 7, 127)),
          DType("f16", 10, 2, layout=(5, 10, 15)),
          DType("f32", 11, 4, layout=(8, 23, 127)),
          DType("f64", 12, 8, layout=(11, 52, 1023)),
          DType("f8E5M2", 19, 1, layout=(5, 2, 15)),
          DType("f8E4M3FN", 20, 1, layout=(4, 3, 7)),
          DType("f8E4M3B11FNUZ", 23, 1, layout=(4, 3, 11)),
          DType("f8E5M2FNUZ", 24, 1, layout=(5, 2, 16)),
          DType("f8E4M3FNUZ", 25, 1, layout=(4, 3, 8))]
COMPLEX = [DType("complex<f32>", 15, 8, layout=(8, 23, 127), parts=2),
           DType("complex<f64>", 18, 16, layout=(11, 52, 1023), parts=2)]
SCALARS = [*_integers(), *FLOATS]
DTYPES = {dtype.name: dtype for dtype in SCALARS + COMPLEX}
POINTER = DType("opaque", 14, 8)


def dense_strides(dims):
    """Row-major; left of a dynamic size all are unknown, of a zero 0."""
    strides, stride = [], 1
    for size in reversed(dims):
        strides.insert(0, stride)
        is_known = DYNAMIC not in (stride, size)
        stride = stride * size if is_known else DYNAMIC
    return strides


@dataclasses.dataclass(frozen=True)
class Type:
    """A type as handlers see it."""
    kind: int
    dtype: DType
    dims: tuple = ()
    strides: tuple = ()
    name: str = ""

    def words(self):
        """What fold_type() mixes in."""
        head = self.kind | self.dtype.number << 8 | len(self.dims) << 16
        if self.kind == OPAQUE:
            return [head, *byte_words(self.name.encode())]
        return [head, *self.dims, *self.strides]

    def count(self):
        count = 1
        for size in self.dims:
            count *= size
        return count

    def with_dims(self, dims):
        """The type of a result of these sizes."""
        if DYNAMIC not in self.dims + self.strides:
            return self
        strides = dense_strides(dims)
        if self.strides[-1] == DYNAMIC:  # by columns
            strides, stride = [], 1
            for size in dims:
                strides.append(stride)
                stride *= max(size, 1)
        known = [a if a != DYNAMIC else b
                 for a, b in zip(self.strides, strides)]
        return dataclasses.replace(self, dims=tuple(dims),
                                   strides=tuple(known))


@dataclasses.dataclass(frozen=True)
class Value:
    """A value of a type: the bits of its elements, row-major."""
    type: Type
    bits: tuple

    @functools.cached_property
    def words(self):
        """What fold_arg() mixes in."""
        words = self.type.words()
        for bits in self.bits:
            words += self.type.dtype.words(bits)
        return words


def make_result(declared, digest, number):
    """What the handler gives as its result `number`."""
    seed = mix(digest, 1000 + number)
    if declared.kind != BUFFER:
        return Value(declared, (declared.dtype.clip(seed),))
    dims = [mix(seed, i) % 4 if size == DYNAMIC else size
            for i, size in enumerate(declared.dims)]
    found = declared.with_dims(dims)
    elements, first = [], 100
    for _ in range(found.count()):
        bits, used = declared.dtype.make(seed, first)
        elements.append(bits)
        first += used
    return Value(found, tuple(elements))


@dataclasses.dataclass(frozen=True)
class Attr:
    """An attribute's value: its text in MLIR and what handlers see."""
    group: str
    text: str
    kind: int
    dtype: DType = None
    dims: tuple = ()
    count: int = 0
    bits: tuple = ()        # of the scalar or the elements
    string: bytes = b""
    items: tuple = ()       # of (name, Attr), sorted
    entry: int = 0

    def head(self):
        number = self.dtype.number if self.dtype else 0
        return [self.kind | number << 8 | len(self.dims) << 16, self.count,
                *self.dims]

    def data(self):
        size = self.dtype.size if self.dtype else 1
        return b"".join(bits.to_bytes(size, "little") for bits in self.bits)

    def words(self, name):
        """What fold_attr(), with the items of a dictionary, mixes in."""
        words = byte_words(name.encode()) + self.head()
        if self.kind == KIND_SCALAR:
            words += self.dtype.words(self.bits[0])
        elif self.kind == KIND_STRING:
            words += byte_words(self.string + b"\0")
        elif self.kind in (KIND_ARRAY, KIND_TENSOR):
            words += byte_words(self.data())
        elif self.kind == KIND_FUNCTION:
            words.append(self.entry)
        for key, item in self.items:
            words += item.words(key)
        return words


def site_words(target, args, results, attrs):
    """What fold_site() mixes in; `args` and `results` as declared, `attrs` of
    (name, Attr)."""
    words = byte_words(target.encode()) + [len(args), len(results)]
    for declared in [*args, *results]:
        words += declared.words()
    for name, attr in sorted(attrs):
        words += attr.words(name)
    return words
