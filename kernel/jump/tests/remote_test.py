#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Jumps go into another process and out again: it goes on as before, and its calls are counted exactly."""
import array
import fcntl
import os
import re
import signal
import subprocess
import sys
import termios
import time

import jumping
from jumping import Jumps, Target, anonymous_code, changed_code, check

FUNCTIONS = ["m_leaf", "m_tail", "m_maybe_tail", "m_switch", "m_deep", "m_throws", "m_catches", "m_leaves",
             "m_returns_twice", "m_waits", "m_yields"]


def test_counts():
    with Target() as target:
        before = target.ask("calls 3000")
        with Jumps(target.pid, "target", *FUNCTIONS) as jumps:
            check(jumps.is_on and not jumps.refused, "jumps are put", jumps.error or jumps.refused)
            check(changed_code(target.pid, jumping.TARGET) > 0, "the code has changed")
            check(target.ask("calls 3000") == before, "functions do what they did before")
            counts = {name: jumps.calls(name) for name in FUNCTIONS}
            # Of 0 up to 2999 are 1000 multiples of 3, 1500 odd, and 429 have x % 7 == 1.
            expected = {"m_leaf": (3000 + 1500 + 429, 0, 0), "m_tail": (3000, 0, 0), "m_maybe_tail": (3000, 0, 0),
                        "m_switch": (3000, 0, 0), "m_deep": (21, 0, 0), "m_throws": (2000, 1000, 0),
                        "m_catches": (3000, 0, 0), "m_leaves": (2000, 1000, 0), "m_returns_twice": (3000, 0, 0),
                        "m_waits": (0, 0, 0), "m_yields": (0, 0, 0)}
            for name in FUNCTIONS:
                check(counts[name] == expected[name], "calls of %s" % name, counts[name])
            check(target.ask("threads 200000") == "1", "threads do what they did")
            check(jumps.calls("m_tail") == (403000, 0, 0), "two threads' calls", jumps.calls("m_tail"))
            signals, turns = map(int, target.ask("signals 500").split())
            check(jumps.calls("m_waits") == (turns, 0, 0), "calls that signals interrupt", turns)
            check(jumps.calls("m_tail") == (403000 + signals, 0, 0), "calls in handlers on stacks of their own", signals)
            check(target.ask("coroutine 50") == "500", "a coroutine goes on on other threads")
            check(jumps.calls("m_yields") == (50, 1, 0), "its calls", jumps.calls("m_yields"))
            figures = jumps.end()
            check(jumps.status == 0, "jumps are taken out", jumps.error)
            check(figures["unmatched"] == 0, "no end without a beginning", figures["unmatched"])
            times = figures["m_catches"]
            check(times["total_ns"] > times["calls"] and times["longest_ns"] < times["total_ns"], "times", times)
        check(changed_code(target.pid, jumping.TARGET) == 0, "every byte is restored")
        check(not anonymous_code(target.pid), "nothing stays mapped", anonymous_code(target.pid))
        check(target.ask("calls 3000") == before, "afterwards it does what it did before")


def test_lies():
    """What the process writes over its own figures' head changes nothing here."""
    with Target() as target:
        with Jumps(target.pid, "target", "m_tail") as jumps:
            target.ask("calls 3000")
            counts = jumps.calls("m_tail")
            with open("/proc/%d/maps" % target.pid) as maps:
                shared = next(int(line.split("-")[0], 16) for line in maps if "/dev/zero (deleted)" in line)
            with open("/proc/%d/mem" % target.pid, "r+b", buffering=0) as memory:
                head = os.pread(memory.fileno(), 16, shared)
                for lie in (bytes(16), b"\xff" * 16):
                    os.pwrite(memory.fileno(), lie, shared)
                    check(jumps.calls("m_tail") == counts == (3000, 0, 0), "a head of figures that lies", counts)
                os.pwrite(memory.fileno(), head, shared)
            jumps.end()
            check(jumps.status == 0, "jumps are taken out after lies", jumps.error)


def test_child():
    with Target() as target:
        with Jumps(target.pid, "target", "m_tail", "m_switch") as jumps:
            good, child = target.ask("child 5000").split()
            check(good == "1", "a child that was forked goes on as its parent")
            check(jumps.calls("m_tail") == (5000, 0, 0), "its calls are not the parent's", jumps.calls("m_tail"))
            jumps.end()
            check(changed_code(target.pid, jumping.TARGET) == 0, "its parent's code is restored")
            check(changed_code(int(child), jumping.TARGET) == 0 and not anonymous_code(int(child)), "and so is the child's")


