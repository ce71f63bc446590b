# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tool on a program that prints a line and goes on, and sends a signal
once it has: to the tool, its child, or both, as a terminal does. Ends when all
that have the tool's output are gone.

  send_signal.py tool|child|group SIGNAL COMMAND...
"""
import os
import signal
import subprocess
import sys

import kill_child


def main():
    whom, name, *command = sys.argv[1:]
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # may be inherited as ignored
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT,
                          start_new_session=True) as tool:
        print(tool.stdout.readline(), end="")
        number = signal.Signals[name]
        if whom == "group":
            os.killpg(tool.pid, number)
        else:
            os.kill(tool.pid if whom == "tool"
                    else kill_child.find_child(tool.pid), number)
        try:
            rest, _ = tool.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(tool.pid, signal.SIGKILL)
            raise
    print(rest, end="")
    print("status", tool.returncode)


if __name__ == "__main__":
    main()
