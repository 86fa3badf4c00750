# SPDX-License-Identifier: GPL-2.0
"""
Real programs under load into which jumps are put again and again, and taken out, and whose agent is killed; or traps.

usage: cycled.py BUILD [--traps] [--cycles N] [--kills N] [--functions N] [--only NAME] [--all] [--seed N]

A server must answer each request right, and have its code as before each time, no mapping left over and no more memory of
its own in the end.  A batch program is begun with jumps, which are taken out at a random moment; it must say and end as without.
A server's agent is killed at a random moment of a cycle as well; what jumps are left then another agent takes out.
"""
import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from agent import Agent  # noqa: E402
from battery import SUBJECTS, find_all, record, sample, stop  # noqa: E402
from by_jumps import jumps_can_be_used, mappings, text_of  # noqa: E402
from checks import BUILD, run_tests, say  # noqa: E402
from truth import run_plain  # noqa: E402
import servers  # noqa: E402
import subjects  # noqa: E402

os.environ["KVIEW_CASES"] = os.path.join(BUILD, "cases")
BY_TRAPS = "--traps" in sys.argv
OPTIONS = {} if BY_TRAPS else {"probe_way": "PROBE_WAY_JUMP"}
WHAT = "traps" if BY_TRAPS else "jumps"
MOST_GROWN_KB = 4096
SHORT = (subjects.Python, subjects.Throws, servers.Redis, servers.Nginx, servers.Postgres)


def measured_so(functions, reply):
    return functions if BY_TRAPS else [f for f, p in zip(functions, reply["probes"]) if p["mechanism"] == "MECHANISM_JUMP"]


class Served:
    """A server with clients that know the answers."""

    def __init__(self, subject):
        self.subject, self.pid, self.wrong, self.memory = subject, subject.pid, [], 0
        self.clients = servers.Clients(2, subject.ask)
        self.text, self.mapped = text_of(self.pid), self.left_over()

    def left_over(self):
        """Code of no file, and clocks."""
        return [line for line in mappings(self.pid) if "r-xp 00000000 00:00 0 \n" in line or "bpf-map" in line]

    def own_kb(self):
        with open("/proc/%d/status" % self.pid) as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon:"))

    def cycle(self, agent, functions, chance):
        reply = record(agent, self.pid, functions, OPTIONS)
        time.sleep(chance.uniform(0, 0.02))
        agent.request("stop_recording", timeout=60)
        return measured_so(functions, reply)

    def check(self):
        # The kernel takes traps out some time after their agent was killed.
        end = time.monotonic() + (20 if BY_TRAPS else 0)
        while (text := text_of(self.pid)) != self.text and time.monotonic() < end:
            time.sleep(0.01)
        if text != self.text:
            self.wrong.append("its code is not as before")
        if self.left_over() != self.mapped:
            self.wrong.append("mappings are left: %s" % self.left_over())
        if not self.subject.alive():
            self.wrong.append("it is gone")

    def end(self):
        grown = self.own_kb() - self.memory if self.memory else 0
        if grown > MOST_GROWN_KB:
            self.wrong.append("it has %d KiB more" % grown)
        return self.wrong + self.clients.end(), "%d requests answered, %d KiB more" % (self.clients.asked, grown)


class Launched:
    """A batch program, begun for each cycle."""

    def __init__(self, subject):
        self.subject, self.wrong, self.cycles = subject, [], 0
        begin = time.monotonic()
        self.plain = run_plain(subject.arguments, subject.environment)
        self.seconds = time.monotonic() - begin

    def cycle(self, agent, functions, chance):
        pid = agent.request("launch", arguments=self.subject.arguments, environment=self.subject.environment)["pid"]
        reply = record(agent, pid, functions, OPTIONS)
        agent.request("resume", pid=pid)
        time.sleep(chance.uniform(0, self.seconds))
        stop(agent)
        exited = agent.wait("process_exited", 60, lambda b: b["pid"] == pid)
        status = -exited["status"] if exited["signalled"] else exited["status"]
        output, before = agent.output(), len(self.plain.stdout) * self.cycles
        self.cycles += 1
        if status != self.plain.returncode or output[before:] != self.plain.stdout:
            self.wrong.append("it ended with %d and said %r" % (status, output[before:][-100:]))
        return measured_so(functions, reply)

    def check(self):
        pass

    def end(self):
        return self.wrong, "it ended as without %s each time" % WHAT