def test_inside():
    """A thread that computes behind a window's first instruction goes on there."""
    with Target() as target:
        target.ask("inside 0")
        for _ in range(5):
            with Jumps(target.pid, "target", "m_inside") as jumps:
                time.sleep(0.02)
                figures = jumps.end()
            check(jumps.status == 0 and figures["m_inside"]["lost"] == 0, "a thread behind where a window begins is no hindrance",
                  jumps.error or figures["m_inside"])
        rounds, wrong = map(int, target.ask("leave").split())
        check(rounds > 0 and wrong == 0, "it computes what it should", "%d times, %d wrong" % (rounds, wrong))


def test_interrupted():
    """A handler returns into code that the jump's distance reaches into: that is as it was."""
    with Target() as target:
        target.ask("inside 1")
        with Jumps(target.pid, "target", "m_inside") as jumps:
            check(jumps.is_on, "a handler that will come back behind a window is nothing to wait for", jumps.error)
            rounds, wrong = map(int, target.ask("leave").split())
            check(rounds > 0 and wrong == 0, "it goes on", "%d times, %d wrong" % (rounds, wrong))
        check(jumps.status == 0 and changed_code(target.pid, jumping.TARGET) == 0 and not anonymous_code(target.pid), "nothing stays", jumps.error)


def test_cycles():
    """Over and over, while threads come and go."""
    with Target() as target:
        target.begin("churn")
        mapped = len(jumping.mappings(target.pid))
        good = 0
        for _ in range(30):
            with Jumps(target.pid, "target", *FUNCTIONS) as jumps:
                jumps.end()
                good += jumps.is_on and jumps.status == 0
        check(good == 30, "30 times in and out", good)
        rounds, wrong = map(int, target.ask("stop").split())
        check(rounds > 0 and wrong == 0, "while threads come and go", "%d times, %d wrong" % (rounds, wrong))
        check(not anonymous_code(target.pid) and changed_code(target.pid, jumping.TARGET) == 0, "and all is as before",
              "%d mappings, then %d" % (mapped, len(jumping.mappings(target.pid))))


def test_ended():
    with Target() as target:
        with Jumps(target.pid, "target", "m_tail") as jumps:
            target.ask("calls 7")
            os.kill(target.pid, signal.SIGKILL)
            figures = jumps.end()
            check(figures["m_tail"]["calls"] == 7, "the figures outlive the process", figures["m_tail"])


def test_refused():
    with Target() as target:
        with Jumps(target.pid, "target", "no_such", "m_tail") as jumps:
            check(jumps.is_on and "no_such" in jumps.refused, "an unknown function is told", jumps.refused)
        with Jumps(target.pid, "target", "m_tail") as first, Jumps(target.pid, "target", "m_tail", "m_deep") as second:
            check("m_tail" in second.refused and "m_deep" not in second.refused, "what another changed is passed over",
                  second.refused)
            target.ask("calls 100")
            check((first.calls("m_tail"), second.calls("m_deep")) == ((100, 0, 0), (21, 0, 0)), "both are right")
            first.end()
        check(changed_code(target.pid, jumping.TARGET) == 0, "and out in another order")


def test_changed_by_others():
    """A breakpoint of another's behind the jump, where a copy runs instead."""
    said = subprocess.run([os.path.join(jumping.BUILD, "decide"), jumping.TARGET, *FUNCTIONS], capture_output=True, text=True).stdout
    name, at = next((name, int(at)) for name, at, length in re.findall(r"^(\w+): fits.*? entry\+(\d+),(\d+)", said, re.M)
                    if int(length) > 5)
    symbols = subprocess.run(["nm", jumping.TARGET], capture_output=True, text=True, check=True).stdout
    address = int(re.search(r"^(\w+) T %s$" % name, symbols, re.M).group(1), 16) + at + 5
    with Target() as target, open("/proc/%d/mem" % target.pid, "r+b", 0) as memory:
        before = target.ask("calls 9")
        address += min(int(line.split("-")[0], 16) for line in jumping.mappings(target.pid) if line.endswith("/target"))
        memory.seek(address)
        was = memory.read(1)
        memory.seek(address)
        memory.write(b"\xcc")
        with Jumps(target.pid, "target", name, "m_inside") as jumps:
            check(jumps.is_on and name in jumps.refused and "m_inside" not in jumps.refused,
                  "a function with another's breakpoint is passed over", jumps.refused or jumps.error)
        memory.seek(address)
        check(memory.read(1) == b"\xcc", "its breakpoint stays")
        memory.seek(address)
        memory.write(was)
        check(target.ask("calls 9") == before, "all is as before")


