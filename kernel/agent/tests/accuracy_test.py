# SPDX-License-Identifier: GPL-2.0
"""
Figures against clocks that the traced programs read themselves.

How long a thread waits for a CPU is the machine's load.  So what is compared is the time without these waits: of the
figures by their causes, and of the programs by the scheduler's own account of the same calls.  A program reads that
account and its clocks in one moment, in which it did not wait.
"""
import json
import os
import tempfile

from checks import *

DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../workloads/build/kview-demo")
FOR_A_CPU = ("RUN_QUEUE", "PREEMPTED")
BY_OTHERS = FOR_A_CPU + ("STEAL", "THROTTLED")


def waits(f):
    return sum(f.total(m) for m in FOR_A_CPU)


def of_its_own(f):
    return {m: ns for m, ns in f.off_cpu().items() if m not in BY_OTHERS}


def own_time(name, f, truth):
    """
    What the kernel takes from a wake-up until the thread is in a queue counts as waiting in the figures, and not in its
    account: by so much as they tell more, those within probes included, the time without may be less.
    """
    expected, own = truth["wall"] - truth["waited"], f.total("WALL") - waits(f)
    late = max(0, waits(f) + f.waited_ns - truth["waited"]) if sum(of_its_own(f).values()) else 0
    say(-0.01 * expected - late <= own - expected <= 0.01 * expected, name + ": wall, without waits for a CPU",
        "%.0f for %.0f, %+.2f %%; waits %.1f ms, and %.1f within probes, of %.1f" % (
            own, expected, 100 * (own / expected - 1), waits(f) / 1e6, f.waited_ns / 1e6, truth["waited"] / 1e6))


def measured(what, function):
    """Of 300 calls: the figures, and what the program has read."""
    with Agent() as agent:
        functions, reply = agent.run([PLAIN, what, "300"], [function])
        f = invariants(what, agent, functions)[function]
        truth = {k.partition(".")[2]: ns for k, ns in truth_of(agent.output()).items()}
        for clock in ("wall", "cpu"):
            truth[clock] -= reply["probes"][0]["call_cost_ns"] * f.calls
        return f, truth


def computing():
    f, truth = measured("spin", "f_spin")
    own_time("2 ms of computing", f, truth)
    told = waits(f) + f.waited_ns
    # One or another may fall between a clock and a probe.
    say(abs(told - truth["waited"]) <= 0.1 * truth["waited"] + 20e6, "2 ms of computing: waits for a CPU",
        "%.1f ms of %.1f" % (told / 1e6, truth["waited"] / 1e6))
    within("2 ms of computing: on-CPU", f.total("ON_CPU"), truth["cpu"], 0.01)
    say(sum(of_its_own(f).values()) < 0.001 * f.total("WALL"), "off the CPU by others alone", f.off_cpu())


def sleeping():
    f, truth = measured("sleep", "f_sleep")
    own_time("2 ms of sleep", f, truth)
    # The kernel charges some us of each wake-up to the thread's clock.
    within("2 ms of sleep: of it asleep", f.total("SLEEP"), truth["wall"] - truth["waited"] - truth["cpu"], 0.02)


def demo():
    """Each function of the demo, and why it is slow."""
    with tempfile.TemporaryDirectory() as folder, Agent() as agent:
        path = os.path.join(folder, "truth.json")
        functions, reply = agent.run([DEMO, "--seconds", "4", "--truth", path],
                                     ["render_page", "poll_queue", "price_basket", "flush_cache",
                                      "build_index", "fetch_rates", "walk_tree", "lookup_price"])
        figures = invariants("demo", agent, functions)
        call_ns = {f["name"]: p["call_cost_ns"] for f, p in zip(functions, reply["probes"])}
        with open(path) as file:
            truths = json.load(file)["functions"]
    for truth in truths:
        f, name, cause = figures[truth["name"]], truth["name"], truth["cause"].upper()
        equal(name + ": calls", f.calls, truth["calls"])
        # The caller's clocks include the probes; the figures do not.
        probes = call_ns[name] * f.calls
        clocks = dict(wall=truth["wall_total_ns"] - probes, waited=truth["waited_total_ns"])
        on_cpu = truth["on_cpu_total_ns"] - probes
        if clocks["wall"] / f.calls >= 1e6:
            own_time(name, f, clocks)
        if cause == "ON_CPU" and on_cpu / f.calls >= 1e6:
            within(name + ": on-CPU", f.total("ON_CPU"), on_cpu, 0.01)
        off = {m: ns for m, ns in f.off_cpu().items() if m not in ("STEAL", "THROTTLED")}
        if cause == "PREEMPTED":
            share = off.get(cause, 0) / max(1, sum(off.values()))
        elif cause == "ON_CPU":
            share = 1 - sum(of_its_own(f).values()) / (f.total("ON_CPU") + sum(of_its_own(f).values()))
        else:
            share = of_its_own(f).get(cause, 0) / max(1, sum(of_its_own(f).values()))
        say(share >= 0.9, name + ": is " + truth["cause"], "%.1f %%; %s" % (
            100 * share, {m: "%.0f us" % (ns / 1e3 / f.calls) for m, ns in off.items()}))


run_tests(computing, sleeping, demo)
