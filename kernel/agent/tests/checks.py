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


def say(good, name, figures=""):
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


def say_by_most(measure, recordings=3):
    """
    The bound of a figure is stated to hold for 99 of 100.  So a first recording that is within it is enough; where that
    is beyond, most of some recordings decide, and there are no more than it takes.  measure() makes one: by name,
    whether the figure is within, and a text; None where that recording can't tell right from wrong.  All else in a recording must be right each time, and is
    said by measure() itself.  run.sh counts the first recordings of all tests: of those about 99 of 100 must be within,
    which tells of what is often wrong.  Returns the names that were judged.
    """
    seen, needed = {}, recordings // 2 + 1

    def verdict(name):
        told = [good for good, _ in seen[name] if good is not None]
        if told[:1] == [True]:
            return True
        return next((good for good in (True, False) if told.count(good) >= needed), None)

    for _ in range(recordings):
        for name, (good, text) in measure().items():
            verdicts = seen.setdefault(name, [])
            if good is not None and all(earlier is None for earlier, _ in verdicts):
                print("# first recording %s: %s" % ("within" if good else "beyond", name), flush=True)
            verdicts.append((None if good is None else bool(good), text))
        if all(verdict(name) is not None for name in seen):
            break
    judged = []
    for name, verdicts in seen.items():
        good = verdict(name)
        texts = [text for each, text in verdicts if each is good]
        if good is not None:
            judged.append(name)
            say(good, name, "%s (in %d of %d recordings)" % (texts[0], len(texts), len(verdicts)))
        else:
            print("# %s: not judged, %d recordings could not tell: %s" % (name, len(texts), texts[:1]), flush=True)
    return judged


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
