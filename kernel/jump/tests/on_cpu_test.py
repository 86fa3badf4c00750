#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Times of calls on CPUs in another process, beside what that program knows of itself."""
import collections
import ctypes
import os
import resource
import signal
import struct
import subprocess
import sys

import jumping
from jumping import Jumps, Target, check, mappings

COMPUTES, SLEEPS, MIXES, SHORT, LONG = range(5)
CLONE3 = 435


def files(pid):
    return sorted(os.listdir("/proc/%d/fd" % pid))


def clocks(pid):
    """Where they are mapped: the rights."""
    return [line.split()[1] for line in mappings(pid) if line.endswith("bpf-map")]


def test_true():
    with Target() as target:
        target.ask("calls 1")  # it has opened all that it begins with
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


Truth = collections.namedtuple("Truth", "inner outer before after")


def truth_of(target, kind):
    """Of one call of o_works, see struct on_cpu_truth."""
    return Truth(*map(int, target.ask("ran %d" % kind).split()))


def error_ns(truth, ran):
    """By how much what a call ran is beyond what was seen from within it and from around it, and the stamps could know it."""
    if ran < truth.inner:
        return 0 if truth.inner - ran <= truth.before else truth.inner - ran
    return 0 if ran - truth.outer <= truth.after else ran - truth.outer


def check_kind(target, jumps, name, kind, rivals, calls):
    """Within 2 us or 1 %."""
    wrong, furthest, unknown, wall = [], 0, 0, 0
    if rivals:
        target.ask("rivals 1")
    earlier = jumps.figures()["o_works"]
    for _ in range(calls):
        truth = truth_of(target, kind)
        now = jumps.figures()["o_works"]
        ran = now["on_cpu_ns"] - earlier["on_cpu_ns"]
        is_known = now["on_cpu_unknown"] == earlier["on_cpu_unknown"]
        wall += now["total_ns"] - earlier["total_ns"]
        off = error_ns(truth, ran)
        earlier = now
        unknown += not is_known
        if is_known:
            furthest = max(furthest, off)
            if off > max(2000, truth.outer / 100):
                wrong.append((ran, truth))
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


def told(pid, number):
    """What the clocks in this process's memory say of that process: FS bases, and how long its threads were away."""
    start, end = (int(part, 16) for part in next(line.split()[0].split("-") for line in mappings(pid) if line.endswith("bpf-map")))
    with open("/proc/%d/mem" % pid, "rb", 0) as memory:
        entries = struct.iter_unpack("<QQQ40x", os.pread(memory.fileno(), end - start, start))
        entries = [entry for entry in entries if entry[2] >> 32 == number]
    return {base for base, _, _ in entries}, {away for _, away, _ in entries}


def test_executed():
    """A process that shares the memory keeps the clocks; they tell it nothing of the program that is executed next."""
    with Target() as target:
        with Jumps(target.pid, "target", "o_works") as jumps:
            if jumps.without_clocks:
                return
            sharer = int(target.ask("share"))
            try:
                _, before = told(sharer, target.pid)
                target.ask("ran %d" % MIXES)
                _, after = told(sharer, target.pid)
                check(before != after, "who shares the memory sees how the process runs", (before, after))
                target.begin("execute")
                base = int(target.ask("base"))
                _, before = told(sharer, target.pid)
                for _ in range(10):
                    target.ask("ran %d" % MIXES)
                bases, after = told(sharer, target.pid)
                check(before == after and base not in bases, "but nothing of the program that it executes", (before, after))
            finally:
                os.kill(sharer, signal.SIGKILL)
            jumps.end()