def test_told_to_end():
    with Target() as target:
        for asked in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with Jumps(target.pid, "target", "m_tail") as jumps:
                os.kill(jumps.process.pid, asked)
                status = jumps.process.wait(300)
                check(status == 0 and changed_code(target.pid, jumping.TARGET) == 0, "it restores all at %s" % asked.name,
                      status)


def test_beginning_and_end():
    """A process that begins, or ends, while it is done."""
    expected, wrong, put = None, [], 0
    for turn in range(40):
        with Target() as target:
            target.begin("calls 300")
            if turn % 2:
                target.process.stdin.close()
            else:
                expected = expected or target.answer()
            tool = subprocess.run([os.path.join(jumping.BUILD, "kview-jump"), "--patience", "300", str(target.pid), "target", *FUNCTIONS],
                                  input="", capture_output=True, text=True)
            put += tool.returncode == 0
            answer = target.answer() if turn % 2 else target.ask("calls 300")
            if answer != expected:
                wrong.append((turn, answer, tool.stderr))
        if target.status:
            wrong.append((turn, target.status, tool.stderr))
    check(not wrong and put, "40 that begin or end meanwhile", wrong or "put into %d" % put)


def refused(target, name, reason, *functions):
    """Whether nothing is put, why, and that nothing stays."""
    with Jumps(target.pid, "target", *functions or ("m_tail",), patience=300) as jumps:
        check(not jumps.is_on and reason in jumps.error, name, jumps.error or "it was not refused")
    check(changed_code(target.pid, jumping.TARGET) == 0 and not anonymous_code(target.pid), name + " stays as it is")


def test_not_safe():
    with Target() as target:
        other = int(target.ask("share"))
        refused(target, "a process that shares its memory with another", "uses the memory")
        os.kill(other, signal.SIGKILL)
    with Target() as target:
        target.ask("filter")
        refused(target, "a process with a seccomp filter", "seccomp")
    with Target() as target:
        if target.ask("dispatch") == "0":
            refused(target, "a process that takes its system calls", "No thread")
    with Target() as target:
        with Jumps(target.pid, "target", "m_tail", patience=300) as jumps:
            target.ask("filter")
            jumps.end()
        check(jumps.status == 1 and "No thread" in jumps.error and changed_code(target.pid, jumping.TARGET) == 0,
              "one that filters its calls later is restored, but makes none for others", jumps.error)
    with Target() as target:
        target.ask("uncounted")
        refused(target, "a process that may not read the counter", "counter")
    with Target() as target:
        os.kill(target.pid, signal.SIGSTOP)
        while "State:\tT" not in open("/proc/%d/status" % target.pid).read():
            time.sleep(0.01)
        refused(target, "a stopped process", "No thread")
        os.kill(target.pid, signal.SIGCONT)
        check(target.ask("calls 100") != "", "it goes on when it is continued")
    with Target() as target:
        seize = "import ctypes, sys; print(ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), 0, 0), flush=True); input()"
        with Target(sys.executable, "-c", seize, str(target.pid)) as tracer:
            check(tracer.answer() == "0", "another tracer is there")
            refused(target, "a traced process", "Another tracer")
            tracer.begin("")


def test_spawn():
    """Children use the memory for moments, and run measured functions there."""
    with Target() as target:
        target.begin("spawn")
        good = 0
        for _ in range(10):
            with Jumps(target.pid, "target", *FUNCTIONS) as jumps:
                jumps.end()
                good += jumps.is_on and jumps.status == 0
        turns, wrong = map(int, target.ask("stop").split())
        check(good == 10 and turns and not wrong, "while it begins programs", "%d times in and out; %d programs, %d wrong" % (good, turns, wrong))
        check(changed_code(target.pid, jumping.TARGET) == 0 and not anonymous_code(target.pid), "and all is as before")


