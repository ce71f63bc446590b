#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the tool what nobody should: damaged and absurd programs, bytecode,
images, arrays and flags, generated from a seed.

  hostile.py JITRUN [--count=N] [--seed=N] [--jobs=N] [--only=KIND]

Whatever it is given, the tool ends within 10 seconds and 2 GiB, with status 0,
1, 2 or 4 (3 where it compares with an array that may be damaged), never by a
signal, and says why on standard error when the status is not 0. Both are measured: the memory is the most that the tool or the process it
works in had resident at once. What does otherwise is kept in a folder that is
named, with its command.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT_S = 10
LIMIT_MIB = 2048
LIMITS = ["--timeout=6", "--memory-limit=2G"]
NUMBERS = ["0", "-1", "1", "4294967296", "9223372036854775807",
           "-9223372036854775808", "1000000000000", "65536", "?", "1e308"]
WORDS = ["[", "]", "(", ")", "{", "}", "<", ">", "->", "%0", "@main", "^bb0",
         "dense", "tensor<", "memref<?x", "vector<", "affine_map<", "index",
         "f32", "i4", "loc(", "func.func", "rt.export", "attributes", "\"",
         "array<", "strided<[", "scf.for", "async.execute", "cf.br", "//"]
OPTIONS = ["--entry", "--input", "--expect", "--executor", "--atol", "--rtol",
           "--repeat", "--replicas", "--partitions", "--cpu", "--plugin",
           "--shared-libs", "--specialize", "--json", "--stats", "--full",
           "--check", "-O", "--flagfile", "--target", "--emit", "--prefix",
           "--output", "--none"]
VALUES = ["", "main", "0", "-1", "1", "17", "1e999", "nan", "auto", "jit",
          "thunks", "always", "f32=1", "2xf32=1,2", "2xf32=1,2,3", "?xf32",
          "99999999999999999999xf32", "1000000000000xi8", "@/dev/null",
          "@/none", "@", "-", "(ignored)", "i1=2", "bf16=nan", "complex<f32>=1",
          "[[[[", "2x2xf32=[[1 2][3]]", "4xf32=0x", "\x01\x02", "i64=" + "9" * 400,
          "x" * 5000, "2x" * 3000 + "f32"]


def corpus():
    """The programs of the tests and examples, in a fixed order."""
    files = sorted(ROOT.glob("test/lit/**/*.mlir")) + sorted(
        ROOT.glob("examples/*.mlir"))
    return [path.read_bytes() for path in files]


def flip(rng, data, most):
    """Changes some bytes, or cuts the end off."""
    data = bytearray(data)
    if data and rng.random() < 0.2:
        del data[rng.randrange(len(data)):]
    for _ in range(rng.randint(1, most)):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def mutate_text(rng, text):
    """One change of a program that a person or a generator could make."""
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + rng.randint(1, 200))
    choice = rng.randrange(7)
    if choice == 0:
        return text[:at]
    if choice == 1:
        return text[:at] + text[end:]
    if choice == 2:
        return text[:end] + text[at:end] * rng.choice([1, 2, 50]) + text[end:]
    if choice == 3:
        return text[:at] + rng.choice(WORDS).encode() + text[at:]
    if choice == 4:
        digits = [i for i in range(len(text)) if text[i:i + 1].isdigit()]
        if digits:
            at = rng.choice(digits)
        return text[:at] + rng.choice(NUMBERS).encode() + text[at + 1:]
    if choice == 5:
        return flip(rng, text, 5)
    other = rng.choice(CORPUS)
    return text[:at] + other[rng.randrange(len(other)):]


def make_text(rng, folder):
    text = rng.choice(CORPUS)
    for _ in range(rng.randint(1, 4)):
        text = mutate_text(rng, text)
    return write(folder, "hostile.mlir", text), run_flags(rng)


