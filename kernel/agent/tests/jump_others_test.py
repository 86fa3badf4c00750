# SPDX-License-Identifier: GPL-2.0
"""A uprobe of somebody else's within what a jump overwrote, behind the function's first instruction: it comes off, and both are right."""
import ctypes
import os
import re
import struct
import subprocess

from agent import wait_until
from by_jumps import *
from checks import *

UPROBE = "/sys/bus/event_source/devices/uprobe/type"
PERF_EVENT_OPEN = 298
TRAP = 0xcc


def uprobe(pid, path, offset):
    """A counter of the kernel's, as perf and bpftrace put them."""
    name = ctypes.create_string_buffer(os.fsencode(path))
    attr = ctypes.create_string_buffer(struct.pack("<IIQQQQ", int(open(UPROBE).read()), 128, 0, 0, 0, 0) + struct.pack("<QIIQQ", 0, 0, 0, ctypes.addressof(name), offset), 128)
    fd = ctypes.CDLL(None, use_errno=True).syscall(PERF_EVENT_OPEN, attr, pid, -1, -1, 8)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "perf_event_open")
    return fd


def changes(before, after):
    """Where bytes differ: runs of offsets in the code."""
    at, runs = 0, []
    for one, other in zip(before, after):
        for i, (a, b) in enumerate(zip(one, other)):
            if a != b and (not runs or at + i >= runs[-1] + 5):
                runs.append(at + i)
        at += len(one)
    return runs


def instructions(path):
    lines = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    return {int(m.group(1), 16) for m in re.finditer(r"^\s*([0-9a-f]+):\t", lines, re.M)}


def code_of(path):
    """The file's executable segment: its offset, and its address."""
    lines = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True).stdout
    offset, address = re.search(r"LOAD +(0x\w+) (0x\w+) .* R E ", lines).groups()
    return int(offset, 16), int(address, 16)


def withdrawn():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "ticks"])["pid"]
        agent.request("resume", pid=pid)
        agent.wait("process_output")
        before = text_of(pid)
        functions = agent.find(pid, "", "f_busy_outer", "f_empty")
        by_jumps(agent, pid, functions)
        put = text_of(pid)
        path, (offset, address) = functions[0]["binary"], code_of(functions[0]["binary"])
        begins, inside = instructions(path), {}
        for function in functions:
            start = function["file_offset"] - offset
            # A jump of that function's with a second instruction within it.
            inside[function["name"]] = [at + k for at in changes(before, put) if start <= at < start + 64
                                        for k in range(5) if k and address + at + k in begins]
        say(inside["f_busy_outer"], "a jump overwrote more than an instruction", inside)
        at = inside["f_busy_outer"][0]
        fd = uprobe(pid, path, offset + at)
        off = agent.wait("histogram_delta", where=lambda d: any(f["probes_off_ns"] for f in d["functions"]))
        gone = [f for f in off["functions"] if f["probes_off_ns"]]
        equal("the function comes off, and no other", [f["function_id"] for f in gone], [0])
        say("breakpoint or a uprobe" in gone[0]["probes_off"], "which is told", gone[0]["probes_off"])
        now, was = b"".join(text_of(pid)), b"".join(before)
        equal("the uprobe's trap is in the code as it was", (now[at], now[at - 4:at], now[at + 1:at + 5]), (TRAP, was[at - 4:at], was[at + 1:at + 5]))
        os.close(fd)
        wait_until(lambda: b"".join(text_of(pid))[at] == was[at])
        say(True, "and goes with it")
        calls = agent.figures(functions)["f_empty"].calls
        agent.wait("histogram_delta", where=lambda d: any(f["function_id"] == 1 and f["calls"] > calls for f in d["functions"]))
        ended = agent.stop()
        equal("the recording goes on to its end", ended["reason"], "REQUESTED")
        say("still in the process" not in ended["calibration_note"], "and leaves nothing", ended["calibration_note"])
        equal("the code is as before", text_of(pid) == before, True)


if jumps_can_be_used() and os.path.exists(UPROBE):
    run_tests(withdrawn)
else:
    print("ok jumps: skipped, they or uprobes can't be used here")
