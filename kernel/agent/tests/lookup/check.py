#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""check.py BUILD PROGRAMS WORKLOADS: the tests of function lookup and process list."""
import sys

import check_apart
import check_code
import check_names
import check_processes
from common import BUILD, check, finish, results, run


def check_units(program):
    done = run(BUILD + "/" + program)
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        print(line, flush=True)
        if line.startswith(("ok ", "FAIL ")):
            results.append(line.startswith("ok "))
    if done.returncode not in (0, 1):
        check(program + " end", False, done.stderr.decode()[-300:])


check_units("units")
check_units("bounded")
check_names.main()
check_apart.main()
check_processes.main()
check_code.main()
sys.exit(finish())
