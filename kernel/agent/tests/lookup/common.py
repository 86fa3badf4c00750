# SPDX-License-Identifier: GPL-2.0
"""What the tests of function lookup share."""
import json
import subprocess
import sys

BUILD, PROGRAMS, WORKLOADS = sys.argv[1:4]
RET, JUMP, JUMP_COND, JUMP_REG, JUMP_MEM = range(5)
EMULATED, SINGLE_STEPPED = 1, 2
URETPROBE, SITES = 1, 2
FAILED, BAD_REQUEST, NO_SUCH_PROCESS, NO_SUCH_BINARY, STRIPPED, NO_SUCH_FUNCTION = 1, 2, 3, 5, 6, 7
NO_PERMISSION, UNSUPPORTED, TOO_MANY = 9, 10, 12
results = []


def check(name, good, figure=""):
    results.append(bool(good))
    print("ok" if good else "FAIL", name, str(figure).replace("\n", " "), flush=True)
    return good


def run(*command, timeout=600, **options):
    return subprocess.run(command, capture_output=True, timeout=timeout, check=False, **options)


def find(binary, pattern, pid=0, limit=0, sanitized=True):
    """What lookup says: the header or error, and the functions."""
    tool = BUILD + ("/find-asan" if sanitized else "/find")
    done = run(tool, str(pid), binary, pattern, str(limit), timeout=600)
    if done.returncode not in (0, 1):
        raise AssertionError(f"find {binary} {pattern}: {done.returncode} {done.stderr.decode()}")
    lines = [json.loads(line, strict=True) for line in done.stdout.decode("utf-8").split("\n")
             if line]
    return lines[0], lines[1:]


def finish():
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1
