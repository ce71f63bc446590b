# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool on a pipe, and has its child crash while it waits for that.

  kill_child.py PIPE COMMAND...
"""
import os
import pathlib
import signal
import subprocess
import sys
import time


def find_child(pid):
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    while True:
        words = children.read_text(encoding="ascii").split()
        if words:
            return int(words[0])
        time.sleep(0.01)


def main():
    pipe, *command = sys.argv[1:]
    if not os.path.exists(pipe):
        os.mkfifo(pipe)
    with subprocess.Popen(command) as tool:
        child = find_child(tool.pid)
        writer = os.open(pipe, os.O_WRONLY)  # waits for the reader
        os.kill(child, signal.SIGSEGV)
        status = tool.wait()
        os.close(writer)
    print("status", status)


if __name__ == "__main__":
    main()
