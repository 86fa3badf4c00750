# SPDX-License-Identifier: GPL-2.0
"""A uprobe of somebody else's at what a jump overwrote: it comes off, and both are right, also where the uprobe has gone before anybody looked.
That the program is right with it, whichever instruction it is at, kernel/jump/tests/punned_test.py shows."""
import ctypes
import os
import re
import signal
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


def code_of(path):
    """The file's executable segment: its offset, and its address."""
    lines = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True).stdout
    offset, address = re.search(r"LOAD +(0x\w+) (0x\w+) .* R E ", lines).groups()
    return int(offset, 16), int(address, 16)


class Busy:
    """The program with two functions that it calls all the time, measured by jumps; first: where one's code begins to be another."""

    def __init__(self, agent):
        self.pid = agent.request("launch", arguments=[PLAIN, "ticks"])["pid"]
        agent.request("resume", pid=self.pid)
        agent.wait("process_output")
        self.before = text_of(self.pid)
        self.functions = agent.find(self.pid, "", "f_busy_outer", "f_empty")
        by_jumps(agent, self.pid, self.functions)
        put = text_of(self.pid)
        self.path, (self.offset, _) = self.functions[0]["binary"], code_of(self.functions[0]["binary"])
        start = self.functions[0]["file_offset"] - self.offset
        changed = [at for at in changes(self.before, put) if start <= at < start + 64]
        say(changed, "a jump is in the function", changed)
        self.first = changed[0]
        self.jump = self.around()

    def uprobe(self):
        return uprobe(self.pid, self.path, self.offset + self.first)

    def code(self):
        return b"".join(text_of(self.pid))

    def around(self):
        return self.code()[self.first - 4:self.first + 6]


def comes_off(agent):
    off = agent.wait("histogram_delta", where=lambda d: any(f["probes_off_ns"] for f in d["functions"]))
    gone = [f for f in off["functions"] if f["probes_off_ns"]]
    equal("the function comes off, and no other", [f["function_id"] for f in gone], [0])
    say("breakpoint or a uprobe" in gone[0]["probes_off"], "which is told", gone[0]["probes_off"])


def goes_on_to_its_end(agent, busy):
    calls = agent.figures(busy.functions)["f_empty"].calls
    agent.wait("histogram_delta", where=lambda d: any(f["function_id"] == 1 and f["calls"] > calls for f in d["functions"]))
    ended = agent.stop()
    equal("the recording goes on to its end", ended["reason"], "REQUESTED")
    say("still in the process" not in ended["calibration_note"], "and leaves nothing", ended["calibration_note"])
    equal("the code is as before", text_of(busy.pid) == busy.before, True)


def withdrawn():
    with Agent() as agent:
        busy = Busy(agent)
        at, was = busy.first, b"".join(busy.before)
        fd = busy.uprobe()
        comes_off(agent)
        now = busy.code()
        equal("the uprobe's trap is in the code as it was", (now[at], now[at - 4:at], now[at + 1:at + 5]), (TRAP, was[at - 4:at], was[at + 1:at + 5]))
        os.close(fd)
        wait_until(lambda: busy.code()[at] == was[at])
        say(True, "and goes with it")
        goes_on_to_its_end(agent, busy)


def come_and_gone(agent, busy):
    """The agent stands meanwhile, so that nobody looks; the process goes on."""
    os.kill(agent.process.pid, signal.SIGSTOP)
    try:
        for _ in range(3):
            os.close(busy.uprobe())
        wait_until(lambda: TRAP != busy.around()[4])
        say(busy.around() != busy.jump, "what it leaves is no jump", busy.around().hex())
    finally:
        os.kill(agent.process.pid, signal.SIGCONT)


def gone_before_it_is_seen():
    with Agent() as agent:
        busy = Busy(agent)
        come_and_gone(agent, busy)
        comes_off(agent)
        equal("the code is as it was", busy.around(), b"".join(busy.before)[busy.first - 4:busy.first + 6])
        goes_on_to_its_end(agent, busy)


NEIGHBOURS = os.path.join(BUILD, "traced", "neighbours")


def neighbours():
    """Kview's own trap at a function is no reason for the jump before it, which reaches there, to come off."""
    rounds = 100
    with Agent() as agent:
        pid = agent.request("launch", arguments=[NEIGHBOURS, str(rounds)])["pid"]
        functions = agent.find(pid, "", "n_first", "n_second")
        reply = by_jumps(agent, pid, functions)
        equal("a jump, and a trap beside it", (mechanisms(reply), [f["symbol"] for f in functions]), (["JUMP", "TRAP"], ["n_first", "n_second"]))
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f = invariants("neighbours", agent, functions)
        equal("the program computes what it should", int(agent.output()), sum(4 * i for i in range(rounds)))
        equal("each call of both is counted", [counts(f[n]) for n in ("n_first", "n_second")], [(rounds, rounds, 0, 0)] * 2)
        equal("and none came off", [f[n].off for n in ("n_first", "n_second")], ["", ""])


def there_before():
    """Where somebody's uprobe is already, that function alone is left to traps."""
    with Agent() as agent:
        busy = Busy(agent)
        agent.stop()
        fd = busy.uprobe()
        try:
            with_it = text_of(busy.pid)
            reply = by_jumps(agent, busy.pid, busy.functions)
            equal("one has its jump", mechanisms(reply), ["TRAP", "JUMP"])
            say("somebody else had changed their code: f_busy_outer." in reply["waits_note"], "the other is named, and why", reply["waits_note"])
            agent.wait("histogram_delta", where=lambda d: any(f["function_id"] == 1 and f["calls"] for f in d["functions"]))
            agent.stop()
            equal("the code is as before, with the uprobe", text_of(busy.pid) == with_it, True)
        finally:
            os.close(fd)


if jumps_can_be_used() and os.path.exists(UPROBE):
    run_tests(withdrawn, gone_before_it_is_seen, neighbours, there_before)
else:
    print("ok jumps: skipped, they or uprobes can't be used here")