def make_nested(rng, folder):
    depth = rng.choice([100, 450, 499, 501, 5000, 60000])
    forms = [
        ("module attributes {jit.a = ", "[", "", "]", "} {}"),
        ("", "module {\n", "", "}\n", ""),
        ("func.func private @f(", "tuple<", "i32", ">", ")"),
        ("func.func private @f(", "() -> (", "", ")", ")"),
        ("#m = affine_map<(d0) -> (", "(", "d0", ")", ")>"),
        ("#m = affine_map<(d0) -> (", "-", "d0", "", ")>"),
        ("#m = affine_map<(d0) -> (", "d0 + ", "d0", "", ")>"),
        ("#m = affine_map<(d0) -> (", "2 * ", "d0", "", ")>"),
        ("func.func @f(%a: memref<", "1x", "f32", "", ">) { return }"),
        ("func.func @f(%a: memref<", "?x", "f32", "", ">) { return }"),
        ("func.func @f() { %c = arith.constant ", "9", "", "", " : i64 return }"),
        ("func.func @f() { return loc(", "callsite(", "\"a\"",
         " at \"b\")", ") }"),
        ("func.func @f() {", " scf.execute_region {", "", " scf.yield }",
         " return }"),
        ("func.func @f() { return } // ", "(", "", "", ""),
        ("func.func private @f(", "complex<", "f32", ">", ")"),
        ("func.func @f() attributes {jit.a = ", "{b = ", "1", "}", "} {return}"),
    ]
    head, left, middle, right, tail = rng.choice(forms)
    text = head + left * depth + middle + right * depth + tail + "\n"
    return write(folder, "hostile.mlir", text.encode()), run_flags(rng)


def make_large(rng, folder):
    """Types, constants and vectors of absurd sizes."""
    n, m = rng.choice(NUMBERS[3:8]), rng.choice(["1", "4", "65536", "1000000"])
    kind = rng.choice(["tensor", "memref", "vector"])
    element = rng.choice(["f32", "i8", "index", "i1", "complex<f64>", "i4096"])
    forms = [
        f"func.func @f() -> tensor<{n}x{m}xf32> {{ %c = arith.constant "
        f"dense<1.0> : tensor<{n}x{m}xf32> return %c : tensor<{n}x{m}xf32> }}",
        f"func.func @f(%a: {kind}<{n}x{m}x{element}>) {{ return }}",
        f"func.func @f(%a: f32) -> f32 {{ %v = vector.broadcast %a : f32 to "
        f"vector<{m}x4xf32> %x = vector.extract %v[0, 0] : f32 from "
        f"vector<{m}x4xf32> return %x : f32 }}",
        f"func.func @f() {{ %m = memref.alloca() : memref<{n}xi8> "
        f"%c = arith.constant 0 : index %x = arith.constant 1 : i8 "
        f"memref.store %x, %m[%c] : memref<{n}xi8> return }}",
        f"memref.global constant @g : memref<{n}xf32> = dense<2.0>\n"
        f"func.func @f() -> f32 {{ %m = memref.get_global @g : memref<{n}xf32> "
        f"%c = arith.constant 0 : index %x = memref.load %m[%c] : "
        f"memref<{n}xf32> return %x : f32 }}",
        f"func.func @f() {{ %c = arith.constant {n} : index %m = "
        f"memref.alloc(%c) : memref<?x{m}xf64> memref.dealloc %m : "
        f"memref<?x{m}xf64> return }}",
    ]
    return (write(folder, "hostile.mlir", rng.choice(forms).encode()),
            run_flags(rng) + ["--input=f32=1"] * rng.randint(0, 1))


def make_faulty(rng, folder):
    """Well-formed programs that go wrong when they run."""
    i = rng.choice(["1000000000000", "-1000000000000", "9223372036854775807"])
    forms = [
        f"func.func @f(%m: memref<4xf32>) -> f32 {{ %c = arith.constant {i} : "
        "index %x = memref.load %m[%c] : memref<4xf32> return %x : f32 }",
        f"func.func @f(%m: memref<4xf32>) {{ %c = arith.constant {i} : index "
        "%x = arith.constant 1.0 : f32 memref.store %x, %m[%c] : memref<4xf32> "
        "return }",
        "func.func @f(%m: memref<4xf32>) -> i32 { %a = arith.constant 7 : i32 "
        "%z = arith.constant 0 : i32 %d = arith.divsi %a, %z : i32 return %d : "
        "i32 }",
        "func.func @f(%m: memref<4xf32>) { cf.br ^a\n^a: cf.br ^a }",
        "func.func private @g(%n: i32) -> i32 { %r = func.call @g(%n) : (i32) "
        "-> i32 %s = arith.addi %r, %n : i32 return %s : i32 }\n"
        "func.func @f(%m: memref<4xf32>) -> i32 { %n = arith.constant 1 : i32 "
        "%r = call @g(%n) : (i32) -> i32 return %r : i32 }",
        "func.func @f(%m: memref<4xf32>) { %z = arith.constant false "
        "cf.assert %z, \"{0} %s %n\" return }",
        "func.func @f(%m: memref<4xf32>) { %c0 = arith.constant 0 : index "
        "%c1 = arith.constant 1 : index %n = arith.constant 100000000 : index "
        "scf.for %i = %c0 to %n step %c1 { %a = memref.alloc(%n) : "
        "memref<?xi8> %x = arith.constant 1 : i8 memref.store %x, %a[%i] : "
        "memref<?xi8> } return }",
    ]
    flags = rng.sample(["--check", "-O0", "--replicas=2"], rng.randint(0, 2))
    return (write(folder, "hostile.mlir", rng.choice(forms).encode()),
            flags + ["--input=4xf32=1"])


