# SPDX-License-Identifier: GPL-2.0
"""Single calls of functions that are measured by jumps: that the trace tells what the figures do, and nothing is lost untold."""
import collections
import os
import re
import signal
import subprocess
import tempfile

from agent import wait_until
from by_jumps import *
from checks import *
from traces import check_packets, read_trace, write_trace

DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../workloads/build/kview-demo")
LINE = re.compile(r"^\[(\d\d):(\d\d):(\d\d)\.(\d{9})\] .*kview:(\w+): \{ (\d+) \}, \{ (\d+)(?:, (.*))? \}$")
FUNCTION = re.compile(r'\( "([^"]*)" : container = \d+ \), (\d+)(?:, (\d+), (\d+), (\d+), \d+, \[(.*)\])?')
CAUSE = re.compile(r'cause = \( "(\w+)" : container = \d+ \), ns = (\d+)|\{ \( "(\w+)" : container = \d+ \), (\d+) \}')
# So near to the kernel's clock is a stamp's time on its axis: docs/jump-probes.md.
APART_NS = 200

Event = collections.namedtuple("Event", "ns name cpu tid rest")
Call = collections.namedtuple("Call", "function depth begin wall on_cpu causes")


def events_of(text):
    for line in text.splitlines():
        found = LINE.match(line)
        if found:
            h, m, s, ns, name, cpu, tid, rest = found.groups()
            yield Event(((int(h) * 60 + int(m)) * 60 + int(s)) * 10**9 + int(ns), name, int(cpu), int(tid), rest or "")


def call_of(event):
    function, depth, begin, wall, on_cpu, causes = FUNCTION.match(event.rest).groups()
    told = {(a or c).upper(): int(b or d) for a, b, c, d in CAUSE.findall(causes or "")}
    return Call(function, int(depth), begin and int(begin), wall and int(wall), on_cpu and int(on_cpu), told)


def recorded(name, arguments, patterns, expect_losses=False):
    """Its figures, events by their kinds, the trace's text, and what was dropped."""
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=arguments)["pid"]
        functions = agent.find(pid, "", *patterns)
        reply = by_jumps(agent, pid, functions, events=True)
        equal(name + ": by jumps", set(mechanisms(reply)), {"JUMP"})
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        agent.wait("recording_ended")
        figures = invariants(name, agent, functions, expect_losses)
        equal(name + ": packets tell the drops", check_packets(agent), agent.losses()["events_dropped"])
        write_trace(agent, reply, folder)
        names, complaints, text = read_trace(folder)
        equal(name + ": babeltrace2 has no complaint", complaints, [])
        return figures, names, text, agent.losses()["events_dropped"]


def nested_rightly(events):
    """Each entry is as deep as calls are open on its thread, and each end is that of the innermost one."""
    stacks, wrong = collections.defaultdict(list), []
    for event in events:
        if event.name == "call_entry":
            call = call_of(event)
            if call.depth != len(stacks[event.tid]):
                wrong.append(event)
            stacks[event.tid].append((call.function, call.depth))
        elif event.name == "call_exit":
            call = call_of(event)
            if not stacks[event.tid] or stacks[event.tid].pop() != (call.function, call.depth):
                wrong.append(event)
    return wrong[:3]


def while_off(events):
    """Calls that begin or end while their thread is off its CPU, and absences: of those that the kernel told the end of."""
    calls, wrong, absences = collections.defaultdict(list), [], 0
    for event in events:
        if event.name.startswith("call_"):
            calls[event.tid].append(event)
        elif event.name == "switch_in":
            off_ns = int(event.rest.split(",")[0])
            wrong += [c for c in calls[event.tid] if event.ns - off_ns + APART_NS < c.ns < event.ns - APART_NS]
            calls[event.tid].clear()
            absences += 1
    return wrong[:3], absences


def demo():
    """The bundled program waits in many ways: the calls in the trace are those of the figures, to the ns."""
    figures, names, text, dropped = recorded("demo", [DEMO, "--seconds", "2", "--truth", "-"], [
        "render_page", "poll_queue", "price_basket", "flush_cache", "build_index", "fetch_rates", "walk_tree", "lookup_price"])
    events = list(events_of(text))
    equal("each line of the trace is read", len(events), sum(names.values()))
    equal("nothing is dropped", dropped, 0)
    entries = collections.Counter(call_of(e).function for e in events if e.name == "call_entry")
    ends = collections.defaultdict(list)
    for event in events:
        if event.name == "call_exit":
            ends[call_of(event).function].append(call_of(event))
    for name, f in figures.items():
        told = ends[name]
        causes = collections.Counter()
        for call in told:
            causes.update(call.causes)
        equal(name + ": each call begins and ends", (entries[name], len(told)), (f.calls, f.count("WALL")))
        equal(name + ": its times", (sum(c.wall for c in told), sum(c.on_cpu for c in told), dict(causes)),
              (f.total("WALL"), f.total("ON_CPU"), {m: ns for m, ns in f.off_cpu().items() if ns}))
    equal("calls are nested as they are told to be", nested_rightly(events), [])
    wrong, absences = while_off(events)
    say(not wrong and absences > 100, "no call begins or ends while its thread is off its CPU", "%s, of %d absences" % (wrong, absences))
    say(names["wakeup"] > 50 and names["thread_exit"] >= 1 and names["thread"] >= names["thread_exit"], "threads are named, woken and end", dict(names))


