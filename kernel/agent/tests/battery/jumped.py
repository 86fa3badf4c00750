# SPDX-License-Identifier: GPL-2.0
"""
The battery, see battery.py, by jumps.

usage: jumped.py BUILD [as battery.py]
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from battery import main  # noqa: E402
from by_jumps import jumps_can_be_used  # noqa: E402

if jumps_can_be_used():
    sys.argv.append("--jumps")
    main()
else:
    print("ok the battery by jumps: skipped, they can't be used here")
