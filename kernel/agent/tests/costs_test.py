# SPDX-License-Identifier: GPL-2.0
"""
What probes cost: it is taken off the figures, and how sure that is is told.

The truth is what twins of the probed functions took, that were called in turn with them and
have no probes.  A figure may be wrong by what the agent itself says.
"""
import collections
import re
import tempfile

from checks import *
from machine import neighbours
from traces import read_trace, write_trace

COSTS = os.path.join(BUILD, "traced", "costs")


def recorded(arguments, *names):
    with Agent() as agent:
        functions, _ = agent.run([COSTS] + arguments, names)
        ended = agent.wait("recording_ended")
        figures = invariants(" ".join(arguments), agent, functions)
        return figures, truth_of(agent.output()), ended["calibration_note"]


# What was judged of all these tests: see tells().
judged = []


def tells(figure):
    """Where the bound is wider than what was removed, a figure of which nothing was removed would be within it as well."""
    return figure.uncertain_ns <= figure.removed_ns


def compared(figure, twin_ns, note):
    """Whether it is right, and in words; see say_by_most()."""
    error = figure.total("ON_CPU") - twin_ns
    # What was stolen the kernel may have charged to the clock by which the calls compute, and by which the twins are timed.
    off = figure.uncertain_ns + 0.03 * twin_ns
    is_right = -off - figure.total("STEAL") <= error <= off
    # One that is beyond a wide bound is wrong all the same.
    return is_right if tells(figure) or not is_right else None, \
        "%.1f us a call for %.1f; %.1f removed, %.1f uncertain, %.1f stolen; %s" % tuple(
            [ns / 1e3 / figure.calls for ns in (figure.total("ON_CPU"), twin_ns, figure.removed_ns, figure.uncertain_ns,
                                                figure.total("STEAL"))] + [note])


def lengths_of(text):
    """By function, of each call in a trace: how long it was from its entry to its exit, and its time in the figures."""
    begun, lengths = [], collections.defaultdict(list)
    for seconds, ns, event, name, rest in re.findall(
            r"(\d+)\.(\d{9})\].*kview:call_(entry|exit): .*?\"(\w+)\" : container = \d+ \)(.*)", text):
        at_ns = int(seconds) * 10 ** 9 + int(ns)
        if event == "entry":
            begun.append(at_ns)
        else:
            lengths[name].append((at_ns - begun.pop(), int(rest.split(",")[3])))
    return lengths


def subtraction():
    """
    What is taken off a call is what its probes, and those of the calls within it, are said to cost: an equation,
    whatever that is on this machine.
    """
    calls, inner_calls = 50, 20
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        functions, reply = agent.run([COSTS, "cold", str(calls), str(inner_calls), "1"], ["f_outer", "f_inner"], events=True)
        agent.wait("recording_ended")
        figures = agent.figures(functions)
        write_trace(agent, reply, folder)
        lengths = lengths_of(read_trace(folder)[2])
        costs = {f["name"]: p for f, p in zip(functions, reply["probes"])}
    expected = costs["f_outer"]["inner_cost_ns"] + inner_calls * costs["f_inner"]["call_cost_ns"]
    removed = [length - wall for length, wall in lengths["f_outer"]]
    # A page is made in the first call; and what a thread loses in a probe to others is no call's either, and told.
    beyond, waited = [ns - expected for ns in removed], figures["f_outer"].waited_ns
    say(len(removed) == calls and min(beyond) == 0 and sum(beyond[1:]) <= waited <= sum(beyond),
        "what is removed is the sum of what probes cost", "%d ns of a call, from %d of %d calls; %d ns beyond that in the first one, %d in others; waits %d" %
        (expected, beyond.count(0), calls, sum(beyond[:1]), sum(beyond[1:]), waited))
    for name in ("f_outer", "f_inner"):
        equal("what is removed from calls of %s is told" % name, figures[name].removed_ns,
              sum(length - wall for length, wall in lengths[name]))


