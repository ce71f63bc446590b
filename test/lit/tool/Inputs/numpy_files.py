#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that NumPy wrote, and what jitrun makes of them.

  numpy_files.py write            writes numpy.npz and numpy-deflated.npz beside
                                  this file; needs numpy and ml_dtypes, as
                                  `./do values` installs in build-values
  numpy_files.py check JITRUN DIR reads every member with jitrun, writes it again
                                  and reads that; needs neither
  numpy_files.py verify FILE...   reads files that jitrun wrote with numpy
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHIVES = ("numpy.npz", "numpy-deflated.npz")
INTEGERS = {"i1": "i8", "i2": "i16", "i4": "i32", "i8": "i64",
            "u1": "ui8", "u2": "ui16", "u4": "ui32", "u8": "ui64"}
FLOATS = {"f2": "f16", "f4": "f32", "f8": "f64"}
COMPLEX = {"c8": "complex<f32>", "c16": "complex<f64>"}
# Types of ml_dtypes, and whether the type has to be said.
OTHERS = {"bfloat16": ("bf16", False), "float8_e5m2": ("f8E5M2", False),
          "float8_e4m3fn": ("f8E4M3FN", True),
          "float8_e4m3b11fnuz": ("f8E4M3B11FNUZ", True),
          "int4": ("i4", True), "uint4": ("ui4", True)}
# How an array is written, and what is then in memory.
WAYS = ("c", "fortran", "big", "v2", "v3")


def rows(dtype):
    """The 2x3 elements of a dtype as jitrun prints them."""
    if dtype in ("i1",):
        return ["0 1 1", "1 0 0"]
    if dtype.startswith("ui"):
        return ["0 1 2", f"3 4 {2 ** int(dtype[2:]) - 1}"]
    if dtype.startswith("i"):
        low = 2 ** (int(dtype[1:]) - 1)
        return ["0 1 2", f"3 {low - 1} -{low}"]
    if dtype.startswith("complex"):
        return ["(0,0) (1,-1) (2,0.5)", "(-3,4) (inf,nan) (-0,0)"]
    if dtype == "f8E4M3B11FNUZ":
        return ["0 1 2", "0.5 -1.5 nan"]
    if dtype == "f8E4M3FN":
        return ["0 1 2", "0.5 -0 nan"]
    return ["0 1 2", "0.5 -0 -inf"]


def members():
    """(name, numpy's type, jitrun's type, way, whether it has to be said)"""
    for name, dtype in {"b1": "i1", **INTEGERS, **FLOATS, **COMPLEX}.items():
        for way in WAYS:
            yield f"{name}_{way}", name, dtype, way, False
    for name, (dtype, is_said) in OTHERS.items():
        for way in ("c", "fortran"):
            yield f"{name}_{way}", name, dtype, way, is_said


def write():
    import io
    import zipfile

    import ml_dtypes
    import numpy as np

    def number(text):
        if text.startswith("("):
            return complex(*map(float, text[1:-1].split(",")))
        return float(text) if set(text) & set(".nf") or text == "-0" else int(text)

    def encode(name, dtype, way):
        values = [[number(text) for text in row.split()] for row in rows(dtype)]
        kind = getattr(ml_dtypes, name) if name in OTHERS else np.dtype(name)
        array = np.array(values, dtype=np.uint64 if name == "u8" else None)
        array = array.astype(kind)
        if way == "fortran":
            array = np.asfortranarray(array)
        if way == "big":
            array = array.astype(array.dtype.newbyteorder(">"))
        stream = io.BytesIO()
        version = {"v2": (2, 0), "v3": (3, 0)}.get(way, (1, 0))
        np.lib.format.write_array(stream, array, version=version)
        return stream.getvalue()

    for archive, method in zip(ARCHIVES, (zipfile.ZIP_STORED,
                                          zipfile.ZIP_DEFLATED)):
        path = os.path.join(HERE, archive)
        with zipfile.ZipFile(path, "w", method) as file:
            for name, kind, dtype, way, _ in members():
                info = zipfile.ZipInfo(name + ".npy")  # without a date
                info.compress_type = method
                # As numpy.savez: sizes in the format for large files.
                with file.open(info, "w", force_zip64=True) as member:
                    member.write(encode(kind, dtype, way))


def make_program(path):
    """An entry for each type, which returns what it is given."""
    dtypes = {row[1]: row[2] for row in members()}
    with open(path, "w", encoding="utf-8") as file:
        for name, dtype in dtypes.items():
            file.write(f"func.func @{name}(%x: memref<2x3x{dtype}>) "
                       f"-> memref<2x3x{dtype}> {{\n"
                       f"  return %x : memref<2x3x{dtype}>\n}}\n")
    return dtypes


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.stderr}")
    return result.stdout


def check(jitrun, folder):
    program = os.path.join(folder, "program.mlir")
    image = os.path.join(folder, "program.so")
    make_program(program)
    run(jitrun, "compile", program, "-o", image)
    count = 0
    for name, kind, dtype, _, is_said in members():
        first, second = rows(dtype)
        expected = f"result[0]: 2x3x{dtype}=[[{first}][{second}]]\n"
        written = os.path.join(folder, kind + ".npy")
        packed = os.path.join(folder, "written.npz")
        prefix = f"2x3x{dtype}" if is_said else ""
        for archive in ARCHIVES:
            spec = f"{prefix}@{os.path.join(HERE, archive)}:{name}"
            found = run(jitrun, image, f"--entry={kind}", f"--input={spec}")
            if found != expected:
                sys.exit(f"{spec}: {found!r} instead of {expected!r}")
            # What is printed and what is written read back.
            text = found.split(": ", 1)[1].strip()
            run(jitrun, image, f"--entry={kind}", f"--input={text}",
                f"--expect={spec}", f"--output=@{written}")
            run(jitrun, image, f"--entry={kind}", f"--expect={text}",
                f"--input=2x3x{dtype}@{written}", f"--output=@{packed}:{name}")
            run(jitrun, image, f"--entry={kind}", f"--expect={text}",
                f"--input=2x3x{dtype}@{packed}")
            count += 1
    print(f"{count} members as expected")


def verify(paths):
    import numpy as np
    for path in paths:
        print(path, np.load(path).dtype, np.load(path).shape)


def main():
    if sys.argv[1:] == ["write"]:
        write()
    elif sys.argv[1] == "check":
        check(*sys.argv[2:])
    else:
        verify(sys.argv[2:])


main()
