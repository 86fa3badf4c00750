# SPDX-License-Identifier: GPL-2.0
"""Runs of the cases, and whether they came out right."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import *  # noqa: E402
from truth import Run, fates_differ, time_differs, times, truth_functions  # noqa: E402,F401

CASES = os.path.join(BUILD, "cases")


def read(path):
    with open(path) as file:
        return file.read()


def program(name):
    return os.path.join(CASES, name)


def times_of(name, run):
    """By name, whether the time of a function is right, marked, or inside the stated bound; see say_by_most()."""
    judged = {}
    for function, f in run.figures.items():
        cpu, returned = run.truth.get(function + ".cpu"), run.truth.get(function + ".returned")
        if cpu is not None:
            # The thread's clock may have counted it, although the recording knows that it was stolen.
            charged = min(f.total("STEAL"), run.truth.get(function + ".jumped", float("inf")))
            wrong = "" if f.cut else time_differs(f, cpu, returned, charged_ns=charged)
            judged["%s: time of %s" % (name, function)] = not wrong, (wrong or times(f, cpu, returned)) + \
                ", of %.1f stolen %.1f may be charged" % (f.total("STEAL") / 1e3, charged / 1e3)
    return judged


def judge(name, run, all_timed=True, times=True):
    """Unharmed, counted, accounted for; and figures that are right or marked, unless somebody else looks at them."""
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
    say(run.losses["missed_returns"] == 0 and run.losses["unaccounted_calls"] == 0,
        name + ": nothing is unaccounted for", run.losses)
    for what, (good, text) in times_of(name, run).items() if times else ():
        say(good, what, text)
    return run
