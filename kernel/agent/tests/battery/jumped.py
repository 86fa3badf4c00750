# SPDX-License-Identifier: GPL-2.0
"""
The battery, see battery.py, by jumps.

usage: jumped.py BUILD [as battery.py]     KVIEW_AGENT_SAMPLES=all: of all programs that battery.py takes
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from battery import main  # noqa: E402
import servers  # noqa: E402
import subjects  # noqa: E402
from by_jumps import jumps_can_be_used  # noqa: E402

# cycled.py puts jumps into these and takes them out, and sees that they say and answer as without.
CYCLED = () if "KVIEW_AGENT_SAMPLES" in os.environ else (subjects.Python, subjects.Throws, servers.Redis, servers.Postgres)

if jumps_can_be_used():
    sys.argv.append("--jumps")
    main(CYCLED)
else:
    print("ok the battery by jumps: skipped, they can't be used here")
