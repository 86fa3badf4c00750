# SPDX-License-Identifier: GPL-2.0
"""Those of the cases that judge where the time of calls went: nothing else should run beside them."""
from cases_test import *

run_tests(ends, waits, *(quiet_moment(t) for t in (stopped, throttled)), goes_on_waiting, children, nested)
