# SPDX-License-Identifier: GPL-2.0
"""
Figures against those of another instrument, bpftrace, of the same run of a real program.

usage: counted.py BUILD [--only NAME] [--seed N]

Both are attached before the program's first instruction.  Counts must be the same; the wall-clock
total of functions of 2 ms a call and more, without what the thread waited for a CPU, must be within 2 %,
or inside the stated bound: between the two instruments' clocks it can have to wait.  bpftrace reads the
scheduler's own account of that.  Only C that leaves its functions by returns is measured so, as bpftrace
replaces return addresses.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from agent import Agent, wait_until  # noqa: E402
from battery import batch_round, find_all, record, sample  # noqa: E402
from checks import equal, run_tests, say, say_by_most  # noqa: E402
import subjects  # noqa: E402
from truth import SHARE, run_plain  # noqa: E402

LONG_NS = 2000000
WAITED = "curtask->sched_info.run_delay"
# Not what lives on the C library's functions: bpftrace's probes would stop every process there.
SUBJECTS = [subjects.Python, subjects.Sqlite, subjects.Xz]
FUNCTIONS = 12
judged = []


class Recursive(Exception):
    """Of such a function the other tells the outermost calls alone, in each recording."""


class Bpftrace:
    """Counts the calls of some functions of a process, and sums up the time of some of them."""

    def __init__(self, program, pid, counted, timed):
        # The file's other processes meet its probes as well.
        own = "/pid == %d/" % pid
        lines = ["uprobe:%s:%s %s { @calls[\"%s\"] = count(); }" % (f["binary"], f["symbol"], own, f["symbol"])
                 for f in counted]
        for f in timed:
            where = "%s:%s" % (f["binary"], f["symbol"])
            # The outermost call of a thread alone.
            lines.append("uprobe:%s %s { @calls[\"%s\"] = count(); if (@depth[tid, \"%s\"] == 0) { @begin[tid, \"%s\"] = nsecs - %s; } @depth[tid, \"%s\"]++; }" %
                         ((where, own) + (f["symbol"],) * 3 + (WAITED, f["symbol"])))
            lines.append("uretprobe:%s %s { @returns[\"%s\"] = count(); @depth[tid, \"%s\"]--; if (@depth[tid, \"%s\"] == 0) "
                         "{ @wall[\"%s\"] = sum(nsecs - %s - @begin[tid, \"%s\"]); @outer[\"%s\"] = count(); } }" %
                         ((where, own) + (f["symbol"],) * 4 + (WAITED,) + (f["symbol"],) * 2))
        if timed:
            lines.append("END { clear(@depth); clear(@begin); }")
        self.process = subprocess.Popen([program, "-f", "json", "-p", str(pid), "-e", "\n".join(lines)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wanted = len(counted) + 2 * len(timed)

    def attached(self):
        """All of its probes are, as the kernel lists them."""
        listed = json.loads(subprocess.run(["bpftool", "-j", "perf"], capture_output=True, check=True).stdout or "[]")
        mine = [p for p in listed if p["pid"] == self.process.pid and p["fd_type"].startswith(("uprobe", "uretprobe"))]
        return len(mine) >= self.wanted or self.process.poll() is not None

    def result(self):
        """It ends with the process that it watches; a signal that comes while it prints would end that."""
        try:
            out, errors = self.process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGINT)
            out, errors = self.process.communicate(timeout=120)
        maps = {}
        for line in out.decode().splitlines():
            message = json.loads(line) if line.startswith("{") else {}
            if message.get("type") in ("map", "hist", "stats"):
                maps.update(message["data"])
        if not maps:
            raise RuntimeError("bpftrace said nothing: " + errors.decode()[-500:])
        return maps


def own_time(figure):
    """Without what the thread waited for a CPU: how long that is says nothing of the function."""
    return figure.total("WALL") - figure.total("RUN_QUEUE") - figure.total("PREEMPTED")


def choose(subject, seed):
    """Functions that are called, not too often for two instruments; those that take long are timed."""
    functions, _ = find_all(subject.binaries)
    some = sample(functions, subject.hot, 250, seed)
    round_ = batch_round(subject, some, {}, 60)
    called = sorted((round_.figures[i].calls, i) for i in round_.figures if 0 < round_.figures[i].calls < 20000)
    called = [(some[i], round_.figures[i]) for _, i in called]
    timed = [f for f, g in called if g.count("WALL") and own_time(g) >= LONG_NS * g.count("WALL") and not g.cut]
    timed = timed[:3]
    counted = [f for f, _ in called if f not in timed]
    counted = counted[::max(1, len(counted) // FUNCTIONS)]
    return counted, timed


def both_run(subject, program, counted, timed):
    """The figures of both instruments, by symbol."""
    both = counted + timed
    with Agent() as agent:
        pid = agent.request("launch", arguments=subject.arguments)["pid"]
        other = Bpftrace(program, pid, counted, timed)
        if not wait_until(other.attached, 180):
            raise TimeoutError("bpftrace did not attach")
        record(agent, pid, both, {})
        agent.request("resume", pid=pid)
        exited = agent.wait("process_exited", 120, lambda b: b["pid"] == pid)
        agent.wait("recording_ended")
        maps = other.result()
        figures = agent.figures(both)
    return {f["symbol"]: figures[f["name"].split("(")[0]] for f in both}, maps, exited


def time_by_both(subject, program, function, title):
    """Whether the two agree, and in words; see say_by_most().  They must have seen the same calls each time."""
    figures, maps, _ = both_run(subject, program, [], [function])
    symbol = function["symbol"]
    mine = figures[symbol]
    calls, returns, outer, theirs = (maps.get(name, {}).get(symbol, 0) for name in ("@calls", "@returns", "@outer", "@wall"))
    equal("%scalls and returns of %s" % (title, symbol), (mine.calls, mine.count("WALL")), (calls, returns))
    own = own_time(mine)
    if outer != returns:
        raise Recursive("of %d calls the other tells %d, the outermost" % (returns, outer))
    good = abs(own - theirs) <= max(SHARE * theirs, mine.uncertain_ns)
    why = "it was fast this time; " if theirs < LONG_NS * returns else ""
    return None if why else good, "%s%.3f ms in %d calls, %.3f ms, stated bound %.3f" % (
        why, own / 1e6, mine.count("WALL"), theirs / 1e6, mine.uncertain_ns / 1e6)


def compare(kind, program, seed):
    folder = tempfile.mkdtemp(prefix="kview-battery-")
    title = "by bpftrace too, %s: " % kind.name
    try:
        try:
            subject = kind(folder)
        except subjects.Missing as missing:
            print("skipped %s%s is not here" % (title, missing), flush=True)
            return
        subject.plain = run_plain(subject.arguments)
        counted, timed = choose(subject, seed)
        figures, maps, _ = both_run(subject, program, counted + timed, [])
        calls = maps.get("@calls", {})
        wrong = ["%s %d, %d" % (s, f.calls, calls.get(s, 0)) for s, f in figures.items() if f.calls != calls.get(s, 0)]
        say(not wrong and calls, title + "calls", "; ".join(wrong) or "%d functions, %d calls" % (
            len(figures), sum(f.calls for f in figures.values())))
        # One at a time: what one instrument's probes cost within a call is in the other's figure.
        for f in timed:
            name = title + "time of " + f["symbol"]
            try:
                judged.extend(say_by_most(lambda: {name: time_by_both(subject, program, f, title)}))
            except Recursive as why:
                print("# %s: not judged, %s" % (name, why), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("build")
    parser.add_argument("--only")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    program = shutil.which("bpftrace")
    if not program:
        print("skipped by bpftrace too: it is not here", flush=True)
        say(True, "by bpftrace too: skipped")
        return
    tests = []
    for kind in SUBJECTS:
        if arguments.only in (None, kind.name):
            def test(kind=kind):
                compare(kind, program, arguments.seed)
            test.__name__ = "by bpftrace too, " + kind.name
            tests.append(test)

    def times_by_bpftrace_too():
        if judged:
            say(True, "by bpftrace too: times were compared", "; ".join(judged))
        else:
            # Which functions take that long is up to the machine's speed.
            print("skipped by bpftrace too: no function took %.1f ms a call, or none could be compared" % (LONG_NS / 1e6), flush=True)
    run_tests(*tests, times_by_bpftrace_too)


main()