# By pair: how often its outer function is called and, in each of its calls, the inner one.
SEVERAL = {"push": (100, 100), "push_jumps": (100, 100), "step": (100, 100), "step_jumps": (100, 100), "loop": (20, 5),
           "cold": (200, 50), "far": (200, 50)}


def several():
    """
    Ends of two classes in one function, one stepped and one emulated: each is taken off as what it is, to the ns in
    tests/unit/charged.c.  Jumps that stay inside, which have cost time and are no calls.  A program that uses its caches
    between probed calls, as most do.
    """
    names = {pair: ("f_outer", "f_inner") if pair == "cold" else ("f_outer_" + pair, "f_" + pair) for pair in SEVERAL}

    def recording():
        mostly = []
        figures, truth, note = recorded(["several"], *(name for both in names.values() for name in both))
        figures_of = {}
        for pair, both in names.items():
            outer, inner = (figures[name] for name in both)
            rounds, calls = SEVERAL[pair]
            equal("%s: calls" % pair, (outer.calls, inner.calls, inner.count("WALL")), (rounds, rounds * calls, rounds * calls))
            say(outer.removed_ns > inner.removed_ns > 0 if pair != "loop" else inner.removed_ns > 0.5 * outer.removed_ns,
                pair + ": what was removed is told", "%.1f us a call, %.1f of the inner one" % (
                    outer.removed_ns / 1e3 / rounds, inner.removed_ns / 1e3 / rounds / calls))
            if pair in ("cold", "far"):
                say(outer.uncertain_ns > 0 and 0 < inner.uncertain_ns < outer.uncertain_ns,
                    pair + ": what calls within it add is uncertain as well")
            figures_of[pair + ": as without probes"] = compared(outer, truth["twin_%s.cpu" % pair], note)
            mostly.append(abs(outer.total("ON_CPU") - truth["twin_%s.cpu" % pair]) < 0.5 * outer.removed_ns)
        outer, inner = figures["f_outer_loop"], figures["f_loop"]
        equal("passed sites are counted", (inner.passed, outer.passed), (100000, 0))
        say(inner.cost_ns > 10 * outer.cost_ns, "what they cost counts as that function's",
            "%.1f ms, the outer one's %.1f ms" % (inner.cost_ns / 1e6, outer.cost_ns / 1e6))
        # However wide the bounds are.
        figures_of["several: of most pairs most of it is removed, and no more"] = sum(mostly) > len(mostly) / 2, \
            "%d of %d" % (sum(mostly), len(mostly))
        return figures_of
    judged.extend(say_by_most(recording))


def first_step():
    """The kernel makes a page for a process with the first probe that needs it: once, and dear."""
    for pair, outer, inner, x, what in (("step", "f_outer_step", "f_step", "0", "the first step"),
                                        ("page", "f_outer_step", "f_step", "0", "a page that was there before"),
                                        ("cold", "f_outer", "f_inner", "0", "the first replaced return")):
        def recording():
            figures, truth, note = recorded([pair, "1", "1", x], outer, inner)
            return {what: compared(figures[outer], truth["twin.cpu"], note)}
        judged.extend(say_by_most(recording, 5))


def seldom():
    """
    A function that is called after each sleep: its probes find nothing of theirs in any cache, and cost up to ten times as much.
    What that adds to the figure is in its bound, and what the process pays is told, however wide the bound is.
    """
    for calls, sleep_ms in ((100, 5), (60, 20)):
        def recording():
            figures, truth, note = recorded(["seldom", str(calls), str(1000 * sleep_ms)], "f_inner")
            f, paid = figures["f_inner"], truth["probes.cpu"]
            off = f.total("ON_CPU") - truth["twin"]
            return {"a call after %d ms of sleep: as without probes" % sleep_ms: (
                        abs(off) <= f.uncertain_ns, "%.1f us too much, %.1f uncertain, of %.1f; %s" % tuple(
                            [ns / 1e3 / calls for ns in (off, f.uncertain_ns, truth["twin"])] + [note])),
                    "a call after %d ms of sleep: what its probes took is told" % sleep_ms: (
                        paid / 4 <= f.cost_ns <= 4 * paid, "%.1f us a call of %.1f" % (f.cost_ns / 1e3 / calls, paid / 1e3 / calls))}
        judged.extend(say_by_most(recording))