def make_bytecode(rng, folder):
    data = rng.choice(BYTECODE)
    return (write(folder, "hostile.mlirbc", flip(rng, data, 8)),
            run_flags(rng))


def make_image(rng, folder):
    suffix, data = rng.choice(IMAGES)
    return (write(folder, "hostile" + suffix, flip(rng, data, 8)),
            run_flags(rng) + ["--input=f32=2", "--input=4xf32=1",
                              "--input=4xf32"])


def make_array(rng, folder):
    """A .npy file whose header lies or is damaged."""
    shape = rng.choice(["(4,)", "()", "(4", "(2, 2)", "(99999999999,)",
                        "(4,) * 9", "(-4,)", "(0,)"])
    order = rng.choice(["True", "False", "None"])
    dtype = rng.choice(["<f4", ">f4", "|O", "<f9", "<U3", "|b1", "", "<f4" * 99])
    text = (f"{{'descr': '{dtype}', 'fortran_order': {order}, "
            f"'shape': {shape}, }}").encode()
    version = rng.choice([1, 2, 3, 4, 255])
    head = struct.pack("<H" if version == 1 else "<I", len(text) + 1)
    data = b"\x93NUMPY" + bytes([version, 0]) + head + text + b"\n"
    data += struct.pack("<4f", 1, 2, 3, 4)
    if rng.random() < 0.7:
        data = flip(rng, data, 3)
    array = write(folder, "hostile.npy", data)
    program = write(folder, "hostile.mlir", IDENTITY)
    option = rng.choice(["--input=@", "--expect=@", "--input=4xf32@"])
    return program, [option + str(array)] + ["--input=4xf32=1"] * (
        option == "--expect=@")


def make_flags(rng, folder):
    flags = []
    for _ in range(rng.randint(1, 6)):
        option, value = rng.choice(OPTIONS), rng.choice(VALUES)
        if option == "--output" and value.startswith("@"):
            value = "-"
        if option == "--flagfile":
            value = str(write(folder, "flags", "\n".join(
                rng.choice(OPTIONS[:-6]) + "=" + rng.choice(VALUES)
                for _ in range(5)).encode()))
        flags.append(option + ("=" + value if rng.random() < 0.9 else ""))
    return write(folder, "hostile.mlir", IDENTITY), flags


MAKERS = {"text": make_text, "nested": make_nested, "large": make_large,
          "faulty": make_faulty, "bytecode": make_bytecode,
          "image": make_image, "array": make_array, "flags": make_flags}
# How many of each there are among 20.
SHARES = ["text"] * 6 + ["nested"] * 3 + ["large"] * 2 + ["faulty"] * 1 + [
    "bytecode"] * 3 + ["image"] * 2 + ["array"] * 2 + ["flags"] * 1
IDENTITY = (b"func.func @f(%a: memref<4xf32>) attributes {rt.exported} "
            b"{ return }\n")
CORPUS = corpus()
BYTECODE, IMAGES = [], []
# A crash that the supervisor turns into an error is right; this shows them.
KEEP_CRASHES = "HOSTILE_KEEP_CRASHES" in os.environ


def write(folder, name, data):
    path = pathlib.Path(folder, name)
    path.write_bytes(data)
    return path


def run_flags(rng):
    return rng.sample(["--check", "-O0", "--executor=thunks",
                       "--stats", "--input=4xf32=1"], rng.randint(0, 1))


