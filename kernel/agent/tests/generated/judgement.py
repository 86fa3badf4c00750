# SPDX-License-Identifier: GPL-2.0
"""What a generated program says of itself, and what a recording of it says."""
import os
import random

from checks import BUILD
from generate import GRAPHS
from truth import LONG_NS, HeldUp, Run, fates_differ, run_plain, time_differs, truth_of

FOLDER = os.path.join(BUILD, "generated")


def names_of(program):
    """The functions that are probed: half of the programs have half of theirs probed."""
    chosen = random.Random(program.seed * 31)
    return [f.name for f in program.functions if program.seed % 2 or chosen.random() < 0.5]


def compared(run):
    """Figures of whole times: not of functions that are marked as cut, or of which calls were lost."""
    for name, f in run.figures.items():
        returned, cpu = run.truth.get(name + ".returned", 0), run.truth.get(name + ".cpu", 0)
        if returned and cpu >= LONG_NS * returned and f.count("WALL") == returned and not f.cut:
            yield name, f, returned, cpu


def gaps_of(plain, run):
    """
    What the program takes between its pieces of work, by function: the most that it did in several runs
    without probes, and what chance may have added in this one.
    """
    truths, held_up = [truth_of(p.stderr) for p in plain], HeldUp(run.truth)
    most = {name: max(t.get(name + ".gap", 0) for t in truths) for name in run.figures}
    return {name: ns + held_up.most_ns(ns) for name, ns in most.items()}


def error_of(f, cpu, gap):
    """How far a figure is from the truth, which lies between cpu and so much more; in ns, with its sign."""
    beyond = f.total("ON_CPU") - cpu
    return beyond - min(max(beyond, 0), gap)


class Judgement:
    """Of one program: what harm was done, whose calls and whose times are wrong."""

    def __init__(self, program, path):
        self.program = program
        names = names_of(program)
        plain = [run_plain([path], ["WITH_GAPS=1"])]
        run = Run([path], {"": names}, plain=plain[0])
        plain += [run_plain([path], ["WITH_GAPS=1"]) for _ in range(2)]
        self.graphs, self.functions = GRAPHS, len(run.functions)
        self.refused = len(names) - len(run.functions)
        self.calls = sum(f.calls for f in run.figures.values())
        self.harm = run.harm()
        self.fates, self.times, self.not_timed, self.compared = {}, {}, 0, 0
        for name, f in run.figures.items():
            wrong = f.unaccounted() and "%d calls in no list" % f.unaccounted() if self.harm else \
                fates_differ(f, run.truth, name)
            if wrong:
                self.fates[name] = wrong
            self.not_timed += sum(f.lost.values()) + f.cut
        if run.losses["unaccounted_calls"]:
            self.fates["all"] = "%d calls that the agent itself can't account for" % run.losses["unaccounted_calls"]
        gaps = gaps_of(plain, run)
        self.error = self.removed = 0
        for name, f, returned, cpu in compared(run):
            self.compared += 1
            self.error += error_of(f, cpu, gaps[name])
            self.removed += f.removed_ns
            wrong = time_differs(f, cpu, returned, gaps[name])
            if wrong:
                self.times[name] = wrong

    def where(self, functions):
        name = next(iter(functions))
        graph = name[1:].split("_")[0]
        return "seed %d, %s: %s (%d functions in all; %s)" % (
            self.program.seed, name, functions[name], len(functions), "--seed %d --graph %s" % (self.program.seed, graph))
