# SPDX-License-Identifier: GPL-2.0
"""Static probes (USDT): hits of one process, counted exactly, wherever their places are."""
import shutil
import signal
import struct
import subprocess
import tempfile

from agent import wait_until
from checks import *

LIBRARY = os.path.join(BUILD, "traced", "libkviewstatics.so")
NAMES = ["traced:counted", "traced:fast", "traced:places"]
NOT_A_NOP = "traced:broken"
CALLS = 1000


def statics(kind):
    return os.path.join(BUILD, "traced", "statics-" + kind)


class Traced:
    """The program, which makes a turn whenever it is told, and says what it did in it."""

    def __init__(self, path, calls=CALLS):
        self.process = subprocess.Popen([path, str(calls)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid
        self.watched = self._read("watched")

    def _read(self, last):
        told = {}
        while last not in told:
            name, value = self.process.stdout.readline().split()
            told[name.decode()] = int(value)
        return told

    def turn(self):
        self.process.stdin.write(b"turn\n")
        self.process.stdin.flush()
        return self._read("watched")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()


def probe(number, label, binary=""):
    provider, name = label.split(":")
    return dict(function_id=number, binary=binary, static_probe=dict(provider=provider, name=name))


def start(agent, pid, labels=NAMES, binary="", **options):
    return agent.request("start_recording", pid=pid, probes=[probe(i, label, binary) for i, label in enumerate(labels)], **options)


def figures(agent, labels=NAMES):
    return agent.figures([dict(name=label) for label in labels])


def names(agent, pid, binary="", pattern="*:*"):
    return agent.request("find_points", static_probes=dict(pid=pid, binary=binary, pattern=pattern))


def of_a_turn(f, told, what):
    equal("%s: hits" % what, {label: f[label].calls for label in NAMES}, {label: told[label.split(":")[1]] for label in NAMES})
    equal("%s: each thread's first hit has nothing before it" % what, {label: f[label].count("BETWEEN") for label in NAMES},
          {label: told[label.split(":")[1]] - 2 for label in NAMES})


def exact(path, what, **options):
    """What the program knows of itself, in one of two turns, and nothing of its child or of another process."""
    with Traced(path) as other, Traced(path) as traced, Agent(**options) as agent:
        found = names(agent, traced.pid)
        equal("%s: names" % what, found["names"], NAMES)
        equal("%s: what is no static probe can't be measured" % what, [r["name"] for r in found["refused"]], [NOT_A_NOP])
        equal("%s: nobody watches" % what, traced.turn()["counted"], 0)
        reply = start(agent, traced.pid)
        equal("%s: others are not told that somebody watches" % what, other.turn()["counted"], 0)
        told = traced.turn()
        equal("%s: the program is told that somebody watches" % what, (told["counted"], told["watched"]), (2 * CALLS, 1))
        agent.stop()
        equal("%s: and that nobody does any more" % what, {k: v for k, v in traced.turn().items() if k in ("counted", "watched")},
              dict(counted=0, watched=0))
        f = figures(agent)
        of_a_turn(f, told, what)
        for label in NAMES:
            equal("%s: no other figure of %s" % (what, label), set(f[label].metrics), {"BETWEEN"})
            equal("%s: nothing of %s is lost, taken off or in doubt" % (what, label),
                  (sum(f[label].lost.values()), f[label].removed_ns, f[label].uncertain_ns), (0, 0, 0))
            say(f[label].cost_ns > 0, "%s: hits of %s cost something" % (what, label), "%d ns each" % (f[label].cost_ns / f[label].calls))
        equal("%s: no loss" % what, {k: v for k, v in agent.losses().items() if v}, {})
        equal("%s: how they are measured" % what, {(p["mechanism"], p["measured"]) for p in reply["probes"]}, {("MECHANISM_TRAP", 1 << 13)})
        equal("%s: the file is told" % what, [b["path"] for b in reply["binaries"]], [os.path.realpath(path)])
        say("children" in reply["filter_note"], "%s: who pays is said" % what, reply["filter_note"])


def wherever_they_are():
    for kind in ("pie", "nopie", "static"):
        exact(statics(kind), kind)


def one_by_one():
    """By perf's events, as older kernels have them."""
    exact(statics("pie"), "one by one", env=dict(os.environ, KVIEW_AGENT_PROBES="single"))


def moved_behind_the_linker():
    """As prelink does: the notes have the addresses of before, by which .stapsdt.base tells how far all was moved."""
    with open(statics("pie"), "rb") as file:
        content = bytearray(file.read())
    at = 0
    while (at := content.find(b"stapsdt\0", at)) >= 0:
        place = at + 8
        if content[at - 12:at - 8] == struct.pack("<I", 8):
            values = struct.unpack_from("<3Q", content, place)
            struct.pack_into("<3Q", content, place, *(value + 0x100000 if value else 0 for value in values))
        at = place
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "moved")
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o755)
        exact(path, "moved")


