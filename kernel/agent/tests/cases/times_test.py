# SPDX-License-Identifier: GPL-2.0
"""Those of the cases that judge how long calls took."""
from cases_test import *

run_tests(ends)
