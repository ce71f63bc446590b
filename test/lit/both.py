# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool as it is asked to, and the same by thunks before.

  both.py JITRUN LOG ARGUMENT...

Stands for the tool when lit is given --param both=LOG. Where thunks can run the
program, both executors have to write the same bytes and to exit with the same
status. What was done is a line of the log: same, refused (by thunks), unopened
(code cannot be made of it), crashed (code does; thunks refuse), unsteady (code
does not write the same twice), different. Commands that are not a run, that choose
an executor, or whose output tells of time or of code are left as they are.
"""
import os
import subprocess
import sys

# Of another command, of an executor, or of what only one of them has.
OTHERS = ("--executor", "--stats", "--dump", "--print-ir", "--perf", "--profile",
          "--trace", "--timeout", "--help", "--version", "--check", "--inspect",
          "--verify", "--repeat=0", "--flagfile", "--specialize", "--devices",
          "-g", "-j", "--soak", "--cache", "--client")
COMMANDS = ("compile", "inspect", "devices", "help", "calls", "bench")


def run(jitrun, arguments, given):
    done = subprocess.run([jitrun, *arguments], input=given, check=False,
                          capture_output=True)
    return done.returncode, done.stdout, done.stderr


def is_plain(arguments):
    return (bool(arguments) and arguments[0] not in COMMANDS
            and any(a.endswith((".mlir", ".o", ".so", ".mlirbc"))
                    for a in arguments)
            and not any(a.startswith(OTHERS) for a in arguments))


def compare(thunks, asked, repeat):
    # Which of several devices fails first is told to the user, but not fixed.
    if thunks == asked or (thunks[0] == asked[0] == 1 and thunks[1] == asked[1]
                           and b"on replica " in asked[2]):
        return "same"
    if b"thunks cannot" in thunks[2] or b"without native code" in thunks[2]:
        return "refused"
    if asked[0] != 0 and b"while opening" in asked[2]:
        return "unopened"
    if b" crashed: " in asked[2]:
        return "crashed"
    is_steady = all(repeat() == asked for _ in range(8))
    return "different" if is_steady else "unsteady"


def main():
    jitrun, log, *arguments = sys.argv[1:]
    if not is_plain(arguments):
        os.execv(jitrun, [jitrun, *arguments])
    given = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    verb = arguments[:1] if arguments[0] == "run" else []
    thunks = run(jitrun, [*verb, "--executor=thunks", *arguments[len(verb):]],
                 given)
    asked = run(jitrun, arguments, given)
    with open(log, "a", encoding="utf-8") as file:
        word = compare(thunks, asked, lambda: run(jitrun, arguments, given))
        file.write(f"{word} {' '.join(arguments)}\n")
    sys.stdout.buffer.write(asked[1])
    sys.stderr.buffer.write(asked[2])
    return asked[0]


if __name__ == "__main__":
    sys.exit(main())