def beside_neighbours(arguments, *names):
    with Agent() as agent:
        pid = agent.request("launch", arguments=arguments)["pid"]
        functions = agent.find(pid, "", *names)
        agent.record(pid, functions)
        with neighbours(pid):
            agent.request("resume", pid=pid)
            agent.wait("process_exited", where=lambda b: b["pid"] == pid)
        agent.wait("recording_ended")
        return invariants("beside neighbours: " + names[0], agent, functions), truth_of(agent.output())


def waits_in_probes():
    """
    A function of some hundred us calls others so often that their probes take a second.  Nearly
    always it is one of these that the scheduler takes off the CPU.
    """
    for pair, outer, inner, calls, what in (("step", "f_outer_step", "f_step", 50000, "steps"),
                                            ("cold", "f_outer", "f_inner", 400000, "replaced returns")):
        def recording():
            f, truth = beside_neighbours([COSTS, pair, "1", str(calls), "0"], outer, inner)
            for figure, name in ((f[outer], "a function around "), (f[inner], "functions with ")):
                waits = figure.total("PREEMPTED") + figure.total("RUN_QUEUE")
                # By the bound, and where that is wide by what was seen: 1 to 8 % of all waits, more where few are long.
                say(waits <= figure.uncertain_ns and waits < 0.5 * figure.waited_ns, name + what + " is not what waits",
                    "%.1f ms are its own, %.1f ms were removed, %.1f ms are uncertain" % (waits / 1e6, figure.waited_ns / 1e6, figure.uncertain_ns / 1e6))
                say(figure.removed_ns > figure.waited_ns < 8 * figure.uncertain_ns, name + what + ": that is told",
                    "%.1f ms removed, %.1f ms uncertain" % (figure.removed_ns / 1e6, figure.uncertain_ns / 1e6))
            # What the scheduler says the thread waited within the function is in its figures, or was removed from them.
            told, truly = f[outer].waited_ns + f[outer].total("PREEMPTED") + f[outer].total("RUN_QUEUE"), truth["probed.waited"]
            say(truly > 50e6 and abs(told - truly) <= 0.02 * truly + 20e6, "a function around %s: all waits are told" % what,
                "%.1f ms of %.1f" % (told / 1e6, truly / 1e6))
            # Of the time that was stolen from it the twin has no part.
            is_off = f[outer].total("WALL") - f[outer].total("STEAL") - truth["twin.cpu"]
            if tells(f[outer]):
                judged.append(what)
            return {"a function around %s reads as without probes" % what: (
                abs(is_off) <= min(f[outer].uncertain_ns, 0.5 * f[outer].removed_ns),
                "%.1f ms too much, %.1f ms are uncertain; of its probes %.1f ms of waiting; %.1f ms were stolen" % tuple(
                    ns / 1e6 for ns in (is_off, f[outer].uncertain_ns, f[outer].waited_ns, f[outer].total("STEAL"))))}
        say_by_most(recording)


def waits_of_its_own():
    """One that computes by itself waits by itself."""
    f, truth = beside_neighbours([PLAIN, "spin", "300"], "f_spin")
    waits, truly = f["f_spin"].total("PREEMPTED") + f["f_spin"].total("RUN_QUEUE"), truth["f_spin.waited"]
    say(truly > 50e6 and waits > 0.9 * truly, "a function that computes waits itself",
        "%.1f ms, %.1f ms were removed, of %.1f ms" % (waits / 1e6, f["f_spin"].waited_ns / 1e6, truly / 1e6))


def of_all():
    say(judged, "figures were judged by bounds that tell", "; ".join(judged))


run_tests(waits_in_probes, waits_of_its_own, subtraction, several, seldom, first_step, of_all)
