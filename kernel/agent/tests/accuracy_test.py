# SPDX-License-Identifier: GPL-2.0
"""Figures against clocks that the traced programs read themselves."""
import json
import os
import tempfile

from checks import *

DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../workloads/build/kview-demo")


def computing():
    with Agent() as agent:
        functions, _ = agent.run([PLAIN, "spin", "300"], ["f_spin"])
        f = invariants("computing", agent, functions)["f_spin"]
        truth = truth_of(agent.output())
        within("2 ms of computing: wall", f.total("WALL"), truth["f_spin.wall"], 0.01)
        within("2 ms of computing: on-CPU", f.total("ON_CPU"), truth["f_spin.cpu"], 0.01)
        off = {m: v for m, v in f.off_cpu().items() if m not in ("PREEMPTED", "STEAL")}
        say(sum(off.values()) < 0.001 * f.total("WALL"), "off the CPU by preemption alone", f.off_cpu())


def sleeping():
    with Agent() as agent:
        functions, _ = agent.run([PLAIN, "sleep", "300"], ["f_sleep"])
        f = invariants("sleeping", agent, functions)["f_sleep"]
        truth = truth_of(agent.output())
        within("2 ms of sleep: wall", f.total("WALL"), truth["f_sleep.wall"], 0.01)
        within("2 ms of sleep: of it asleep", f.total("SLEEP") / 300, 2060000, 0.05)


def demo():
    """Each function of the demo, and why it is slow."""
    with tempfile.TemporaryDirectory() as folder, Agent() as agent:
        path = os.path.join(folder, "truth.json")
        functions, reply = agent.run([DEMO, "--seconds", "6", "--truth", path],
                                     ["render_page", "poll_queue", "price_basket", "flush_cache",
                                      "build_index", "fetch_rates", "walk_tree", "lookup_price"])
        figures = invariants("demo", agent, functions)
        call_ns = {f["name"]: p["call_cost_ns"] for f, p in zip(functions, reply["probes"])}
        with open(path) as file:
            truths = json.load(file)["functions"]
        for truth in truths:
            f, name = figures[truth["name"]], truth["name"]
            equal(name + ": calls", f.calls, truth["calls"])
            # The caller's clocks include the probes; the figures do not.
            probes = call_ns[name] * f.calls
            wall, on_cpu = truth["wall_total_ns"] - probes, truth["on_cpu_total_ns"] - probes
            off = {m: v for m, v in f.off_cpu().items()}
            waited = sum(off.get(m, 0) for m in ("RUN_QUEUE", "PREEMPTED", "STEAL")) / max(1, f.total("WALL"))
            # On a busy machine the program loses the CPU between its clocks' readings and the probes,
            # too, and a recursive one counts each such wait at every level.
            if wall / f.calls >= 1e6:
                within(name + ": wall", f.total("WALL"), wall,
                       0.01 if truth["cause"] == "preempted" else 0.01 + 0.1 * waited)
            if truth["cause"] == "on_cpu" and on_cpu / f.calls >= 1e6:
                within(name + ": on-CPU", f.total("ON_CPU"), on_cpu, 0.01)
            # How long it waits for a CPU is the machine's load, not the function's nature.
            of_its_own = {m: v for m, v in off.items() if m not in ("RUN_QUEUE", "PREEMPTED", "STEAL")}
            cause = truth["cause"].upper()
            if cause == "PREEMPTED":
                share = off.get(cause, 0) / max(1, sum(off.values()))
            elif cause != "ON_CPU":
                share = of_its_own.get(cause, 0) / max(1, sum(of_its_own.values()))
            else:
                share = 1 - sum(of_its_own.values()) / f.total("WALL")
            say(share >= 0.9, name + ": is " + truth["cause"], "%.1f %%; %s" % (
                100 * share, {m: "%.0f us" % (v / 1e3 / f.calls) for m, v in off.items()}))


run_tests(*(quiet_moment(test) for test in (computing, sleeping, demo)))
