# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages images of a cache in every way that a folder can be, and runs the
program again: damage.py JITRUN FOLDER PROGRAM ARGS. Prints a line each."""
import os
import shutil
import subprocess
import sys
import time

jitrun, folder, program, *args = sys.argv[1:]


def run(*more):
    command = [jitrun, program, *args, f"--cache-dir={folder}", "--stats"]
    done = subprocess.run([*command, *more], capture_output=True, text=True)
    result = done.stdout.strip().removeprefix("result[0]: ")
    uses = [line.removeprefix("jitrun: stats: cache: ")
            for line in done.stderr.splitlines() if "cache: " in line]
    return result, uses[0] if uses else done.stderr


def image():
    (name,) = os.listdir(folder)
    return os.path.join(folder, name)


def change_byte(path):
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))


def cut(path):
    os.truncate(path, os.path.getsize(path) // 2)


def empty(path):
    os.truncate(path, 0)


def swap(path):
    other = subprocess.run([jitrun, "compile", program, "-o", "other.o",
                            "--cpu=x86-64"], check=True)
    assert other.returncode == 0
    with open("other.o", "rb") as file:
        data = bytearray(file.read())
    data[-1] ^= 1
    with open(path, "wb") as file:
        file.write(data)


def exchange(path):
    """The image of another program, under this one's name."""
    text = open(program).read()
    assert "addi" in text
    with open("other.mlir", "w") as file:
        file.write(text.replace("addi", "muli"))
    subprocess.run([jitrun, "other.mlir", *args, "--cache-dir=other"],
                   check=True, capture_output=True)
    (name,) = os.listdir("other")
    shutil.move(os.path.join("other", name), path)


def make_pipe(path):
    os.unlink(path)
    os.mkfifo(path)


def open_to_all(path):
    os.chmod(path, 0o666)


def make_folder(path):
    os.unlink(path)
    os.mkdir(path)


run()
for name, damage in (("a byte changed", change_byte), ("cut in half", cut),
                     ("empty", empty), ("another's image", swap),
                     ("another program's", exchange),
                     ("a pipe", make_pipe),
                     ("writable for all", open_to_all),
                     ("a folder", make_folder)):
    damage(image())
    result, use = run()
    print(f"{name}: {result} {use}")
    if name != "a folder":
        assert run() == (result, "hit"), name

# Many processes make the same image at once.
shutil.rmtree(folder)
command = [jitrun, program, *args, f"--cache-dir={folder}"]
running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
           for _ in range(16)]
right = sum(process.communicate()[0].strip() == f"result[0]: {result}"
            for process in running)
print(f"sixteen at once: {right} right, {len(os.listdir(folder))} file")

# Five programs where there is room for four: the least used one goes. The time
# of use is that of the file, in minutes, so the files are made older first.
shutil.rmtree(folder)
names = {}
for i in range(1, 6):
    shutil.copy(program, f"p{i}.mlir")


def run_copy(i, *more):
    global program
    program = f"p{i}.mlir"
    return run(*more)


for i in range(1, 5):
    before = set(os.listdir(folder)) if os.path.isdir(folder) else set()
    run_copy(i)
    (names[i],) = set(os.listdir(folder)) - before
    old = time.time() - 10000 + 100 * i
    os.utime(os.path.join(folder, names[i]), (old, old))
sizes = [os.path.getsize(os.path.join(folder, n)) for n in names.values()]
for i in (1, 2, 3):
    assert run_copy(i)[1] == "hit"
assert run_copy(5, f"--cache-limit={sum(sizes) + min(sizes) // 2}")[1] == "stored"
left = set(os.listdir(folder))
kept = [str(i) for i in names if names[i] in left]
print("least used goes first:", " ".join(kept + ["5"] * (len(left) - len(kept))))
