# SPDX-License-Identifier: GPL-2.0
"""
Programs of random call graphs, each with and without probes; any disagreement with what they say
of themselves is a failure, unless the figures are marked.

usage: generated_test.py BUILD [--seeds FROM-TO] [--minutes N] [--seed N [--graph K]]     KVIEW_AGENT_SAMPLES=all: 24 programs, and not 13

A seed is a program of 42 graphs, recorded once.  Fates and output are compared exactly.  Times are
compared within the bound that the agent states, which it may miss now and then, see promise.py.  A program
of which one did is recorded again: whose time is beyond its bound each time is wrong by itself.
"""
import argparse
import concurrent.futures
import math
import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from generate import DIALECTS, SEEDS, Program  # noqa: E402
from checks import say  # noqa: E402
from judgement import FOLDER, Judgement  # noqa: E402
from promise import most_by_chance  # noqa: E402

# Of what was removed: no bound that is stated is narrower.  Half of all programs are not beyond it by chance, as what a
# program's probes cost is measured just before and after it; at a load average of 26 the middle one had 0.02 to 0.05.
LEAST_BOUND = 0.25
# As many programs as the short form has.
AT_A_TIME = len(SEEDS)


def first(found):
    return "%d seeds: %s; first: %s" % (len(found), " ".join(str(j.program.seed) for j, _ in found), found[0][1]) if found else ""


def judge_each(programs, end):
    """They are compiled some at a time: what compiles beside a recording disturbs it."""
    for at in range(0, len(programs), AT_A_TIME):
        some = programs[at:at + AT_A_TIME]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            paths = list(pool.map(lambda p: p.compile(FOLDER), some))
        for program, path in zip(some, paths):
            if time.monotonic() > end:
                return
            yield Judgement(program, path)
        if len(programs) > AT_A_TIME:
            print("%d of %d programs" % (at + len(some), len(programs)), flush=True)


def judge_all(programs, end):
    judgements = []
    for judgement in judge_each(programs, end):
        judgements.append(judgement)
        for line in judgement.wrong():
            print("seen: load average %.1f, %s" % (os.getloadavg()[0], line), flush=True)
    for dialect in sorted({j.program.dialect for j in judgements}):
        some = [j for j in judgements if j.program.dialect == dialect]
        what = "%d graphs, %d functions (%d not probeable), %d calls, %d lost or cut and told" % (
            sum(j.graphs for j in some), sum(j.functions for j in some), sum(j.refused for j in some),
            sum(j.calls for j in some), sum(j.not_timed for j in some))
        name = "generated programs, %s: " % dialect
        harmed = [(j, "seed %d: %s" % (j.program.seed, j.harm)) for j in some if j.harm]
        say(not harmed, name + "unharmed", first(harmed) or what)
        fates = [(j, j.where(j.fates)) for j in some if j.fates]
        say(not fates, name + "what became of each call", first(fates) or what)
    judge_times(judgements)


def judge_times(judgements):
    """Of all programs together, as each says little of how often the stated bound is wrong."""
    judged = [j for j in judgements if j.compared]
    shares = sum(len(j.times) / j.compared for j in judged)
    most = most_by_chance(len(judged))
    figures = "%d of %d figures of %d programs beyond the stated bound, %.2f programs' worth of at most %.2f" % (
        sum(len(j.times) for j in judged), sum(j.compared for j in judged), len(judged), shares, most)
    wrong = [(j, j.where(j.times)) for j in judged if j.times]
    say(judged and shares <= most, "generated programs: times", figures + ("; " + first(wrong) if wrong else ""))
    always = [(j, j.where(j.always)) for j in judged if j.always]
    say(judged and not always, "generated programs: time of each function", first(always) or "%d figures, of %d the stated bound is narrower "
        "than the time; of %d programs other recordings were made" % (sum(j.compared for j in judged), sum(j.telling for j in judged),
                                                                     len(wrong)))
    errors = [j.error / max(1, j.removed) for j in judged]
    say(judged and abs(statistics.median(errors)) <= LEAST_BOUND, "generated programs: what was removed",
        "of %d programs the middle one's errors are %+.3f of it, from %+.2f to %+.2f" %
        (len(judged), statistics.median(errors or [0]), min(errors or [0]), max(errors or [0])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("build")
    parser.add_argument("--seeds")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--graph", type=int)
    parser.add_argument("--dialect", choices=sorted(DIALECTS))
    parser.add_argument("--minutes", type=float, default=math.inf, help="then no further program is recorded")
    arguments = parser.parse_args()
    os.makedirs(FOLDER, exist_ok=True)
    seeds = SEEDS
    if arguments.seed is not None:
        seeds = [arguments.seed]
    elif arguments.seeds:
        begin, _, end = arguments.seeds.partition("-")
        seeds = range(int(begin), int(end or begin) + 1)
    programs = [Program(seed, arguments.graph) for seed in seeds]
    end = time.monotonic() + 60 * arguments.minutes
    judge_all([p for p in programs if arguments.dialect in (None, p.dialect)], end)


main()
