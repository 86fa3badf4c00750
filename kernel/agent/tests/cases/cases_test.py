# SPDX-License-Identifier: GPL-2.0
"""Small programs, each with one thing that real programs do and probes could get wrong."""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import cgroups  # noqa: E402
from checks import *  # noqa: E402
from truth import Run, fates_differ, time_differs, times, truth_functions  # noqa: E402

CASES = os.path.join(BUILD, "cases")


def program(name):
    return os.path.join(CASES, name)


def judge(name, run, all_timed=True):
    """Unharmed, counted, accounted for; and figures that are right or marked."""
    say(not run.harm(), name + ": unharmed", run.harm())
    for function in truth_functions(run.truth):
        f = run.figures.get(function)
        if not f:
            continue
        wrong = fates_differ(f, run.truth, function)
        say(not wrong, "%s: calls of %s" % (name, function), wrong or "%d" % f.calls)
        if all_timed:
            returned = run.truth[function + ".returned"]
            equal("%s: %s is timed" % (name, function), f.count("WALL"), returned)
        if function + ".cpu" in run.truth:
            cpu, returned = run.truth[function + ".cpu"], run.truth[function + ".returned"]
            wrong = "" if f.cut else time_differs(f, cpu, returned)
            say(not wrong, "%s: time of %s" % (name, function), wrong or times(f, cpu, returned))
    say(run.losses["missed_returns"] == 0 and run.losses["unaccounted_calls"] == 0,
        name + ": nothing is unaccounted for", run.losses)
    return run


def coroutines():
    for way, binary in (("hand", "coroutines-by-hand"), ("hand", "coroutines"), ("libc", "coroutines")):
        for size in ("16384", "1048576"):
            name = "%s by %s, stacks of %s" % (binary, way, size)
            # A call that waits on a stack that was left may be lost, and is told then.
            judge(name, Run([program(binary), way, size, "500"], {"": ["f_*"]}), all_timed=False)


def signals():
    for where in ("above", "below", "same"):
        for binary, how in (("signals-no-jump", "return"), ("signals", "return"), ("signals", "jump")):
            judge("%s on a stack %s, by %s" % (binary, where, how),
                  Run([program(binary), where, how, "100"], {"": ["f_*"]}))


def ends():
    for what, n, inner, probes in (
            ("mixed-push", "20", "50", {"": ["f_outer", "f_push", "f_leaf"]}),
            ("mixed-step", "20", "50", {"": ["f_outer", "f_step", "f_leaf"]}),
            ("conditional", "20", "2", {"": ["f_outer", "f_loop"]}),
            ("tail", "10", "5000", {"": ["f_handle", "f_process"]}),
            ("qsort", "5", "200000", {"libc.so.6": ["qsort"]})):
        judge("ends, " + what, Run([program("ends"), what, n, inner], probes))
    run = Run([program("ends"), "tail", "10", "5000"], {"": ["f_handle"]})
    judge("ends, tail, its target not probed", run)
    # Both a share of the time and a mean: a cache's worth of memory is touched between two calls.
    judge("ends, nested and cold", Run([program("ends"), "nested", "40", "50"],
                                       {"": ["f_cold_outer", "f_cold_inner"]}))


def waits():
    for what, causes in (("sleep", {"SLEEP"}), ("timerfd", {"SLEEP"}), ("eventfd", {"LOCK", "NETWORK"}),
                         ("sigwait", {"OTHER"}), ("child", {"OTHER"}), ("vfork", {"OTHER"})):
        run = Run([program("waits"), what, "5"], {"": ["f_wait"]})
        judge("waits, " + what, run)
        waited(what, run, causes)


def waited(what, run, causes, share=0.8):
    f = run.figures["f_wait"]
    off = {k: v for k, v in f.off_cpu().items() if k not in ("RUN_QUEUE", "PREEMPTED", "STEAL")}
    part = sum(off.get(cause, 0) for cause in causes) / max(1, sum(off.values()))
    say(part >= share, "waits, %s: is %s" % (what, " or ".join(sorted(c.lower() for c in causes))),
        "%.0f %% of %s" % (100 * part, {k: "%.1f ms" % (v / 1e6) for k, v in off.items()}))


def stopped():
    """By a signal, within a sleep; by the freezer."""
    def by_signal(agent, pid):
        for _ in range(5):
            time.sleep(0.1)
            os.kill(pid, 19)
            time.sleep(0.3)
            os.kill(pid, 18)
    run = Run([program("waits"), "stopped", "20"], {"": ["f_wait"]}, while_it_runs=by_signal)
    judge("stopped by a signal", run)
    waited("stopped by a signal", run, {"STOPPED"}, 0.5)

    with cgroups.Frozen() as group:
        if not group:
            return say(True, "stopped by the freezer: skipped, there is no cgroup to be had")

        def by_freezer(agent, pid):
            group.add(pid)
            for _ in range(5):
                time.sleep(0.1)
                group.freeze(True)
                time.sleep(0.3)
                group.freeze(False)
        run = Run([program("waits"), "frozen", "20"], {"": ["f_wait"]}, while_it_runs=by_freezer)
        judge("stopped by the freezer", run)
        waited("stopped by the freezer", run, {"STOPPED"}, 0.5)


def throttled():
    with cgroups.Throttled(0.05) as group:
        if not group:
            return say(True, "throttled: skipped, there is no cgroup to be had")
        run = Run([program("waits"), "throttled", "3"], {"": ["f_wait"]},
                  while_it_runs=lambda agent, pid: group.add(pid))
        judge("throttled", run)
        waited("throttled", run, {"THROTTLED"})
        # Others that compete for the CPU preempt it besides, and it waits for them once it has
        # quota again.
        told, off = group.throttled_ns(), run.figures["f_wait"].off_cpu()
        say(told and off.get("THROTTLED", 0) > 0.9 * told, "throttled: is what the group was",
            "%.0f ms of %.0f; %s" % (off.get("THROTTLED", 0) / 1e6, told / 1e6, off))


def children():
    run = Run([program("children"), "20000"], {"": ["f_work"]})
    judge("a child of the process", run)
    child, plain = run.truth["child_ns"], run.plain.stderr.decode().split("child_ns ")[1].split()[0]
    say(child < int(plain) + 100, "a child of the process: pays nothing", "%d ns a call, %s without probes" % (child, plain))


def wrapped():
    """A shell script that becomes a program that throws through what is probed."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper = os.path.join(folder, "wrapper")
        with open(wrapper, "w") as file:
            file.write("#!/bin/sh\nexec %s\n" % program("throws"))
        os.chmod(wrapper, 0o755)
        run = Run([wrapper], {program("throws"): ["f_through"]})
        judge("a script that becomes the program", run, all_timed=False)


def loaded_later():
    run = Run([program("loads"), program("libloaded.so")], {"": ["f_callback"]})
    judge("a library that throws, loaded later", run)


if __name__ == "__main__":
    run_tests(coroutines, signals, *(quiet_moment(t) for t in (ends, waits, stopped, throttled)),
              children, wrapped, loaded_later)
