# SPDX-License-Identifier: GPL-2.0
"""What the tests of recordings by jumps share."""
import ctypes
import os
import platform

from agent import Agent

# Where things lie decides which jumps can be put: in the same places always, for all that is started from here.
ADDR_NO_RANDOMIZE = 0x40000
ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)


def by_jumps(agent, pid, functions, **options):
    probes = [dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"], user_function={})
              for i, f in enumerate(functions)]
    return agent.request("start_recording", pid=pid, probes=probes, probe_way="PROBE_WAY_JUMP", **options)


def mechanisms(reply):
    return [p["mechanism"].removeprefix("MECHANISM_") for p in reply["probes"]]


def counts(figures):
    return figures.calls, figures.count("WALL"), figures.abandoned + figures.unfinished, sum(figures.lost.values())


def mappings(pid):
    with open("/proc/%d/maps" % pid) as maps:
        return maps.readlines()


def text_of(pid):
    """The process's own code, as it is in its memory."""
    with open("/proc/%d/maps" % pid) as maps:
        ranges = [line.split()[0] for line in maps if " r-xp " in line and line.rstrip().endswith(os.path.realpath("/proc/%d/exe" % pid))]
    with open("/proc/%d/mem" % pid, "rb", 0) as memory:
        code = []
        for one in ranges:
            start, end = (int(part, 16) for part in one.split("-"))
            memory.seek(start)
            code.append(memory.read(end - start))
        return code


def jumps_can_be_used():
    if platform.machine() != "x86_64":
        return False
    with Agent() as agent:
        jump = next(c for c in agent.hello["capabilities"] if c["name"] == "jump")
        print("# " + jump["detail"])
        return jump["available"]
