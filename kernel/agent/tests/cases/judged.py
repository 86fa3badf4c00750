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


def quietly(judge_one):
    """One run with figures of time; it alone is repeated where others' work disturbed it."""
    quiet_moment(judge_one, attempts=5)()