def test_unloaded():
    """The library that has the function is unloaded and loaded again."""
    program = ("import ctypes, _ctypes, sys\n"
               "library = None\n"
               "for line in sys.stdin:\n"
               "    if library:\n"
               "        _ctypes.dlclose(library._handle)\n"
               "    library = None if line == 'unload\\n' else ctypes.CDLL(sys.argv[1])\n"
               "    print(library and library.l_sum(b'abc', 3), flush=True)\n")
    with Target(sys.executable, "-c", program, os.path.abspath(os.path.join(jumping.BUILD, "loaded.so"))) as python:
        sum_of = python.ask("load")
        with Jumps(python.pid, "loaded.so", "l_sum") as jumps:
            check(jumps.is_on, "a library that can be unloaded", jumps.error)
            check(python.ask("unload") == "None" and not any("loaded.so" in line for line in jumping.mappings(python.pid)),
                  "it is unloaded")
            jumps.end()
            check(jumps.status == 0, "the jumps went with it", jumps.error)
        with Jumps(python.pid, "libc.so.6", "confstr") as jumps:
            check(python.ask("load") == sum_of and jumps.is_on, "it works when it is loaded again", jumps.error)


def mapped_twice(gap):
    """A part of a library's code is mapped once more, so far away: functions there are passed over, and no others."""
    program = ("import ctypes, os, sys\n"
               "libc = ctypes.CDLL(None)\n"
               "libc.mmap.restype = ctypes.c_void_p\n"
               "libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]\n"
               "at = ctypes.cast(libc.confstr, ctypes.c_void_p).value\n"
               "for line in open('/proc/self/maps'):\n"
               "    words = line.split(None, 5)\n"
               "    start, end = (int(x, 16) for x in words[0].split('-'))\n"
               "    if start <= at < end:\n"
               "        far = start + int(sys.argv[1])\n"
               "        offset, path = (at - start & -4096) + int(words[2], 16), words[5].strip()\n"
               "libc.mmap(far, 4096, 5, 2, os.open(path, os.O_RDONLY), offset)\n"
               "for line in sys.stdin:\n"
               "    print(sum(libc.isatty(0) == 0 for _ in range(100)), flush=True)\n")
    with Target(os.path.realpath(sys.executable), "-c", program, str(gap)) as python:
        python.ask("begin")
        with Jumps(python.pid, "libc.so.6", "confstr", "isatty") as jumps:
            check(jumps.is_on and "second time" in jumps.refused.get("confstr", ""), "a function whose code is mapped twice, %+d bytes away, is passed over" % gap,
                  jumps.error or jumps.refused)
            check(python.ask("again") == "100" and jumps.calls("isatty") == (100, 0, 0), "and others are measured", jumps.calls("isatty"))


def test_mapped_again_before():
    """As V8 does with its own."""
    mapped_twice(-(1 << 30))


def test_mapped_again_behind():
    mapped_twice(1 << 32)


def test_execute():
    with Target() as target:
        with Jumps(target.pid, "target", "m_tail") as jumps:
            before = target.ask("calls 9")
            target.begin("execute")
            check(target.ask("calls 9") == before, "another program in its place works")
            figures = jumps.end()
            check(jumps.status == 0 and figures["m_tail"]["calls"] == 9, "the jumps went with the first one", jumps.error)
        check(changed_code(target.pid, jumping.TARGET) == 0 and not anonymous_code(target.pid), "nothing is written to the second")


def test_python():
    program = ("import os, sys\n"
               "for line in sys.stdin:\n"
               "    n = sum(os.confstr('CS_PATH') > '' for _ in range(int(line)))\n"
               "    print(n, flush=True)\n")
    binary = os.path.realpath(sys.executable)
    with Target(binary, "-c", program) as python:
        python.ask("10")
        with Jumps(python.pid, "libc.so.6", "confstr") as jumps:
            check(python.ask("20000") == "20000" and jumps.is_on, "python goes on", jumps.error)
            check(jumps.calls("confstr")[0] == 20000, "calls of confstr in python", jumps.calls("confstr"))
        check(python.ask("10") == "10", "also afterwards")


if __name__ == "__main__":
    sys.exit(jumping.run("remote", globals()))