def prepare(jitrun, folder):
    """Makes the bytecode and the images that are damaged later."""
    opt = shutil.which("mlir-opt") or shutil.which("mlir-opt-22")
    for i, text in enumerate(CORPUS[::8]):
        source = write(folder, f"{i}.mlir", text)
        if opt:
            done = subprocess.run(
                [opt, "--emit-bytecode", "--allow-unregistered-dialect", source],
                capture_output=True, check=False)
            if done.returncode == 0:
                BYTECODE.append(done.stdout)
    if not BYTECODE:
        BYTECODE.append(b"ML\xefR\x0d\0\x00\x03\x03")
    for suffix in (".o", ".so"):
        path = pathlib.Path(folder, "axpy" + suffix)
        subprocess.run([jitrun, "compile", ROOT / "examples/axpy.mlir", "-o",
                        path], check=True)
        IMAGES.append((suffix, path.read_bytes()))


class Ending:
    """How a command ended, and what it took."""

    def __init__(self, command, folder):
        err_path = os.path.join(folder, "hostile.stderr")
        self.command = command
        start = time.monotonic()
        with open(err_path, "wb") as err:
            # A group of its own, so that no child stays behind.
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=err, cwd=folder, start_new_session=True)
        timer = threading.Timer(LIMIT_S + 5, os.killpg,
                                (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        self.seconds = time.monotonic() - start
        self.status = process.returncode = os.waitstatus_to_exitcode(status)
        self.mib = usage.ru_maxrss / 1024
        self.stderr = pathlib.Path(err_path).read_bytes()


def judge(ending):
    """What is wrong with how the tool ended, or None."""
    if ending.seconds > LIMIT_S:
        return f"took {ending.seconds:.1f} s"
    if ending.mib > LIMIT_MIB:
        return f"took {ending.mib:.0f} MiB"
    statuses = (0, 1, 2, 4)
    if any(part.startswith("--expect=") for part in ending.command):
        statuses += (3,)  # what was damaged was a value
    if ending.status not in statuses:
        return f"ended with status {ending.status}"
    if ending.status != 0 and b"jitrun: error: " not in ending.stderr:
        return f"ended with status {ending.status} and no error"
    return None


def run_case(jitrun, folder, kind, seed):
    """Runs one; its complaint or None, how it ended in words, its command, and
    its ending."""
    rng = random.Random(f"{kind} {seed}")
    os.makedirs(folder)
    path, flags = MAKERS[kind](rng, folder)
    verb = rng.choice(["run"] * 8 + ["inspect"])
    if verb == "inspect":
        flags = []
    command = [jitrun, verb, str(path), *flags, *LIMITS]
    command = [part.replace("\0", "") for part in command]
    ending = Ending(command, folder)
    complaint = judge(ending)
    name = f"status {ending.status}"
    for word in (b" crashed: ", b" aborted"):
        if word in ending.stderr:
            name = "caught crash"
            if KEEP_CRASHES:
                complaint = ending.stderr.decode(errors="replace").split("\n")[0]
    if complaint is None:
        shutil.rmtree(folder)
    return complaint, name, command, ending


def run_all(options, folder):
    failures, endings, most = [], {}, [0, 0]
    kinds = [options.only] if options.only else SHARES
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [
            pool.submit(run_case, options.jitrun, os.path.join(folder, str(i)),
                        kinds[i % len(kinds)], options.seed * 1000003 + i)
            for i in range(options.count)]
        for future in futures:
            complaint, name, command, ending = future.result()
            endings[name] = endings.get(name, 0) + 1
            most = [max(most[0], ending.seconds), max(most[1], ending.mib)]
            if complaint:
                failures.append(f"{complaint}: {' '.join(command)[:2000]}")
    return failures, endings, most


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jitrun", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=sorted(MAKERS))
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="hostile.")
    prepare(options.jitrun, folder)
    failures, endings, most = run_all(options, folder)
    print(f"hostile: seed {options.seed}, {options.count} inputs;",
          ", ".join(f"{ending}: {count}" for ending, count in
                    sorted(endings.items())))
    print(f"hostile: at most {most[0]:.1f} s of {LIMIT_S}, {most[1]:.0f} MiB of "
          f"{LIMIT_MIB}")
    for failure in failures:
        print("hostile:", failure)
    if failures:
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