class Numbered(Target):
    """Gets the number of a process that has ended."""

    def __init__(self, pid):
        numbers = (ctypes.c_int * 1)(pid)
        wish = struct.pack("=11Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, ctypes.addressof(numbers), 1, 0)
        (told, say), (hear, tell) = os.pipe(), os.pipe()
        self.pid = ctypes.CDLL(None, use_errno=True).syscall(CLONE3, wish, len(wish))
        if self.pid == 0:
            os.dup2(told, 0)
            os.dup2(tell, 1)
            os.execv(jumping.TARGET, [jumping.TARGET])
        os.close(told)
        os.close(tell)
        self.input, self.output = open(say, "w", buffering=1), open(hear)

    def ask(self, line):
        self.input.write(line + "\n")
        return self.output.readline().strip()

    def __exit__(self, *unused):
        self.input.close()
        self.output.close()
        if self.pid > 0:
            os.waitpid(self.pid, 0)


def test_number_used_again():
    with Target() as target, Jumps(target.pid, "target", "o_works") as jumps:
        if jumps.without_clocks:
            return
        sharer = int(target.ask("share"))
        try:
            target.process.kill()
            target.process.wait()
            with Numbered(target.pid) as other:
                if other.pid < 0:
                    print("ok a number that is used again: skipped, as it can't be chosen here")
                    return
                base = int(other.ask("base"))
                _, before = told(sharer, target.pid)
                for _ in range(10):
                    other.ask("ran %d" % MIXES)
                bases, after = told(sharer, target.pid)
                check(other.pid == target.pid and before == after and base not in bases,
                      "a process with a number that is used again is not watched", (target.pid, other.pid, before, after))
        finally:
            os.kill(sharer, signal.SIGKILL)


def test_forked():
    with Target() as target:
        with Jumps(target.pid, "target", "o_works") as jumps:
            if jumps.without_clocks:
                return
            child = int(target.ask("child 10").split()[1])
            check(not clocks(child), "a forked child does not have the clocks", clocks(child))
            said = jumping.clean(child)
            check(jumping.changed_code(child, jumping.TARGET) == 0 and not jumping.anonymous_code(child), "it is restored without them", said.strip())
            jumps.end()


def test_killed():
    with Target() as target:
        with Jumps(target.pid, "target", "o_works") as jumps:
            jumps.process.kill()
            jumps.process.wait()
            was = clocks(target.pid)
            said = jumping.clean(target.pid)
            check(not clocks(target.pid) and not jumping.anonymous_code(target.pid), "what was left by one that was killed is taken out with its clocks", (was, said.strip()))
            for pipe in (jumps.process.stdin, jumps.process.stdout, jumps.process.stderr):
                pipe.close()


def test_shared_files():
    """Somebody who is not stopped could change what the numbers of open files mean, or take the file."""
    with Target() as target:
        sharer = int(target.ask("files"))
        try:
            with Jumps(target.pid, "target", "o_works") as jumps:
                target.ask("ran 0")
                check(jumps.is_on and jumps.without_clocks and jumps.calls("o_works") == (1, 0, 0) and not clocks(target.pid),
                      "a process whose open files another shares has no times on CPUs", jumps.without_clocks or clocks(target.pid))
        finally:
            os.kill(sharer, signal.SIGKILL)


def test_namespace():
    """In a PID namespace of its own, where numbers mean other processes."""
    done = subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", sys.executable, __file__, jumping.BUILD, "true"],
                          capture_output=True, text=True)
    wrong = [line for line in done.stdout.splitlines() if line.startswith("not ok")]
    check(done.returncode == 0 and "ok calls that compute" in done.stdout and not wrong or "skipped" in done.stdout,
          "in another PID namespace", wrong or done.stderr[-300:])


def test_ended_meanwhile():
    """Figures outlive the process, and its clocks."""
    with Target() as target, Jumps(target.pid, "target", "o_works") as jumps:
        truth = truth_of(target, LONG)
        target.process.kill()
        target.process.wait()
        ran = jumps.end()["o_works"].get("on_cpu_ns", truth.inner)
        check(error_ns(truth, ran) <= max(2000, truth.outer / 100), "of a process that has ended", (ran, truth))


if __name__ == "__main__":
    sys.exit(jumping.run("on_cpu", globals()))
