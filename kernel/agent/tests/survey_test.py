# SPDX-License-Identifier: GPL-2.0
"""
Surveys: where the time of all threads of a process goes.  What the program tells of itself is the truth:
shares of its own functions in the time of their threads.
"""
import os
import shutil
import subprocess
import tempfile

from agent import Agent
from checks import *
from tree import Tree

WHERE = os.path.join(BUILD, "traced", "where")
# Points of a hundred between a share of the survey and the program's own.
POINTS = 3


class Where:
    """The program that tells how much time it spends where."""

    def __init__(self, program=WHERE):
        self.program = program

    def __enter__(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def told(self, begin_ns, end_ns):
        """What each function took between two moments."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        notes = {}
        for line in iter(self.process.stdout.readline, "\n"):
            at, *sums = line.split()
            notes[int(at)] = dict(zip(sums[::2], map(int, sums[1::2])))
        begin, end = (notes[min(notes, key=lambda at: abs(at - moment))] for moment in (begin_ns, end_ns))
        return {name: end[name] - begin[name] for name in end}


def share_is(name, got, expected):
    say(abs(100 * (got - expected)) <= POINTS, name, "%.1f %%, by its own account %.1f %%" % (100 * got, 100 * expected))


def part(told, function, others, clock):
    whole = sum(told[f + "." + clock] for f in others)
    return told[function + "." + clock] / whole if whole else 0


def shares():
    with Where() as where, Agent() as agent:
        pid = where.process.pid
        tree = Tree(agent.request("survey", pid=pid, duration_ms=4000, samples_per_second=4999))
        told = where.told(tree.reply["begin_ns"], tree.reply["end_ns"])
        for thread, functions, clock, metrics in (
                ("computes", ("heavy", "light"), "cpu", ("ON_CPU",)),
                ("computes", ("heavy", "light", "nap"), "wall", None),
                ("locks", ("take_lock", "rest"), "wall", None),
                ("shorts", ("short_a", "short_b"), "wall", None)):
            found = {f: tree.inclusive(f, thread, metrics) for f in functions}
            for f in functions:
                share_is("the share of %s in the %s time of %s" % (f, clock, thread),
                         found[f] / max(1, sum(found.values())), part(told, f, functions, clock))
        for function, thread, cause in (("nap", "computes", "SLEEP"), ("take_lock", "locks", "LOCK"),
                                        ("wait_forever", "waits", "NETWORK")):
            within_it = tree.inclusive(function, thread, (cause,)) / tree.inclusive(function, thread, None)
            waited = tree.inclusive(function, thread, None) - tree.inclusive(function, thread, ("ON_CPU", "RUN_QUEUE", "PREEMPTED"))
            say(tree.inclusive(function, thread, (cause,)) >= 0.99 * waited, "the waits of %s are %s" % (function, cause),
                "%.1f %% of its time" % (100 * within_it))
        everything_adds_up(tree)
        complete("without frame pointers", tree)
        say(tree.depth("deepest", "deep") >= 60, "calls within calls are all there", tree.depth("deepest", "deep"))
        print("# the survey took %.2f %% of the process's CPU time, its agent %.2f s" % spent(tree), flush=True)


def spent(tree):
    return (100 * tree.reply["cost_ns"] / max(1, tree.reply["process_cpu_ns"]), tree.reply["agent_cpu_ns"] / 1e9)


def everything_adds_up(tree):
    """The times of the tree are those of the threads, and no thread has more than there was."""
    seconds = tree.reply["end_ns"] - tree.reply["begin_ns"]
    wrong = []
    for thread in tree.reply["threads"]:
        waited = dict(zip(thread["causes"], thread["waited_ns"]))
        for metric, ns in dict(waited, ON_CPU=thread["on_cpu_ns"]).items():
            in_tree = sum(t["time_ns"] for t in tree.reply["times"] if (t["tid"], t["metric"]) == (thread["tid"], metric))
            if abs(in_tree - ns) > 1000 + 1e-6 * ns:
                wrong.append((thread["name"], metric, in_tree, ns))
        whole = sum(waited.values()) + thread["on_cpu_ns"]
        # The scheduler's account is up to date at each switch, and otherwise at each tick.
        if whole > seconds + 20e6:
            wrong.append((thread["name"], whole, seconds))
    equal("the times of the tree are those of the threads", wrong, [])


def complete(name, tree):
    quality = tree.reply["quality"]
    say(quality["complete_stacks"] >= 0.95 * quality["stacks"] > 0, "stacks go to the start of the thread: " + name,
        "%d of %d, %d cut, %d lost" % tuple(quality[f] for f in ("complete_stacks", "stacks", "cut_stacks", "lost_stacks")))


def surveyed(command, **options):
    """A program that runs until it is ended."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process, Agent() as agent:
        try:
            return Tree(agent.request("survey", pid=process.pid, **options))
        finally:
            process.kill()


def ends():
    tree = surveyed(["/usr/bin/python3", "-c", "import time; time.sleep(1)"], duration_ms=600000)
    say("ended before" in tree.reply["note"], "a survey ends with its process", tree.reply["note"])
    tree = surveyed(["sh", "-c", "sleep 1; exec sleep 600"], duration_ms=600000)
    say("executed another program" in tree.reply["note"], "and as it executes another program", tree.reply["note"])
    equal("of which it tells nothing", [t["name"] for t in tree.reply["threads"]], ["sh"])
    with Where() as where, Agent() as agent:
        asked = agent.send("survey", pid=where.process.pid, duration_ms=600000)
        agent.request("end_survey")
        reply = agent.answer(asked)
        say("ended before its time" in reply["note"] and reply["threads"], "and when that is asked for", reply["note"])
        refused("the end of a survey that is over", "BAD_REQUEST", lambda: agent.request("end_survey"))


def a_path_that_is_no_text():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(os.fsencode(folder), b"wh\xffere")
        shutil.copy(WHERE, path)
        with Where(path) as where, Agent() as agent:
            tree = Tree(agent.request("survey", pid=where.process.pid, duration_ms=200))
            say(tree.inclusive("wait_forever") > 0, "a program whose path is no valid text is surveyed")
            own = next(f for f in tree.reply["functions"] if f["symbol"] == "wait_forever")
            equal("and its path is not told", tree.reply["files"][own["file"] - 1]["path"], "")


def refusals():
    with Where() as where, Agent() as agent:
        pid = where.process.pid
        thread = next(t for t in map(int, os.listdir("/proc/%d/task" % pid)) if t != pid)
        for name, code, values in (("no process", "BAD_REQUEST", {}), ("a process that is not there", "NO_SUCH_PROCESS", dict(pid=0x3ffffff)),
                                   ("a kernel thread", "NOT_PROBEABLE", dict(pid=2)), ("a thread", "BAD_REQUEST", dict(pid=thread)),
                                   ("an hour", "TOO_MANY", dict(pid=pid, duration_ms=3600000)),
                                   ("a sample each ns", "TOO_MANY", dict(pid=pid, samples_per_second=1000000000)),
                                   ("a process with the number of one that has ended", "NO_SUCH_PROCESS", dict(pid=pid, start_time_ns=1))):
            refused("a survey of " + name, code, lambda: agent.request("survey", **values))
        functions = agent.find(pid, "", "heavy")
        agent.record(pid, functions)
        refused("a survey beside a recording", "BUSY", lambda: agent.request("survey", pid=pid))
        agent.stop()
        asked = agent.send("survey", pid=pid, duration_ms=600000)
        refused("a recording beside a survey", "BUSY", lambda: agent.record(pid, functions))
        refused("a second survey", "BUSY", lambda: agent.request("survey", pid=pid))
        agent.request("end_survey")
        agent.answer(asked)
        agent.record(pid, functions)
        say(agent.stop()["reason"] == "REQUESTED", "a recording after a survey")


PYTHON = """
import json, threading, time, zlib, os
def compute():
    while True: json.loads(json.dumps(list(range(2000)))); zlib.compress(b"kview" * 2000)
def wait(): 
    while True: time.sleep(0.003)
threading.Thread(target=wait, daemon=True).start()
compute()
"""


def real_programs():
    tree = surveyed(["/usr/bin/python3", "-c", PYTHON], duration_ms=2000)
    complete("python3", tree)
    say(tree.inclusive("deflate") > 0, "a library that it loaded is seen", "%.0f ms" % (tree.inclusive("deflate") / 1e6))


run_tests(shares, real_programs, ends, a_path_that_is_no_text, refusals)