def loaded_later():
    for binary in (LIBRARY, os.path.basename(LIBRARY)):
        process = subprocess.Popen([os.path.join(BUILD, "traced", "loads"), LIBRARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(LIBRARY)))
        process.stdout.readline()
        with Agent() as agent:
            found = names(agent, process.pid, binary)
            equal("found in %s before it is loaded" % binary, (found["names"], found["binary"], found["not_loaded"]),
                  (["traced:late"], LIBRARY, True))
            start(agent, process.pid, found["names"], found["binary"])
            process.communicate(b"x")
            agent.wait("recording_ended")
            f = figures(agent, found["names"])
            equal("hits once it is loaded", f["traced:late"].calls, 1000)
            equal("and it is seen to be", [d["never_loaded"] for d in agent.all("histogram_delta")[-1]["functions"]], [False])


def with_functions():
    """Beside the functions that they are in, each as if it were alone."""
    with Traced(statics("pie")) as traced, Agent() as agent:
        found = agent.find(traced.pid, "", "f_here", "f_counted")
        functions = [dict(function_id=3 + i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"], user_function={})
                     for i, f in enumerate(found)]
        agent.request("start_recording", pid=traced.pid, probes=[probe(i, label) for i, label in enumerate(NAMES)] + functions)
        told = traced.turn()
        agent.stop()
        f = agent.figures([dict(name=label) for label in NAMES + ["f_here", "f_counted"]])
        of_a_turn(f, told, "with functions")
        equal("calls of these", [f[name].calls for name in ("f_here", "f_counted")], [2 * CALLS] * 2)
        equal("all are accounted for", [f[name].unaccounted() for name in ("f_here", "f_counted")], [0, 0])
        say(f["f_here"].uncertain_ns > f["f_here"].calls * 10, "calls around hits are as uncertain as these may be dear", f["f_here"].uncertain_ns)


def beside_bpftrace():
    """The same hits, by another who looks at the same time."""
    tracer = shutil.which("bpftrace")
    if not tracer:
        return say(True, "there is no bpftrace here")
    with Traced(statics("pie")) as traced, Agent() as agent:
        script = "usdt:%s:traced:places { @places = count(); } usdt:%s:traced:counted { @counted = count(); } BEGIN { printf(\"ready\\n\"); }" % (
            (statics("pie"),) * 2)
        with subprocess.Popen([tracer, "-p", str(traced.pid), "-e", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as other:
            try:
                say(any("ready" in line for line in iter(other.stdout.readline, "")), "bpftrace looks")
                start(agent, traced.pid)
                told = traced.turn()
                agent.stop()
            finally:
                other.send_signal(signal.SIGINT)
            counted = dict(line.strip().split(": ") for line in other.stdout if line.startswith("@"))
        f = figures(agent)
        of_a_turn(f, told, "beside bpftrace")
        equal("and bpftrace counts the same", counted, {"@" + name: str(f["traced:" + name].calls) for name in ("places", "counted")})


def what_can_not_be():
    with Traced(statics("pie")) as traced, Agent() as agent:
        refused("one that is no static probe's", "NOT_PROBEABLE", lambda: start(agent, traced.pid, [NOT_A_NOP]))
        refused("nor is it found alone", "NOT_PROBEABLE", lambda: names(agent, traced.pid, pattern=NOT_A_NOP))
        refused("a name that there is not", "NO_SUCH_FUNCTION", lambda: start(agent, traced.pid, ["traced:place"]))
        try:
            names(agent, traced.pid, pattern="traced:place")
        except AgentError as error:
            say("traced:places" in error.suggestions, "one like it is named", error.suggestions)
        refused("a file without any", "NO_SUCH_FUNCTION", lambda: names(agent, traced.pid, PLAIN))
        refused("one twice", "BAD_REQUEST", lambda: start(agent, traced.pid, NAMES[:1] * 2))
        refused("by two names of its file", "BAD_REQUEST", lambda: agent.request(
            "start_recording", pid=traced.pid, probes=[probe(0, NAMES[0]), probe(1, NAMES[0], statics("pie"))]))
        refused("with events", "UNSUPPORTED", lambda: start(agent, traced.pid, events=True))
        refused("in a kernel view", "UNSUPPORTED", lambda: start(agent, traced.pid, filter="FILTER_VIEW"))
        start(agent, traced.pid)
        told = traced.turn()
        agent.stop()
        of_a_turn(figures(agent), told, "after all that")


def when_the_agent_ends():
    """Nothing stays behind."""
    with Traced(statics("pie")) as traced:
        with Agent() as agent:
            start(agent, traced.pid)
            equal("watched", traced.turn()["watched"], 1)
            agent.process.kill()
            agent.process.wait()
        say(wait_until(lambda: traced.turn()["counted"] == 0), "nobody watches any more")


def real_programs():
    """What others built: as readelf tells of it."""
    for path in ("/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/python3.11", "/usr/lib/postgresql/15/bin/postgres"):
        if not os.path.exists(path):
            continue
        notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
        words = [line.split(": ")[1] for line in notes.splitlines() if line.strip().startswith(("Provider:", "Name:"))]
        with Agent() as agent:
            found = names(agent, 0, path)
            equal("static probes of %s" % path, found["names"], sorted(set(map(":".join, zip(words[::2], words[1::2])))))
            equal("all can be measured", found["refused"] if "refused" in found else [], [])


run_tests(wherever_they_are, one_by_one, moved_behind_the_linker, loaded_later, with_functions, beside_bpftrace, what_can_not_be,
          when_the_agent_ends, real_programs)
