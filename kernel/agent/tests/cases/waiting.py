# SPDX-License-Identifier: GPL-2.0
"""Cases of what a process waits for: by itself, and held, stopped or throttled by others."""
import contextlib
import os
import re
import signal
import subprocess
import time

from judged import *
import cgroups  # noqa: E402
from agent import status_of, wait_until  # noqa: E402
from truth import run_plain  # noqa: E402


def waits():
    causes = {"sleep": {"SLEEP"}, "timerfd": {"SLEEP"}, "eventfd": {"LOCK", "NETWORK"}, "filelock": {"LOCK"}, "sigwait": {"OTHER"},
              "child": {"OTHER"}, "vfork": {"OTHER"}, "uring": {"OTHER"}}
    if run_plain([program("waits"), "uring", "0"]).returncode == 77:
        del causes["uring"]
        say(True, "waits, uring: skipped, the kernel has no io_uring or does not allow it")
    run = judge("waits", Run([program("waits"), ",".join(causes), "5"], {"": ["f_" + what for what in causes]}))
    for what, own in causes.items():
        off = {k: v for k, v in run.figures["f_" + what].off_cpu().items() if k not in ("RUN_QUEUE", "PREEMPTED", "STEAL")}
        part = sum(off.get(cause, 0) for cause in own) / max(1, sum(off.values()))
        say(part >= 0.8, "waits, %s: is %s" % (what, " or ".join(sorted(cause.lower() for cause in own))),
            "%.0f %% of %s" % (100 * part, {k: "%.1f ms" % (v / 1e6) for k, v in off.items()}))


def is_in(pid, *system_calls):
    """It waits in one of them, off the CPU; by its number on x86-64."""
    with contextlib.suppress(OSError):  # it may have ended
        return read("/proc/%d/syscall" % pid).split()[0] in system_calls


def seen_to_be(what, condition):
    """What follows is measured from then on."""
    if not wait_until(condition, 120):
        raise TimeoutError("the process is not seen to be " + what)


def waits_in(pid, *system_calls):
    seen_to_be("in any of the system calls %s" % ", ".join(system_calls), lambda: is_in(pid, *system_calls))


NANOSLEEP, POLL, FUTEX, RESTARTED = "230", "7", "202", "219"


def stop(pid):
    """It is off the CPU when this ends."""
    os.kill(pid, signal.SIGSTOP)
    seen_to_be("stopped", lambda: status_of(pid) == "T" and is_in(pid, NANOSLEEP, POLL, FUTEX, RESTARTED))


def goes_on_waiting():
    """Stopped within system calls that the kernel then goes on with as restart_syscall."""
    for what, number, cause in (("long-sleep", NANOSLEEP, "SLEEP"), ("long-poll", POLL, "NETWORK"), ("long-futex", FUTEX, "LOCK")):
        def stopped_once(agent, pid):
            waits_in(pid, number)
            stop(pid)
            os.kill(pid, signal.SIGCONT)
            waits_in(pid, RESTARTED)
            os.kill(pid, signal.SIGUSR1)
        run = Run([program("waits"), what, "1"], {"": ["f_wait"]}, while_it_runs=stopped_once, plain=TOLD_ONCE)
        judge("stopped in a " + what, run)
        off = run.figures["f_wait"].off_cpu()
        say(off.get("STOPPED", 0) and off.get(cause, 0) and not off.get("OTHER", 0),
            "stopped in a %s: waits for what it did before" % what, off)


# What programs that end when they are told do without probes.
TOLD_ONCE = subprocess.CompletedProcess([], 0, b"waited 1 times\n", b"")


def given_up(pid):
    """How often it gave up its CPU by itself so far."""
    return re.search(r"^voluntary_ctxt_switches:\s*(\d+)$", read("/proc/%d/status" % pid), re.M)[1]


def let_go(pid, release):
    """Its CPU may hear of that late, but has when it waits again.  It is looked at without a pause, as that ends a time."""
    before, end = given_up(pid), time.monotonic() + 120
    release(pid)
    while given_up(pid) == before:
        if time.monotonic() > end:
            raise TimeoutError("the process is not seen to wait again")


def held(name, hold, release, begin=lambda pid: None):
    """
    One call, in which it is held some times: at least from when that is seen until before it is released, at most from when
    it was asked for until it waits again.
    """
    least = most = 0

    def hold_it(agent, pid):
        nonlocal least, most
        waits_in(pid, NANOSLEEP)
        begin(pid)
        for _ in range(5):
            asked = time.monotonic_ns()
            hold(pid)
            seen = time.monotonic_ns()
            time.sleep(0.1)
            released = time.monotonic_ns()
            let_go(pid, release)
            least, most = least + released - seen, most + time.monotonic_ns() - asked
        os.kill(pid, signal.SIGUSR1)
    run = Run([program("waits"), "held", "1"], {"": ["f_wait"]}, while_it_runs=hold_it, plain=TOLD_ONCE)
    judge(name, run)
    got = run.figures["f_wait"].off_cpu().get("STOPPED", 0)
    say(0.999 * least <= got <= 1.001 * most, name + ": is as long as it was", "%.3f ms, at least %.3f, at most %.3f; %s" % (
        got / 1e6, least / 1e6, most / 1e6, run.figures["f_wait"].off_cpu()))


def stopped():
    """By a signal, within a sleep; by the freezer."""
    held("stopped by a signal", stop, lambda pid: os.kill(pid, signal.SIGCONT))
    with cgroups.Frozen() as group:
        if not group:
            return say(True, "stopped by the freezer: skipped, there is no cgroup to be had")

        def freeze(pid):
            group.freeze(True)
            seen_to_be("frozen", lambda: group.is_frozen() and is_in(pid, NANOSLEEP, RESTARTED))
        held("stopped by the freezer", freeze, lambda pid: group.freeze(False), group.add)


def throttled():
    with cgroups.Throttled(0.05) as group:
        if not group:
            return say(True, "throttled: skipped, there is no cgroup to be had")
        before = 0

        def begin(agent, pid):
            nonlocal before
            waits_in(pid, NANOSLEEP)
            group.add(pid)
            before = group.throttled_ns()
            os.kill(pid, signal.SIGUSR1)
        run = Run([program("waits"), "throttled", "1"], {"": ["f_wait"]}, while_it_runs=begin, plain=TOLD_ONCE)
        judge("throttled", run)
        # Others that compete for the CPU preempt it besides; it waits for them once it has quota again.
        told, off = group.throttled_ns() - before, run.figures["f_wait"].off_cpu()
        say(told and off.get("THROTTLED", 0) > 0.9 * told, "throttled: is what the group was",
            "%.0f ms of %.0f; %s" % (off.get("THROTTLED", 0) / 1e6, told / 1e6, off))
