#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Others' traps in all that jumps overwrote and reach into come and go while the program calls it: it never stops, and computes what it should.

usage: punned_test.py BUILD [TEST...]
"""
import ctypes
import os
import re
import struct
import subprocess
import sys

import jumping
from jumping import Jumps, Target, anonymous_code, changed_code, check, clean

PUNNED = os.path.abspath(os.path.join(jumping.BUILD, "punned"))
FUNCTIONS = ["p_seven", "p_five", "p_four", "p_three", "p_two", "p_one", "p_condition", "p_tail", "p_tight", "p_behind", "p_calls",
             "p_long", "p_four_and", "p_pieces", "p_nops", "p_fives", "p_goes", "p_goes_far"]
UPROBE = "/sys/bus/event_source/devices/uprobe/type"
PERF_EVENT_OPEN = 298
TURNS = 2


def uprobe(pid, offset):
    """A counter of the kernel's, as perf and bpftrace put them."""
    name = ctypes.create_string_buffer(os.fsencode(PUNNED))
    attr = ctypes.create_string_buffer(struct.pack("<IIQQQQ", int(open(UPROBE).read()), 128, 0, 0, 0, 0) +
                                       struct.pack("<QIIQQ", 0, 0, 0, ctypes.addressof(name), offset), 128)
    fd = ctypes.CDLL(None, use_errno=True).syscall(PERF_EVENT_OPEN, attr, pid, -1, -1, 8)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "perf_event_open")
    return fd


def instructions():
    """Of the functions, with the filler behind them, by their place in the file: the segment of code has the same distance to it everywhere. The
    kernel puts no uprobe at a trap."""
    lines = subprocess.run(["objdump", "-d", "--no-show-raw-insn", PUNNED], capture_output=True, text=True, check=True).stdout
    parts = re.findall(r"^[0-9a-f]+ <(p_\w+)>:\n((?: .*\n)+)", lines, re.M)
    shift = segment()
    return {name: [int(at, 16) - shift for at in re.findall(r"^ +([0-9a-f]+):\t(?!int3)", body, re.M)] for name, body in parts}


def segment():
    lines = subprocess.run(["readelf", "-lW", PUNNED], capture_output=True, text=True, check=True).stdout
    offset, address = re.search(r"LOAD +(0x\w+) (0x\w+) .* R E ", lines).groups()
    return int(address, 16) - int(offset, 16)


def first_changes(pid, places):
    """Offsets at which the process's code has a jump: the first byte of each window."""
    line = next(l for l in jumping.mappings(pid) if l.endswith("/punned") and l.split()[1][2] == "x")
    start, offset = int(line.split("-")[0], 16), int(line.split()[2], 16)
    with open("/proc/%d/mem" % pid, "rb", 0) as memory, open(PUNNED, "rb") as file:
        for at in places:
            memory.seek(start + at - offset)
            file.seek(at)
            if memory.read(1) == b"\xe9" and (file.read(1) != b"\xe9" or at in places):
                yield at


def where_traps_come(pid):
    """Each instruction that begins at a jump, or that it reaches into; and how many begin within one."""
    all_of = sorted(at for places in instructions().values() for at in places)
    windows = list(first_changes(pid, all_of))
    within = [at for at in all_of if any(0 < at - window < 6 for window in windows)]
    return sorted(set(windows) | set(within)), len(within)


class Running:
    def __init__(self):
        self.target = Target(PUNNED)
        self.target.ask("turns")  # it runs by then
        self.jumps = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.target.__exit__()

    def turns(self):
        return map(int, self.target.ask("turns").split())

    def goes_on(self, name):
        turns, wrong = self.turns()
        now = turns
        while now < turns + 1000:
            now, wrong = self.turns()
        check(wrong == 0, name, "%d rounds, %d wrong" % (now, wrong))


def put(running):
    jumps = Jumps(running.target.pid, "punned", *FUNCTIONS)
    check(jumps.is_on and not jumps.refused, "jumps are put", jumps.error or jumps.refused)
    return jumps


def is_as_before(running):
    check(changed_code(running.target.pid, PUNNED) == 0 and not anonymous_code(running.target.pid), "the code is as before")


def come_and_go(pid, places):
    for at in places:
        for _ in range(TURNS):
            os.close(uprobe(pid, at))


def test_one_at_a_time():
    """A uprobe at each place, put and taken away again and again; where it was at a jump's first byte the jump is gone."""
    with Running() as running:
        jumps = put(running)
        places, within = where_traps_come(running.target.pid)
        check(within > 5, "jumps reach into other instructions", "%d places, %d of these within" % (len(places), within))
        come_and_go(running.target.pid, places)
        running.goes_on("uprobes came and went %d times" % (TURNS * len(places)))
        jumps.end()
        check(jumps.status == 0, "then jumps are taken out", jumps.error)
        is_as_before(running)
        running.goes_on("it goes on")


def test_all_at_once():
    """All of them, in each order, while jumps are put, stay, and are taken out."""
    with Running() as running:
        with put(running):
            places, _ = where_traps_come(running.target.pid)
        for order in places, places[::-1]:
            jumps = put(running)
            held = [uprobe(running.target.pid, at) for at in order]
            running.goes_on("%d uprobes at once" % len(held))
            for fd in held[::2]:
                os.close(fd)
            running.goes_on("half of them have gone")
            jumps.end()
            running.goes_on("jumps have gone below them")
            for fd in held[1::2]:
                os.close(fd)
            running.goes_on("all have gone")
            is_as_before(running)


def test_killed():
    """Who put the jumps is killed while traps are in them; who comes next takes them out, and their springboards."""
    with Running() as running:
        jumps = put(running)
        places, _ = where_traps_come(running.target.pid)
        held = [uprobe(running.target.pid, at) for at in places]
        jumps.process.kill()
        jumps.process.wait()
        said = clean(running.target.pid)
        running.goes_on("it goes on")
        for fd in held:
            os.close(fd)
        is_as_before(running)
        check(said, "who took them out tells it", said.strip())


if __name__ == "__main__":
    if not os.path.exists(UPROBE):
        print("ok punned: skipped, this kernel has no uprobes")
        sys.exit(0)
    sys.exit(jumping.run("punned", globals()))
