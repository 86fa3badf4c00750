# SPDX-License-Identifier: GPL-2.0
"""What a generated program says of itself, and what a recording of it says."""
import os
import random

from checks import BUILD
from generate import GRAPHS
from truth import LONG_NS, HeldUp, Run, error_of, fates_differ, run_plain, time_differs, truth_of

FOLDER = os.path.join(BUILD, "generated")


def names_of(program):
    """The functions that are probed: half of the programs have half of theirs probed."""
    chosen = random.Random(program.seed * 31)
    return [f.name for f in program.functions if program.seed % 2 or chosen.random() < 0.5]


def charged_to(run, name):
    """What the thread's clock may have counted beside what it ran: as it got a CPU, or of what the recording calls stolen."""
    return run.truth[name + ".charged"] + min(run.truth[name + ".jumped"], run.figures[name].total("STEAL"))


def compared(run):
    """
    Figures of whole times: not of functions that are marked as cut, or of which calls were lost.  With what they took in truth,
    and how much of that the thread may only have been charged.
    """
    for name, f in run.figures.items():
        returned, cpu = run.truth.get(name + ".returned", 0), run.truth.get(name + ".cpu", 0)
        if returned and cpu >= LONG_NS * returned and f.count("WALL") == returned and not f.cut:
            yield name, f, returned, cpu, charged_to(run, name)


def gaps_of(plain, run):
    """
    What the program takes between its pieces of work, by function: the most that it did in several runs
    without probes, and what chance may have added in this one.
    """
    truths, held_up = [truth_of(p.stderr) for p in plain], HeldUp(run.truth)
    most = {name: max(t.get(name + ".gap", 0) for t in truths) for name in run.figures}
    return {name: ns + held_up.most_ns(ns) for name, ns in most.items()}


def times_of(run, gaps):
    """By function, in words: those that are beyond their stated bound."""
    wrong = {}
    for name, f, returned, cpu, charged in compared(run):
        differs = time_differs(f, cpu, returned, gaps[name], charged)
        if differs:
            wrong[name] = "%s; %s; %s" % (differs, terms(run, name), run.ended["calibration_note"] or "costs settled")
    return wrong


def terms(run, name):
    """What a figure and its truth are made of, so that one that is wrong explains itself: sums of all calls, in us."""
    f, parts = run.figures[name], ["%s %d" % (what, run.truth.get(name + "." + what, 0) / 1e3) for what in ("cpu", "charged", "jumped")]
    parts = ["%s %d" % (m.lower(), s["total"] / 1e3) for m, s in f.metrics.items()] + \
        ["removed %d" % (f.removed_ns / 1e3), "of it waited %d" % (f.waited_ns / 1e3), "inner %d" % (f.inner_ns / 1e3),
         "longest on-cpu %d" % (f.max("ON_CPU") / 1e3)] + ["in truth: " + parts[0]] + parts[1:]
    return "%s; %d calls, %d inconsistent, %d passed sites; healed in all: %d" % (
        ", ".join(parts), f.calls, f.inconsistent, f.passed, run.losses["healed_switches"])


# Of a program of which a time is beyond its bound.  By chance one is in each of them once in 10^10 times.
RECORDINGS = 5


class Judgement:
    """Of one program: what harm was done, whose calls and whose times are wrong; and whose are in each of some recordings."""

    def __init__(self, program, path):
        self.program, self.path, self.graphs = program, path, GRAPHS
        self.functions = self.refused = self.calls = self.not_timed = self.compared = self.telling = self.error = self.removed = 0
        self.harm, self.fates, self.times, self.always = "", {}, {}, {}
        try:
            self.judge()
        except Exception as error:  # of a thousand programs the others are judged as well
            self.harm = "it could not be recorded: %r" % error

    def judge(self):
        plain = [run_plain([self.path], ["WITH_GAPS=1"])]
        if plain[0].returncode != self.program.status():
            self.harm = "without probes it ends with %d, not with %d" % (plain[0].returncode, self.program.status())
            return
        run = self.record(plain[0])
        plain += [run_plain([self.path], ["WITH_GAPS=1"]) for _ in range(2)]
        self.functions = len(run.functions)
        self.refused = len(names_of(self.program)) - len(run.functions)
        self.calls = sum(f.calls for f in run.figures.values())
        self.not_timed = sum(sum(f.lost.values()) + f.cut for f in run.figures.values())
        gaps = gaps_of(plain, run)
        for name, f, returned, cpu, charged in compared(run):
            self.compared += 1
            self.telling += f.uncertain_ns < cpu
            self.error += error_of(f, cpu, gaps[name], charged)
            self.removed += f.removed_ns
        self.times = times_of(run, gaps)
        self.always = dict(self.times)
        for _ in range(RECORDINGS - 1):
            if not self.always or self.harm:
                break
            run = self.record(plain[0])
            again = times_of(run, gaps_of(plain, run))
            self.always = {name: again[name] for name in self.always if name in again}

    def record(self, plain):
        """No harm is done in any recording, and each call is accounted for."""
        run = Run([self.path], {"": names_of(self.program)}, plain=plain)
        self.harm = self.harm or run.harm()
        for name, f in run.figures.items():
            wrong = f.unaccounted() and "%d calls in no list" % f.unaccounted() if self.harm else \
                fates_differ(f, run.truth, name)
            if wrong:
                self.fates[name] = wrong
        if run.losses["unaccounted_calls"]:
            self.fates["all"] = "%d calls that the agent itself can't account for" % run.losses["unaccounted_calls"]
        return run

    def wrong(self):
        """A line for each thing that is."""
        if self.harm:
            yield "seed %d: %s" % (self.program.seed, self.harm)
        for found in (self.fates, self.times):
            for name in found:
                yield self.where({name: found[name]})

    def where(self, functions):
        name = next(iter(functions))
        graph = name[1:].split("_")[0]
        return "seed %d, %s: %s (%d functions in all; %s)" % (
            self.program.seed, name, functions[name], len(functions), "--seed %d --graph %s" % (self.program.seed, graph))
