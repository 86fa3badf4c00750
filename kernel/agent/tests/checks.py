# SPDX-License-Identifier: GPL-2.0
"""Lines that run.sh counts, with figures; what every recording must satisfy."""
import os
import sys
import traceback

from agent import Agent, AgentError, bounds

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else
                        os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build"))
PLAIN, PLAIN_FORKING, JUMPS, THROWS = (
    os.path.join(BUILD, "traced", p) for p in ("plain", "plain-forking", "jumps", "throws"))


held_back = None


def known_reds():
    """What is known not to hold yet, with a sentence each: see known-reds.txt."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "known-reds.txt")) as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    return dict(line.split(" | ", 1) for line in lines)


KNOWN_REDS = known_reds()


def say(good, name, figures=""):
    if held_back is not None:
        held_back.append((good, name, figures))
        return good
    if name in KNOWN_REDS and not os.environ.get("KVIEW_ALL_REDS"):
        if not good:
            print("known %s: %s; %s" % (name, KNOWN_REDS[name], figures), flush=True)
            return True
        if not KNOWN_REDS[name].startswith("at times"):
            good, figures = False, "it holds now, so take it off known-reds.txt; %s" % figures
    print("%s %s%s" % ("ok" if good else "not ok", name, ": " + str(figures) if figures != "" else ""),
          flush=True)
    return good


def equal(name, got, expected):
    return say(got == expected, name, got if got == expected else "%s, expected %s" % (got, expected))


def within(name, got, expected, share):
    error = got / expected - 1 if expected else float("inf")
    return say(abs(error) <= share, name, "%.0f for %.0f, %+.2f %%" % (got, expected, 100 * error))


def refused(name, code, call):
    try:
        call()
    except AgentError as error:
        return say(error.code == code and str(error).endswith("."), name, error)
    return say(False, name, "was not refused")


def quiet_moment(test, attempts=3):
    """
    A comparison of two clocks that are not read at the same instant: on a busy machine the
    program can lose the CPU in between.  What is right once is not wrong by chance before.
    """
    def attempt():
        global held_back
        for number in range(1, attempts + 1):
            held_back = []
            try:
                test()
            finally:
                lines, held_back = held_back, None
            if number == attempts or all(good or name in KNOWN_REDS for good, name, _ in lines):
                break
        for good, name, figures in lines:
            say(good, name, figures if number == 1 else "%s (attempt %d)" % (figures, number))
    attempt.__name__ = test.__name__
    return attempt


def run_tests(*tests):
    """A test that raises is one that failed, and the next ones run."""
    for test in tests:
        try:
            test()
        except Exception as error:  # whatever it is
            traceback.print_exc()
            say(False, test.__name__, repr(error))


def buckets_fit(sums):
    """Total and maximum lie where the buckets say."""
    low = sum(n * bounds(i)[0] for i, n in sums["buckets"].items())
    high = sum(n * (bounds(i)[1] - 1) for i, n in sums["buckets"].items())
    top = bounds(max(sums["buckets"]))
    return low <= sums["total"] <= high and top[0] <= sums["max"] < top[1]


def invariants(name, agent, functions, expect_losses=False):
    """At the end every call is accounted for, and every ns of every function."""
    figures = agent.figures(functions)
    losses = agent.losses()
    unaccounted = {n: f.unaccounted() for n, f in figures.items() if f.unaccounted()}
    lost = sum(sum(f.lost.values()) for f in figures.values())
    time = {n: f.total("WALL") - f.total("ON_CPU") - sum(f.off_cpu().values())
            for n, f in figures.items()}
    counts = all(f.count("WALL") == f.count("ON_CPU") for f in figures.values())
    fit = all(buckets_fit(s) for f in figures.values() for s in f.metrics.values() if s["count"])
    good = fit and not unaccounted and losses["unaccounted_calls"] == 0 and \
        not any(time.values()) and counts and losses["figures_lost"] == 0 and \
        (expect_losses or lost == 0) and losses["missed_returns"] == 0
    if not good:
        say(False, name + " adds up", "unaccounted %s, lost %d, time %s, losses %s, buckets fit: %s" %
            (unaccounted, lost, time, losses, fit))
    else:
        say(True, name + " adds up", "%d calls" % sum(f.calls for f in figures.values()))
    return figures


def truth_of(output):
    return {k: int(v) for k, v in (line.split() for line in output.decode().splitlines() if line)}


__all__ = [n for n in dir() if not n.startswith("_")]
