#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Times of calls on CPUs in another process, beside what that program knows of itself."""
import os
import resource
import sys

import jumping
from jumping import Jumps, Target, check, mappings

COMPUTES, SLEEPS, MIXES, SHORT, LONG = range(5)


def files(pid):
    return sorted(os.listdir("/proc/%d/fd" % pid))


def clocks(pid):
    """Where they are mapped: the rights."""
    return [line.split()[1] for line in mappings(pid) if line.endswith("bpf-map")]


def test_true():
    with Target() as target:
        before = files(target.pid)
        with Jumps(target.pid, "target", "o_works") as jumps:
            if jumps.without_clocks:
                print("ok times on CPUs: skipped: %s" % jumps.without_clocks)
                return
            check(jumps.is_on, "jumps are put", jumps.error)
            check(clocks(target.pid) == ["r--s"], "the clocks are mapped for reading", clocks(target.pid))
            check(files(target.pid) == before, "no file stays open", files(target.pid))
            for name, kind, rivals, calls in (("compute", COMPUTES, 0, 50), ("sleep", SLEEPS, 0, 50), ("do both", MIXES, 0, 50),
                                              ("are short", SHORT, 0, 200), ("compute beside others", LONG, 1, 20),
                                              ("do both beside others", MIXES, 1, 50)):
                check_kind(target, jumps, "calls that " + name, kind, rivals, calls)
            jumps.end()
            check(jumps.status == 0, "jumps are taken out", jumps.error)
        check(not clocks(target.pid) and files(target.pid) == before, "nothing stays", clocks(target.pid))


def check_kind(target, jumps, name, kind, rivals, calls):
    """Within 2 us or 1 %: what a call ran lies between what was seen from within it and from around it."""
    wrong, furthest, unknown, wall = [], 0, 0, 0
    if rivals:
        target.ask("rivals 1")
    earlier = jumps.figures()["o_works"]
    for _ in range(calls):
        inner, outer = map(int, target.ask("ran %d" % kind).split())
        now = jumps.figures()["o_works"]
        ran = now["on_cpu_ns"] - earlier["on_cpu_ns"]
        is_known = now["on_cpu_unknown"] == earlier["on_cpu_unknown"]
        wall += now["total_ns"] - earlier["total_ns"]
        off = max(inner - ran, ran - outer, 0)
        earlier = now
        unknown += not is_known
        if is_known:
            furthest = max(furthest, off)
            if off > max(2000, outer / 100):
                wrong.append((inner, ran, outer))
    if rivals:
        target.ask("rivals 0")
    check(not wrong and unknown * 10 < calls, name, "%d of %.0f us, %d ns off at most, %d unknown %s" %
          (calls, wall / calls / 1000, furthest, unknown, wrong or ""))


def test_other_thread():
    """A call that ends on another thread than it began on has none, and is counted."""
    with Target() as target, Jumps(target.pid, "target", "m_yields") as jumps:
        target.ask("coroutine 50")
        figures = jumps.figures()["m_yields"]
        check(figures["calls"] == 50 and figures.get("on_cpu_unknown", 50) == 50, "calls that end on other threads", figures)


def test_without():
    with Target() as target:
        with Jumps(target.pid, "target", "o_works", options=("--wall",)) as jumps:
            target.ask("ran 0")
            figures = jumps.figures()["o_works"]
            check(figures["calls"] == 1 and "on_cpu_ns" not in figures and not clocks(target.pid), "only the wall's clock", figures)
        resource.prlimit(target.pid, resource.RLIMIT_NOFILE, (3, 3))
        with Jumps(target.pid, "target", "o_works") as jumps:
            target.ask("ran 0")
            check(jumps.is_on and jumps.without_clocks and jumps.calls("o_works") == (1, 0, 0) and not clocks(target.pid),
                  "a process that may open no more files has no times on CPUs", jumps.without_clocks)
        check(files(target.pid) == ["0", "1", "2"], "nothing stays in it", files(target.pid))


def test_ended_meanwhile():
    """Figures outlive the process, and its clocks."""
    with Target() as target, Jumps(target.pid, "target", "o_works") as jumps:
        inner, outer = map(int, target.ask("ran %d" % LONG).split())
        target.process.kill()
        target.process.wait()
        ran = jumps.end()["o_works"].get("on_cpu_ns", inner)
        check(inner - 2000 <= ran <= outer * 1.01 + 2000, "of a process that has ended", (inner, ran, outer))


def main():
    if jumping.why_not():
        print("ok on_cpu: skipped, as jumps can't be used here: %s" % jumping.why_not())
        return 0
    wanted = sys.argv[2:]
    for name, test in sorted(globals().items()):
        if name.startswith("test_") and (not wanted or name[5:] in wanted):
            test()
    return bool(jumping.failed)


if __name__ == "__main__":
    sys.exit(main())
