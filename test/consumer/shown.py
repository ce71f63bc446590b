#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sees that a page shows a part of an example, as it is.

  shown.py PAGE EXAMPLE
"""
import pathlib
import re
import sys


def main():
    page, example = (pathlib.Path(name).read_text() for name in sys.argv[1:])
    blocks = re.findall(r"^```c\n(.*?)^```", page, re.M | re.S)
    is_shown = any(block in example for block in blocks)
    print("shown" if is_shown else "no block of the page is in the example")
    return not is_shown


if __name__ == "__main__":
    sys.exit(main())
