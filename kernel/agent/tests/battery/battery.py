# SPDX-License-Identifier: GPL-2.0
"""
Real programs, probed by hundreds of functions at a time.

usage: battery.py BUILD [--all] [--minutes M] [--budget PPM] [--slowdown] [--seconds S] [--only NAME] [--functions N]
                  [--rounds R] [--seed N] [--jumps]

Each round probes up to N functions of a program under load, without a budget or with one; the
program must say and end as without probes or answer each request right, and each call that was
counted must be accounted for.  --all takes all functions in turn, for --minutes each program at most, else
a sample is taken.  --slowdown measures what of its speed a program loses by a sample's probes with a
budget, side by side with runs without: a figure, which nothing is judged by.  With --jumps functions are measured by jumps where
these can be put, and by traps elsewhere.
"""
import argparse
import fnmatch
import os
import random
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from agent import Agent, AgentError, Figures, wait_until  # noqa: E402
from checks import BUILD, run_tests, say  # noqa: E402
import servers  # noqa: E402
import slowdown  # noqa: E402
import subjects  # noqa: E402
from truth import run_plain  # noqa: E402

os.environ["KVIEW_CASES"] = os.path.join(BUILD, "cases")
SUBJECTS = [subjects.Python, subjects.Sqlite, subjects.Gzip, subjects.Xz, subjects.Node, subjects.Jvm, subjects.Rust,
            subjects.Apt, subjects.Throws, subjects.Perl, subjects.Bash, servers.Redis, servers.Nginx, servers.Postgres]


def find_all(binaries):
    """
    All functions, those of one address once, and how many can't be probed. Of node it is the first by name: all of its own make an answer
    longer than one may be.
    """
    found, refused = {}, 0
    with Agent() as agent:
        for binary in map(os.path.realpath, binaries):
            reply = agent.request("find_functions", timeout=300, pid=0, binary=binary, pattern="*", limit=60000)
            for f in reply["functions"]:
                if f["probeable"]:
                    found.setdefault((f["binary"], f["file_offset"]), f)
                else:
                    refused += 1
    return list(found.values()), refused