def left():
    """Calls that longjmp leaves began and did not end, and those behind them are no deeper for it."""
    figures, names, text, dropped = recorded("longjmp", [JUMPS, "longjmp", "50"], ["f_jumper", "f_leaf"])
    f, leaf = figures["f_jumper"], figures["f_leaf"]
    equal("all begin, and those end that return", (names["call_entry"], names["call_exit"], dropped), (f.calls + leaf.calls, leaf.calls, 0))
    depths = [call_of(e).depth for e in events_of(text) if e.name == "call_entry"]
    equal("calls that were left enclose none", max(depths), 4)


def deep():
    figures, names, text, _ = recorded("recursion", [JUMPS, "recurse", "300"], ["f_recurse"])
    equal("each call of a recursion is told", (names["call_entry"], names["call_exit"]), (figures["f_recurse"].calls,) * 2)
    equal("as deep as it is", nested_rightly(events_of(text)), [])


def mixed():
    """Who is left to traps has figures, and no events, which is told."""
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=[JUMPS, "tail", "400"])["pid"]
        functions = agent.find(pid, "", "f_leaf", "f_tail", "f_tail_reg")
        reply = by_jumps(agent, pid, functions, events=True)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        figures = invariants("jumps and a trap", agent, functions)
        say("f_tail (" in reply["waits_note"] and reply["waits_note"].endswith("They have no events."), "it is said which", reply["waits_note"])
        write_trace(agent, reply, folder)
        told = collections.Counter(call_of(e).function for e in events_of(read_trace(folder)[2]) if e.name == "call_exit")
        equal("calls of the others are told", dict(told), {n: figures[n].calls for n in ("f_leaf", "f_tail_reg")})


def fast():
    """Two threads at full speed: what is not in the trace is counted, exactly."""
    figures, names, _, dropped = recorded("two threads", [PLAIN, "threads", "2", "1000000"], ["f_empty"])
    calls = figures["f_empty"].calls
    equal("each call is counted", calls, 2000000)
    missing = 2 * calls - names["call_entry"] - names["call_exit"]
    # Those of switches go through the kernel's ring, which has room for 100,000.
    equal("what is missing was dropped", missing, dropped)


def stalled():
    """While nobody takes the packets the rings fill, the process goes on, and each event is in the trace or counted."""
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=[PLAIN, "threads", "2", "1000000"])["pid"]
        functions = agent.find(pid, "", "f_empty")
        reply = by_jumps(agent, pid, functions, events=True)
        agent.request("resume", pid=pid)
        os.kill(agent.pid, signal.SIGSTOP)
        try:
            status = open("/proc/%d/stat" % pid)
            wait_until(lambda: ended(status))
        finally:
            os.kill(agent.pid, signal.SIGCONT)
        agent.wait("recording_ended")
        calls = invariants("a stopped agent", agent, functions)["f_empty"].calls
        check_packets(agent)
        write_trace(agent, reply, folder)
        names, complaints, _ = read_trace(folder)
        missing = 2 * calls - names["call_entry"] - names["call_exit"]
        equal("calls, and what babeltrace2 says", (calls, complaints), (2000000, []))
        say(missing > 0, "some found no room", "%d of %d" % (missing, 2 * calls))
        equal("and is counted", missing, agent.losses()["events_dropped"])


def ended(status):
    status.seek(0)
    return status.read().rsplit(")", 1)[1].split()[0] in "ZX"


def killed():
    """Nobody reads any more: the process goes on, also once its rings are full, and is restored."""
    program = subprocess.Popen([PLAIN, "ticks"], stdout=subprocess.PIPE)
    try:
        program.stdout.readline()
        before = text_of(program.pid)
        agent = Agent()
        by_jumps(agent, program.pid, agent.find(program.pid, "", "f_empty"), events=True)
        agent.wait("event_packet")
        os.kill(agent.pid, signal.SIGKILL)
        agent.close()
        say(all(program.stdout.readline() for _ in range(5)), "the process goes on without the agent")
        with Agent() as other:
            say(other.request("clean", pid=program.pid)["restored"] >= 2, "its jumps are taken out")
            equal("and it is as before", text_of(program.pid) == before, True)
        say(not any("rwxs" in line or "rw-s" in line for line in mappings(program.pid)), "and its rings have gone")
        say(all(program.stdout.readline() for _ in range(5)), "it goes on")
    finally:
        program.kill()
        program.wait()


if jumps_can_be_used():
    run_tests(demo, left, deep, mixed, fast, stalled, killed)
else:
    print("ok jumps: skipped, they can't be used here")
