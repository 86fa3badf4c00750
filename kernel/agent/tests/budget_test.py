# SPDX-License-Identifier: GPL-2.0
"""
Probes that cost more than they may come off, and what else is measured stays exact.

Programs run until something has happened, and some time longer; so how fast it happens decides nothing.
"""
import re
import signal
import time

import cgroups
from checks import *
from truth import time_differs, times

FIVE_PERCENT, TWO_FIFTHS = 50000, 400000


def spends(program, arguments, names, until, seconds, **options):
    """Ends the program so many seconds after one of the figures is what is waited for."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[os.path.join(BUILD, "traced", program)] + arguments)["pid"]
        functions = agent.find(pid, "", *names)
        agent.record(pid, functions, interval_ms=50, **options)
        agent.request("resume", pid=pid)
        agent.wait("histogram_delta", where=until)
        time.sleep(seconds)
        os.kill(pid, signal.SIGUSR1)
        agent.wait("process_exited", where=lambda b: b["pid"] == pid)
        ended = agent.wait("recording_ended")
        figures = agent.figures(functions)
        for name, f in figures.items():
            equal("%s: every call of %s is accounted for" % (program, name), f.unaccounted(), 0)
        losses = agent.losses()
        equal(program + ": and nothing is in no list",
              (losses["unaccounted_calls"], losses["unmatched_returns"]), (0, 0))
        return figures, truth_of(agent.output()), ended, agent.all("histogram_delta")[-1]


def comes_off(delta):
    return any(f["probes_off"] for f in delta["functions"])


def has_calls(delta):
    return any(f["calls"] > 1000 for f in delta["functions"])


def ended_once(f):
    """Timed, or lost since it lasted on after links had changed hands: one that was off the CPU for a second."""
    return f.count("WALL") + f.lost["probes_off"]


def hot_function():
    """Two threads: where links change hands no call counts twice, and none is missed."""
    for program in ("spender", "spender-jumps"):
        def recording():
            f, truth, ended, last = spends(program, ["2", "1000", "500000"], ["f_hot", "f_kept"], comes_off, 0.5,
                                           budget_ppm=FIVE_PERCENT)
            hot, kept = f["f_hot"], f["f_kept"]
            say(hot.off_ns > 0 and "budget is 5 %" in hot.off and hot.calls < truth["hot"],
                program + ": the dear one comes off", "%d of %d calls; %s" % (hot.calls, truth["hot"], hot.off))
            within(program + ": its share is that of the sentence", hot.off_ppm / 1e4,
                   float(re.search(r"cost ([0-9.]+) %", hot.off)[1]), 0.01)
            equal(program + ": the other one has none", kept.off_ppm, 0)
            say(hot.count("WALL") > 0, program + ": what it measured before stays", hot.count("WALL"))
            equal(program + ": the other one goes on", (kept.off, kept.off_ns), ("", 0))
            equal(program + ": each call of it once", (kept.calls, ended_once(kept)), (truth["kept"], truth["kept"]))
            equal(program + ": and the recording as well", ended["reason"], "PROCESS_ENDED")
            say(0 < last["probes_cost_ns"] <= last["process_cpu_ns"], program + ": shares are told",
                "%.0f of %.0f ms" % (last["probes_cost_ns"] / 1e6, last["process_cpu_ns"] / 1e6))
            # The kernel may charge what was stolen to the clock by which it computes.
            stolen = kept.total("STEAL")
            wrong = time_differs(kept, truth["kept.cpu"], truth["kept"], charged_ns=stolen)
            return {program + ": its time": (not wrong, "%s; %.1f ms stolen" % (
                wrong or times(kept, truth["kept.cpu"], truth["kept"]), stolen / 1e6))}
        say_by_most(recording)


def unknown_cost():
    """What could not be measured is not taken for nothing: the budget holds all the same."""
    with cgroups.Processes() as group:
        if not group:
            return say(True, "unknown cost: skipped, there is no cgroup to be had")
        with Agent() as agent:
            pid = agent.request("launch", arguments=[os.path.join(BUILD, "traced", "spender"), "2", "1000", "500000"])["pid"]
            functions = agent.find(pid, "", "f_hot", "f_kept")
            group.add(agent.pid)
            try:
                reply = agent.record(pid, functions, interval_ms=50, budget_ppm=FIVE_PERCENT)
            finally:
                group.leave(agent.pid)
            say(all(p["call_cost_ns"] == 0 for p in reply["probes"]) and "take 10 µs for each call" in reply["calibration_note"],
                "it is told that the cost is not known", reply["calibration_note"])
            agent.request("resume", pid=pid)
            agent.wait("histogram_delta", where=comes_off)
            os.kill(pid, signal.SIGUSR1)
            agent.wait("recording_ended")
            hot = agent.figures(functions)["f_hot"]
            say("budget is 5 %" in hot.off, "a function comes off whose cost is not known", hot.off)
            equal("and nothing is taken off its time", hot.removed_ns, hot.waited_ns)


def links_change_hands():
    """
    The other one is called some 10 000 times a second while its links are replaced, the last of them a second later.
    Both shares are so far from the budget that a machine on which probes cost twice as much as they were measured to does not shift them over it.
    """
    for program, kept_ns in (("spender", "50000"), ("spender-jumps", "100000")):
        f, truth, ended, _ = spends(program, ["2", "300", kept_ns], ["f_hot", "f_kept"], comes_off, 1.5, budget_ppm=TWO_FIFTHS)
        hot, kept = f["f_hot"], f["f_kept"]
        say(hot.off_ns > 0, program + ": one comes off", hot.off)
        equal(program + ": each call of a busy one once", (kept.off, kept.calls, ended_once(kept)),
              ("", truth["kept"], truth["kept"]))


def nothing_left():
    f, truth, ended, _ = spends("spender", ["2", "1000", "200000"], ["f_hot"], comes_off, 0.5, budget_ppm=FIVE_PERCENT)
    equal("all functions are too dear", ended["reason"], "OVER_BUDGET")
    say(ended["message"].endswith(".") and "budget is 5 %" in ended["message"], "it is said why",
        ended["message"])
    hot = f["f_hot"]
    say(hot.off and 0 < hot.calls < truth["hot"], "what was measured until then is there",
        "%d of %d calls" % (hot.calls, truth["hot"]))


def shared_continuation():
    """What makes it dear is the function that its calls go on in: that is given up, not the function."""
    for budget in (0, FIVE_PERCENT):
        f, truth, ended, _ = spends("tails", ["10"], ["f_rare"], lambda d: any(f["cut_calls" if budget else "calls"] for f in d["functions"]),
                                    1.5 if budget else 0.3, budget_ppm=budget)
        rare, name = f["f_rare"], "goes on in what all call, %s" % ("with a budget" if budget else "without one")
        equal(name + ": it keeps its probes", (rare.off, rare.calls, ended["reason"]), ("", truth["rare"], "PROCESS_ENDED"))
        if budget:
            say(0 < rare.cut < rare.calls, name + ": its calls end at the jump from then on",
                "%d of %d calls" % (rare.cut, rare.calls))
        else:
            equal(name + ": its calls are followed", rare.cut, 0)


def left_alone():
    f, truth, ended, last = spends("spender", ["1", "1000", "200000"], ["f_hot", "f_kept"], has_calls, 0.5)
    equal("without a budget nothing comes off", (f["f_hot"].calls, f["f_hot"].off, ended["reason"]),
          (truth["hot"], "", "PROCESS_ENDED"))
    say(f["f_hot"].cost_ns > 10 * f["f_kept"].cost_ns > 0 and last["probes_cost_ns"] > 0,
        "and what it costs is told", "%.0f ms" % (f["f_hot"].cost_ns / 1e6))
    # 100 pauses a second and a call each time: 0.2 % of a CPU where probes are dear, which is no harm whatever share of its own it is.
    f, truth, ended, _ = spends("spender", ["1", "1", "200000", "pause"], ["f_hot"], lambda d: any(f["calls"] for f in d["functions"]), 1.5,
                                budget_ppm=1000)
    equal("a process that mostly sleeps is left alone", (f["f_hot"].calls, f["f_hot"].off),
          (truth["hot"], ""))


run_tests(hot_function, unknown_cost, links_change_hands, nothing_left, shared_continuation, left_alone)