def sample(functions, hot, number, seed):
    """Those that do the work as far as they are known, and others by chance."""
    def is_hot(f):
        return any(fnmatch.fnmatchcase(f["name"].split("(")[0], p) or fnmatch.fnmatchcase(f["symbol"], p) for p in hot)
    chance = random.Random(seed)
    first, rest = [f for f in functions if is_hot(f)], [f for f in functions if not is_hot(f)]
    first = chance.sample(first, min(len(first), number // 2))
    return first + chance.sample(rest, min(len(rest), number - len(first)))


class Round:
    """What one recording came to."""

    def __init__(self, functions):
        self.functions, self.harm, self.wrong, self.seconds = functions, "", [], 0
        self.jumps = self.called = self.calls = self.timed = self.lost = self.cut = self.passed = 0
        self.ended, self.figures = None, {}

    def note_ways(self, reply):
        self.jumps = sum(p["mechanism"] == "MECHANISM_JUMP" for p in reply["probes"])

    def take(self, agent):
        """The identity, by function and in sum; and the time of each, exactly."""
        self.ended = agent.wait("recording_ended")
        for delta in agent.all("histogram_delta"):
            for function in delta["functions"]:
                self.figures.setdefault(function["function_id"], Figures()).add(function)
        if self.ended["reason"] == "FAILED":
            self.wrong.append("the recording failed: " + self.ended["message"])
        losses = agent.losses()
        if losses["unaccounted_calls"] or losses["figures_lost"]:
            self.wrong.append("losses %s" % losses)
        for number, f in self.figures.items():
            name = self.functions[number]["name"]
            if f.unaccounted():
                self.wrong.append("%s: %d of %d calls in no list" % (name, f.unaccounted(), f.calls))
            if f.total("WALL") != f.total("ON_CPU") + sum(f.off_cpu().values()):
                self.wrong.append("%s: its time does not add up" % name)
            self.called += f.calls > 0
            self.calls, self.timed = self.calls + f.calls, self.timed + f.count("WALL")
            self.lost, self.cut = self.lost + sum(f.lost.values()), self.cut + f.cut
            self.passed += f.passed


def record(agent, pid, functions, options):
    """As Agent.record, for binaries that take long to read."""
    probes = [dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"], user_function={})
              for i, f in enumerate(functions)]
    return agent.request("start_recording", timeout=300, pid=pid, probes=probes, **options)


def stop(agent):
    """Unless it has ended by itself, at this moment perhaps."""
    try:
        agent.request("stop_recording", timeout=60)
    except AgentError as error:
        if error.code != "BAD_REQUEST":
            raise


def batch_round(subject, functions, options, seconds):
    """From the first instruction on, and for so long at most; the rest runs without probes."""
    round_ = Round(functions)
    with Agent() as agent:
        is_late = "probe_way" in options and subject.loads_late
        goes_on = os.path.join(subject.folder, "goes-on")
        if os.path.exists(goes_on):
            os.remove(goes_on)
        pid = agent.request("launch", arguments=subject.arguments + ([goes_on] if is_late else []),
                            environment=subject.environment)["pid"]
        begin = time.monotonic()
        if is_late:
            # Jumps are put where there is code, and traps in what is loaded later.
            agent.request("resume", pid=pid)
            wait_until(lambda: subject.maps_all(pid))
            round_.note_ways(record(agent, pid, functions, options))
            open(goes_on, "w").close()
        else:
            round_.note_ways(record(agent, pid, functions, options))
            agent.request("resume", pid=pid)
        try:
            exited = agent.wait("process_exited", seconds, lambda b: b["pid"] == pid)
        except TimeoutError:
            stop(agent)
            exited = agent.wait("process_exited", 60, lambda b: b["pid"] == pid)
        round_.seconds = time.monotonic() - begin
        round_.take(agent)
        status = -exited["status"] if exited["signalled"] else exited["status"]
        if status != subject.plain.returncode:
            round_.harm = "ended with %d, %d without probes" % (status, subject.plain.returncode)
        elif agent.output() != subject.plain.stdout:
            round_.harm = "its output differs from that without probes"
    return round_


def server_round(subject, functions, options, seconds):
    round_ = Round(functions)
    clients = servers.Clients(2, subject.ask)
    with Agent() as agent:
        round_.note_ways(record(agent, subject.pid, functions, options))
        begin = time.monotonic()
        problems = subject.load()
        time.sleep(max(0, begin + seconds - time.monotonic()))
        round_.seconds = time.monotonic() - begin
        stop(agent)
        round_.take(agent)
    problems += clients.end()
    if not subject.alive():
        problems.append("the server is gone")
    round_.harm = "; ".join(problems)
    round_.asked = clients.asked
    return round_


def narrow(subject, functions, options, seconds, depth=0):
    """The least half of a half that still does harm; a server that is gone can't be asked again."""
    if subject.server or len(functions) < 2:
        return functions
    for half in (functions[::2], functions[1::2]):
        try:
            again = batch_round(subject, half, options, seconds)
        except AgentError:
            continue
        if again.harm or again.wrong:
            return narrow(subject, half, options, seconds, depth + 1)
    return functions


def examine(kind, arguments, budget):
    folder = tempfile.mkdtemp(prefix="kview-battery-")
    os.chmod(folder, 0o755)
    subject = None
    title = "battery, %s%s: " % (kind.name, ", with a budget" if budget else "")
    try:
        subject = kind.__new__(kind)
        try:
            subject.__init__(folder)
        except subjects.Missing as missing:
            print("skipped battery, %s: %s is not here" % (kind.name, missing), flush=True)
            return
        if not subject.server:
            subject.plain = run_plain(subject.arguments, subject.environment)
        functions, refused = find_all(subject.binaries)
        if arguments.all:
            chunks = [functions[i:i + arguments.functions] for i in range(0, len(functions), arguments.functions)]
        else:
            number = min(arguments.functions, subject.at_once)
            chosen = sample(functions, kind.hot, number * arguments.rounds, arguments.seed)
            random.Random(arguments.seed).shuffle(chosen)
            chunks = [chosen[i::arguments.rounds] for i in range(arguments.rounds)]
        options = {"budget_ppm": budget} if budget else {}
        if arguments.jumps:
            options["probe_way"] = "PROBE_WAY_JUMP"
        rounds = []
        end = time.monotonic() + arguments.minutes * 60
        for chunk in chunks:
            if time.monotonic() > end:
                print("# %stime is over" % title, flush=True)
                break
            play = server_round if subject.server else batch_round
            try:
                round_ = play(subject, chunk, options, arguments.seconds)
            except (AgentError, TimeoutError) as error:
                round_ = Round(chunk)
                round_.wrong.append(str(error))
            rounds.append(round_)
            if round_.harm or round_.wrong:
                least = narrow(subject, chunk, options, arguments.seconds)
                print("# %s%s %s; with %s" % (title, round_.harm, round_.wrong[:3],
                                              " ".join(f["symbol"] for f in least[:5])), flush=True)
            if subject.server and not subject.alive():
                break
        what = "%d of %d functions (%d more can't be probed; %d by jumps), %d called; %d calls: %d timed, %d cut, %d lost; %d sites passed; %.1f s" % (
            sum(len(r.functions) for r in rounds), len(functions), refused, sum(r.jumps for r in rounds), sum(r.called for r in rounds),
            sum(r.calls for r in rounds), sum(r.timed for r in rounds), sum(r.cut for r in rounds),
            sum(r.lost for r in rounds), sum(r.passed for r in rounds), sum(r.seconds for r in rounds))
        harmed = [r.harm for r in rounds if r.harm]
        say(not harmed, title + "unharmed", "%d of %d rounds: %s" % (len(harmed), len(rounds), harmed[0]) if harmed else what)
        wrong = [w for r in rounds for w in r.wrong]
        say(not wrong, title + "all is accounted for", "%d: %s" % (len(wrong), wrong[:3]) if wrong else "%d rounds" % len(rounds))
        say(sum(r.calls for r in rounds) > 0, title + "functions were called", sum(r.called for r in rounds))
    finally:
        if subject:
            subject.close()
        shutil.rmtree(folder, ignore_errors=True)


def go_is_refused():
    path = shutil.which("fzf")
    if not path:
        print("skipped battery, Go: fzf is not here", flush=True)
        return
    try:
        functions, refused = find_all([path])
    except AgentError as error:
        functions, refused = [], str(error)
    say(not functions and refused, "battery, Go: refused", refused)


def main(left_out=()):
    """Without those that are left out, unless they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("build")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--minutes", type=float, default=1e6, help="for each program; of all functions those that fit")
    parser.add_argument("--slowdown", action="store_true")
    parser.add_argument("--budget", type=int, help="in millionths of the process's CPU time; only so, not without too")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--only")
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jumps", action="store_true")
    arguments = parser.parse_args()
    kinds = [k for k in SUBJECTS if arguments.only == k.name or not arguments.only and (arguments.all or not k.long_only and k not in left_out)]
    tests = []
    for kind in kinds:
        for budget in [arguments.budget] if arguments.budget is not None else [0]:
            def test(kind=kind, budget=budget):
                examine(kind, arguments, budget)
            test.__name__ = "battery, %s" % kind.name
            if arguments.slowdown:
                def test(kind=kind):
                    slowdown.measure(kind, arguments, find_all, sample)
                test.__name__ = "slowdown, %s" % kind.name
            tests.append(test)
    run_tests(*tests, go_is_refused)


if __name__ == "__main__":
    main()
