# SPDX-License-Identifier: GPL-2.0
"""
Programs of random call graphs, each with and without probes; any disagreement with what they say
of themselves is a failure, unless the figures are marked.

usage: generated_test.py BUILD [--seeds FROM-TO] [--seed N [--graph K]]

A seed is a program of 25 graphs.  Fates and output are compared exactly; a time counts as wrong
when it is in three runs of the program, for the same function.
"""
import argparse
import concurrent.futures
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from generate import DIALECTS, GRAPHS, SEEDS, Program  # noqa: E402
from checks import BUILD, say  # noqa: E402
from truth import LONG_NS, Run, fates_differ, run_plain, time_differs, truth_of  # noqa: E402

FOLDER = os.path.join(BUILD, "generated")


def wrong_times(run, gaps):
    """By function; those that are marked as cut, or of which calls were lost, tell no whole time."""
    found = {}
    for name, f in run.figures.items():
        returned, cpu = run.truth.get(name + ".returned", 0), run.truth.get(name + ".cpu", 0)
        if returned and cpu >= LONG_NS * returned and f.count("WALL") == returned and not f.cut:
            wrong = time_differs(f, cpu, returned, gaps.get(name + ".gap", 0))
            if wrong:
                found[name] = wrong
    return found


class Judgement:
    """Of one program: what harm was done, whose calls and whose times are wrong."""

    def __init__(self, program, path):
        self.program = program
        # Half of the programs have half of their functions probed.
        chosen = random.Random(program.seed * 31)
        names = [f.name for f in program.functions if program.seed % 2 or chosen.random() < 0.5]
        plain = run_plain([path], ["WITH_GAPS=1"])
        run = Run([path], {"": names}, plain=plain)
        self.graphs, self.functions = GRAPHS, len(run.functions)
        self.refused = len(names) - len(run.functions)
        self.calls = sum(f.calls for f in run.figures.values())
        self.harm = run.harm()
        self.fates, self.times, self.not_timed = {}, {}, 0
        for name, f in run.figures.items():
            wrong = f.unaccounted() and "%d calls in no list" % f.unaccounted() if self.harm else \
                fates_differ(f, run.truth, name)
            if wrong:
                self.fates[name] = wrong
            self.not_timed += sum(f.lost.values()) + f.cut
        if run.losses["unaccounted_calls"]:
            self.fates["all"] = "%d calls that the agent itself can't account for" % run.losses["unaccounted_calls"]
        if self.harm or self.fates:
            return
        gaps = truth_of(plain.stderr)
        self.times = wrong_times(run, gaps)
        for _ in range(2):
            if self.times:
                again = wrong_times(Run([path], {"": names}, plain=plain), gaps)
                self.times = {n: w for n, w in again.items() if n in self.times}

    def where(self, functions):
        name = next(iter(functions))
        graph = name[1:].split("_")[0]
        return "seed %d, %s: %s (%d functions in all; %s)" % (
            self.program.seed, name, functions[name], len(functions), "--seed %d --graph %s" % (self.program.seed, graph))


def first(found):
    return "%d seeds: %s; first: %s" % (len(found), " ".join(str(j.program.seed) for j, _ in found), found[0][1]) if found else ""


def judge_all(programs):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = list(pool.map(lambda p: p.compile(FOLDER), programs))
    judgements = [Judgement(p, path) for p, path in zip(programs, paths)]
    for dialect in sorted({p.dialect for p in programs}):
        some = [j for j in judgements if j.program.dialect == dialect]
        what = "%d graphs, %d functions (%d not probeable), %d calls, %d lost or cut and told" % (
            sum(j.graphs for j in some), sum(j.functions for j in some), sum(j.refused for j in some),
            sum(j.calls for j in some), sum(j.not_timed for j in some))
        name = "generated programs, %s: " % dialect
        harmed = [(j, "seed %d: %s" % (j.program.seed, j.harm)) for j in some if j.harm]
        say(not harmed, name + "unharmed", first(harmed) or what)
        fates = [(j, j.where(j.fates)) for j in some if j.fates]
        say(not fates, name + "what became of each call", first(fates) or what)
        times = [(j, j.where(j.times)) for j in some if j.times]
        say(not times, name + "times", first(times) or what)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("build")
    parser.add_argument("--seeds", default="%d-%d" % (SEEDS[0], SEEDS[-1]))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--graph", type=int)
    parser.add_argument("--dialect", choices=sorted(DIALECTS))
    arguments = parser.parse_args()
    os.makedirs(FOLDER, exist_ok=True)
    begin, _, end = arguments.seeds.partition("-")
    seeds = [arguments.seed] if arguments.seed is not None else range(int(begin), int(end or begin) + 1)
    programs = [Program(seed, arguments.graph) for seed in seeds]
    judge_all([p for p in programs if arguments.dialect in (None, p.dialect)])


main()
