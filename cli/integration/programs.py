"""Compiles the Java programs of testdata/ for all tests: programs.py OUT."""

import pathlib
import shutil
import sys

from support import build_programs

if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    build_programs(out)