def killed(program, functions, seconds, is_in, chance):
    """
    The agent ends at some moment, from before its first look at the process to after it has taken all out; is_in: after it
    has mapped something there.
    """
    agent = Agent()

    def kill():
        end = time.monotonic() + 20
        while is_in and program.left_over() == program.mapped and time.monotonic() < end:
            time.sleep(0.0005)
        time.sleep(seconds)
        os.kill(agent.pid, signal.SIGKILL)
    timer = threading.Thread(target=kill)
    timer.start()
    try:
        program.cycle(agent, functions, chance)
    except Exception:  # whatever comes of a link that breaks
        pass
    timer.join()
    agent.close()


def clean(pid):
    with Agent() as agent:
        return agent.request("clean", timeout=60, pid=pid)["restored"]


def play(program, functions, arguments, chance):
    """How often jumps were put and taken out, and how often an agent was killed, and left jumps."""
    some = max(1, arguments.functions)

    def chosen():
        return chance.sample(functions, min(len(functions), some))
    with Agent() as agent:
        functions = program.cycle(agent, functions, chance)
        for number in range(arguments.cycles):
            if program.wrong:
                return number, 0, 0
            program.cycle(agent, chosen(), chance)
            program.check()
            if number == arguments.cycles // 4 and isinstance(program, Served):
                program.memory = program.own_kb()
    kills = left = 0
    if isinstance(program, Served):
        begin = time.monotonic()
        with Agent() as agent:
            program.cycle(agent, chosen(), chance)
        most = 1.2 * (time.monotonic() - begin)
        while kills < arguments.kills and not program.wrong:
            is_in = kills % 2 == 0
            killed(program, chosen(), chance.uniform(0, 0.05 if is_in else most), is_in, chance)
            kills += 1
            left += not BY_TRAPS and clean(program.pid) > 0
            program.check()
    return arguments.cycles, kills, left


def examine(kind, arguments):
    folder = tempfile.mkdtemp(prefix="kview-cycled-")
    os.chmod(folder, 0o755)
    subject = program = None
    chance = random.Random(arguments.seed)
    try:
        subject = kind.__new__(kind)
        try:
            subject.__init__(folder)
        except subjects.Missing as missing:
            print("skipped cycles, %s: %s is not here" % (kind.name, missing), flush=True)
            return
        functions = sample(find_all(subject.binaries)[0], kind.hot, min(4 * arguments.functions, subject.at_once), arguments.seed)
        program = (Served if subject.server else Launched)(subject)
        done, kills, left = play(program, functions, arguments, chance)
        wrong, what = program.end()
        program = None
        say(not wrong, "cycles, %s: unharmed" % kind.name, wrong[:3] or what)
        say(done >= arguments.cycles, "cycles, %s: put and taken out" % kind.name, "%d times by %s; %d agents killed, %d of which left any" % (done, WHAT, kills, left))
    finally:
        if program:
            program.end()
        if subject:
            subject.close()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("build")
    parser.add_argument("--traps", action="store_true", help="and not by jumps: the kernel takes those of a killed agent out")
    parser.add_argument("--cycles", type=int, default=5)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("--only")
    parser.add_argument("--all", action="store_true", help="of all programs, and not only of some")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tests = []
    for kind in SUBJECTS:
        if not kind.loads_late and (arguments.only == kind.name or not arguments.only and (arguments.all or kind in SHORT)):
            def test(kind=kind):
                examine(kind, arguments)
            test.__name__ = "cycles, %s" % kind.name
            tests.append(test)
    run_tests(*tests)


if BY_TRAPS or jumps_can_be_used():
    main()
else:
    print("ok cycles: skipped, jumps can't be used here")
