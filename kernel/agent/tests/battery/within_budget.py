# SPDX-License-Identifier: GPL-2.0
"""
What real programs lose of their speed by probes that have a budget: a server, and an interpreter.

usage: within_budget.py BUILD [--functions N] [--seconds S]

Two processes get the same requests, some ms of work at a time, in turn; one of them is probed.  Compared is the CPU time that
each used for them, so what else the machine does is in both, and by which factor the two differ without probes is measured
before and after.  The middle turn is judged, as by chance some are off by the half, and most of some recordings decide.
"""
import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from agent import Agent, wait_until  # noqa: E402
from battery import find_all, sample, stop  # noqa: E402
from checks import run_tests, say, say_by_most  # noqa: E402
from servers import ConnectedRedis  # noqa: E402
from slowdown import BUDGET_PPM, came_off, cpu_seconds, probes_of  # noqa: E402
from subjects import Python  # noqa: E402
import subjects  # noqa: E402
from telling import Commanded  # noqa: E402

# Of the CPU time without probes.  The budget is 0.05; the rest is for what probes that are left do to caches, and for chance.
MOST = 1.25
REQUESTS = 300


class Asked:
    """What is asked for some ms of work; ask_all() has it done, and right."""

    def asleep(self):
        with open("/proc/%d/stat" % self.pid) as file:
            return file.read().rpartition(") ")[2][0] == "S"

    def cpu_seconds(self):
        """That it used for all of them.  What a thread still uses since its last tick or switch is in no other one's sight."""
        begin = cpu_seconds(self.pid)
        self.ask_all()
        if not wait_until(self.asleep, 20):
            raise TimeoutError("%s goes on after its answers" % self.name)
        return cpu_seconds(self.pid) - begin


class AskedRedis(Asked, ConnectedRedis):
    """Gets many requests at once: what it does besides them, as waiting for them, is little then."""

    def prepare(self):
        super().prepare()
        items = [b"%d" % (i * 7 % 50) for i in range(50)]
        self.requests, self.answers = self.array(b"RPUSH", b"list", *items), b":50\r\n"
        self.ask_all()
        requests, answers = [], []
        for i in range(REQUESTS):
            key, value = b"key%d" % i, b"value%d" % i
            requests += self.array(b"SET", key, value), self.array(b"GET", key), self.array(b"LRANGE", b"list", b"0", b"-1")
            answers += b"+OK\r\n", self.text(value), self.array(*items)
        self.requests, self.answers = b"".join(requests), b"".join(answers)

    def ask_all(self):
        self.socket.sendall(self.requests)
        if self.file.read(len(self.answers)) != self.answers:
            raise ValueError("wrong answers")


class AskedPython(Asked, Commanded, Python):
    """Computes for each line that it reads."""
    script = """
import json, sys
for line in sys.stdin:
    words = [str(i * 7919 % 1000) for i in range(4000)]
    print(sum(map(int, json.loads(json.dumps(sorted(words))))), flush=True)
"""

    def prepare(self):
        Python.prepare(self)
        self.log = open(self.path("log"), "wb")
        self.begin([self.arguments[0], self.path("asked.py", self.script)])
        self.ask_all()

    def ask_all(self):
        if int(self.command("")) != 4 * sum(range(1000)):
            raise ValueError("a wrong answer")


def turns(one, other, seconds):
    """The ratio of the two in each turn, with its time."""
    begin, ratios = time.monotonic(), []
    while time.monotonic() < begin + seconds or len(ratios) < 21:
        # Either is the first one as often.
        pair = (one, other) if len(ratios) % 2 else (other, one)
        used = {s: s.cpu_seconds() for s in pair}
        ratios.append((time.monotonic() - begin, used[one] / used[other]))
    return ratios


def recorded(title, probed, other, functions, seconds):
    """Whether it kept its speed, and in words; see say_by_most()."""
    without = turns(probed, other, 1)
    with Agent() as agent:
        agent.request("start_recording", timeout=300, pid=probed.pid, probes=probes_of(functions), budget_ppm=BUDGET_PPM)
        during = turns(probed, other, seconds)
        stop(agent)
        agent.wait("recording_ended", 60)
        off, share = came_off(agent)
    without = statistics.median(r for _, r in without + turns(probed, other, 1))
    parts = [[r / without for at, r in during if begin <= at < end] for begin, end in ((0, 1), (1, 1e9))]
    say(off > 0, title + "probes of too many calls came off", "of %d of %d functions" % (off, len(functions)))
    return {title + "CPU time a request": (statistics.median(parts[-1]) <= MOST, "; ".join(
        "%s %.2f of that without (quartiles %.2f to %.2f, greatest %.2f, %d turns)" % (
            (name, statistics.median(p)) + tuple(statistics.quantiles(p, n=4, method="inclusive")[::2]) + (max(p), len(p)))
        for name, p in zip(("to 1 s", "then"), parts) if len(p) > 1) + "; by the agent's count %.1f %%" % (100 * share))}


def keeps_its_speed(kind, arguments):
    title = "within the budget, %s: " % kind.name
    folders = [tempfile.mkdtemp(prefix="kview-budget-") for _ in range(2)]
    subjects_ = []
    try:
        try:
            for folder in folders:
                os.chmod(folder, 0o755)
                subjects_.append(kind(folder))
        except subjects.Missing as missing:
            print("skipped %s%s is not here" % (title, missing), flush=True)
            return
        probed, other = subjects_
        functions = sample(find_all(probed.binaries)[0], probed.hot, arguments.functions, 1)
        turns(probed, other, 0.2)
        say_by_most(lambda: recorded(title, probed, other, functions, arguments.seconds))
    finally:
        for subject in subjects_:
            subject.close()
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("build")
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=4)
    arguments = parser.parse_args()

    def a_server():
        keeps_its_speed(AskedRedis, arguments)

    def an_interpreter():
        keeps_its_speed(AskedPython, arguments)
    run_tests(a_server, an_interpreter)


if __name__ == "__main__":
    main()
