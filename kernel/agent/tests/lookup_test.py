#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The tests of function lookup and process list, as one of the agent's tests."""
import os
import subprocess
import sys

agent = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.exit(subprocess.run(["make", "-s", "-j2", "-C", agent, "-f", "tests/lookup.mk", "check-lookup"],
                        check=False).returncode)
