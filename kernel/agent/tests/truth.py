# SPDX-License-Identifier: GPL-2.0
"""
Recordings against what the traced program says of itself.

The truth is a dictionary "FUNCTION.WHAT": how many calls returned, were left (by longjmp or an
exception) or still ran at the end, and the CPU time of all that returned, without the probes'.
"""
import math
import os
import signal
import subprocess

from agent import BINARY, Agent

SHARE = 0.02      # of a figure; or the bound that the agent states
LONG_NS = 100000  # calls that are shorter are not compared by time


class Run:
    """One recorded run of a program, and the same without probes."""

    def __init__(self, arguments, probes, environment=(), before_it_runs=None, while_it_runs=None, timeout=300,
                 plain=None, command=(BINARY,), **options):
        self.plain = plain or run_plain(arguments, environment)
        with Agent(command=command) as agent:
            self.pid = agent.request("launch", arguments=arguments, environment=environment)["pid"]
            self.functions = []
            for binary, patterns in probes.items():
                self.functions += agent.find(self.pid, binary, *patterns)
            # One of several aliases stands for all.
            self.functions = [f for f in {(f["binary"], f["file_offset"]): f for f in self.functions}.values()
                              if f["probeable"]]
            self.reply = agent.record(self.pid, self.functions, **options)
            if before_it_runs:
                before_it_runs(agent, self.pid)
            agent.request("resume", pid=self.pid)
            if while_it_runs:
                while_it_runs(agent, self.pid)
            self.exited = agent.wait("process_exited", timeout, lambda b: b["pid"] == self.pid)
            self.ended = agent.wait("recording_ended")
            self.figures = agent.figures(self.functions)
            self.losses = agent.losses()
            self.output, self.errors = agent.output(), agent.output(error_stream=True)
        self.agent_errors = agent.errors()
        self.truth = truth_of(self.errors)

    def harm(self):
        """Empty, or how the program did otherwise than without probes."""
        status = -self.exited["status"] if self.exited["signalled"] else self.exited["status"]
        if status != self.plain.returncode:
            name = signal.Signals(-status).name if status < 0 else status
            return "ended with %s instead of %s" % (name, self.plain.returncode)
        if self.output != self.plain.stdout:
            return "said %r instead of %r" % (self.output[-200:], self.plain.stdout[-200:])
        return ""


def run_plain(arguments, environment=()):
    return subprocess.run(arguments, capture_output=True, timeout=300, check=False,
                          env=os.environ | dict(e.split("=", 1) for e in environment))


def truth_of(errors):
    truth = {}
    for line in errors.decode(errors="replace").splitlines():
        name, _, value = line.partition(" ")
        if value.isdigit():
            truth[name] = int(value)
    return truth


def truth_functions(truth):
    return sorted({k.rsplit(".", 1)[0] for k in truth if k.endswith(".returned")})


def fates_differ(f, truth, name):
    """Empty, or how the calls of a function ended otherwise than it says."""
    returned, left, running = (truth.get("%s.%s" % (name, w), 0) for w in ("returned", "left", "running"))
    timed, lost = f.count("WALL"), sum(f.lost.values())
    wrong = []
    if f.calls != returned + left + running:
        wrong.append("%d calls of %d" % (f.calls, returned + left + running))
    # A call that was left may be seen so only at the end, when it counts as unfinished.
    # One that is cut is timed although what it went on to may be left, or still run.
    elif timed > returned + f.cut or returned - timed > lost or f.abandoned > left or f.unfinished > left + running:
        wrong.append("timed %d, abandoned %d, unfinished %d, lost %s; returned %d, left %d, running %d" %
                     (timed, f.abandoned, f.unfinished, {k: v for k, v in f.lost.items() if v},
                      returned, left, running))
    if f.unaccounted():
        wrong.append("%d calls in no list" % f.unaccounted())
    return "; ".join(wrong)


class HeldUp:
    """
    By how much chance may lengthen what a program's clocks don't see: interrupts come at random, so that the mean
    and the variance of what they take grow with the time that they can come in.  How often they do and how long
    they take is what the program saw in its pieces of work.
    """

    def __init__(self, truth):
        ns = truth.get("pieces.ns", 0) or 1
        self.share, self.square = truth.get("pieces.held_up", 0) / ns, truth.get("pieces.squares", 0) / ns

    def most_ns(self, ns):
        """The mean, and four standard deviations: few and long ones are beyond two often."""
        return self.share * ns + 4 * math.sqrt(self.square * ns)


def times(f, cpu_ns, returned):
    """Of a call, in words: the figure, the truth and the bound that is stated."""
    timed = max(1, f.count("ON_CPU"))
    return "%.1f us of %.1f, stated bound %.1f" % (f.total("ON_CPU") / timed / 1e3, cpu_ns / max(1, returned) / 1e3,
                                                   f.uncertain_ns / timed / 1e3)


def error_of(f, cpu_ns, gap_ns=0, charged_ns=0):
    """
    How far a figure is from the truth, in ns and with its sign.  The truth lies between cpu_ns - charged_ns, which a
    thread may have been charged while it did not run, and cpu_ns + gap_ns, which the program's own clocks don't see.
    """
    error = f.total("ON_CPU") - cpu_ns
    return error - min(max(error, 0), gap_ns) + min(max(-error, 0), charged_ns)


def time_differs(f, cpu_ns, returned, gap_ns=0, charged_ns=0):
    """Empty, or how far the figure is from the truth, see error_of, where it is beyond the stated bound; all of calls that returned."""
    timed = f.count("ON_CPU")
    if not timed or not returned:
        return "nothing was timed"
    share = timed / returned
    truth = cpu_ns * share
    error = error_of(f, truth, gap_ns * share, charged_ns * share)
    if abs(error) <= max(SHARE * truth, f.uncertain_ns):
        return ""
    return "%.1f us on-CPU a call, in truth %.1f (%+.1f %%), stated bound %.1f" % (
        f.total("ON_CPU") / timed / 1e3, truth / timed / 1e3, 100 * error / truth if truth else 0,
        f.uncertain_ns / timed / 1e3)
