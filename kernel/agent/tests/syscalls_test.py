# SPDX-License-Identifier: GPL-2.0
"""System calls by the raw tracepoints: the second mechanism, as recordings see it."""
import errno
import re
import signal
import subprocess
import tempfile
import time

from agent import wait_until
from checks import *
from traces import check_packets, read_trace, write_trace

SYSCALLS = os.path.join(BUILD, "traced", "syscalls")
NAMES = ["getppid", "write", "read", "clock_nanosleep", "pause", "exit_group", "clone", "wait4", "fsync"]
HANDLES = """
import ctypes, signal
handled = 0
def handle(*_):
    global handled
    handled += 1
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
while handled < 5:
    ctypes.CDLL(None).poll(None, 0, 60000)
"""
WAITS = """
import threading, time
def wait():
    while True:
        time.sleep(0.05)
for _ in range(8):
    threading.Thread(target=wait).start()
print("waits", flush=True)
"""
# It fails as often as it says, and makes calls of these names that do not fail as well.
FAILS = """
import ctypes, errno
c = ctypes.CDLL(None, use_errno=True)
for call, arguments, times in ((c.access, (b"/nowhere", 0), 7), (c.access, (b"/etc/passwd/x", 0), 3), (c.access, (b"/", 0), 5),
                               (c.fsync, (-1,), 4), (c.fsync, (0,), 2)):
    for _ in range(times):
        call(*arguments)
"""
# A filter answers getppid: it returns EPERM, and never comes to the tracepoint at its entry.
FILTERS = """
import ctypes, struct, threading
c = ctypes.CDLL(None, use_errno=True)
def calls(times):
    for _ in range(times):
        c.getppid()
calls(%d)
code = b"".join(struct.pack("HBBI", *i) for i in ((0x20, 0, 0, 0), (0x15, 0, 1, %d), (6, 0, 0, 0x50001), (6, 0, 0, 0x7fff0000)))
code = ctypes.create_string_buffer(code, len(code))
assert not c.prctl(38, 1, 0, 0, 0)
assert not c.prctl(22, 2, struct.pack("HxxxxxxP", 4, ctypes.addressof(code)), 0, 0)
calls(5)
for _ in range(2):
    thread = threading.Thread(target=calls, args=(3,))
    thread.start()
    thread.join()
"""


def probes(names):
    return [dict(function_id=i, system_call=dict(name=n)) for i, n in enumerate(names)]


def named(names):
    return [dict(name=n) for n in names]


def refused(agent, pid, names, code, what):
    try:
        agent.request("start_recording", pid=pid, probes=probes(names))
    except AgentError as error:
        return say(error.code == code, what, str(error))
    say(False, what, "it was started")


def exact():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[SYSCALLS, "2000"])["pid"]
        reply = agent.request("start_recording", pid=pid, probes=probes(NAMES))
        say("system calls" in reply["filter_note"], "the reply says what others pay", reply["filter_note"])
        equal("and how they are measured", {p["mechanism"] for p in reply["probes"]}, {"MECHANISM_TRACEPOINT"})
        equal("and that all metrics are", {p["measured"] for p in reply["probes"]}, {0x1fff})
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        agent.wait("recording_ended")
        figures, truth = invariants("system calls", agent, named(NAMES)), truth_of(agent.output())
        for name in "getppid", "read":
            equal(f"calls of {name}, of the process's threads alone", figures[name].calls, truth["calls"])
            equal(f"all of {name} are timed", figures[name].count("WALL"), truth["calls"])
        equal("writes, and one of its output", figures["write"].calls, truth["calls"] + 1)
        slept = figures["clock_nanosleep"]
        equal("sleeps", slept.calls, truth["calls"] // 100)
        say(slept.calls * 1000000 <= slept.total("WALL") <= truth["slept_ns"],
            "their wall-clock time is between what was asked for and what the program saw",
            f"{slept.total('WALL')} {truth['slept_ns']}")
        equal("a wait that the process's end interrupts is timed", (figures["pause"].calls, figures["pause"].count("WALL")), (1, 1))
        equal("a call that nobody returns from is unfinished",
              (figures["exit_group"].calls, figures["exit_group"].unfinished), (1, 1))
        equal("an interrupted wait is told as the kernel has it, as nobody returned from it", figures["pause"].failed, {514: 1})
        say("fsync" not in figures or not figures["fsync"].calls, "what is not called has no calls")
        waits(figures)
        losses = agent.losses()
        equal("nothing was lost, and nothing returned that was not seen",
              {k: v for k, v in losses.items() if v and k != "healed_switches"}, {})


def waits(figures):
    """Where their time went: what a call waited for itself is by far the most of what it was off its CPU of its own accord."""
    for name, cause in ("clock_nanosleep", "SLEEP"), ("pause", "OTHER"), ("wait4", "OTHER"):
        own = {m: t for m, t in figures[name].off_cpu().items()
               if m not in ("RUN_QUEUE", "PREEMPTED", "STEAL", "THROTTLED")}
        say(own.get(cause, 0) >= 0.9 * sum(own.values()) > 0, f"{name} waits for {cause}", own)
    slept = figures["clock_nanosleep"]
    say(slept.total("SLEEP") >= 0.9 * 1e6 * slept.calls, "sleeps are as long as was asked for", slept.total("SLEEP"))
    computes = figures["getppid"]
    say(computes.total("ON_CPU") > 0 and not {m for m in computes.off_cpu() if m not in
                                             ("RUN_QUEUE", "PREEMPTED", "STEAL", "THROTTLED")},
        "one that computes waits for nothing", computes.off_cpu())


def events():
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=[SYSCALLS, "200"])["pid"]
        reply = agent.request("start_recording", pid=pid, probes=probes(NAMES), events=True)
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        agent.wait("recording_ended")
        figures = invariants("with events", agent, named(NAMES))
        equal("no drops", check_packets(agent), agent.losses()["events_dropped"])
        write_trace(agent, reply, folder)
        names, complaints, text = read_trace(folder)
        equal("babeltrace2 has no complaint", complaints, [])
        equal("an entry for each call", names["call_entry"], sum(f.calls for f in figures.values()))
        equal("and an exit for each that is timed", names["call_exit"], sum(f.count("WALL") for f in figures.values()))
        causes = re.findall(r'kview:switch_out: .*"(\w+)"', text)
        say(causes.count("sleep") >= 1 and len(causes) == names["switch_out"], "the waits have their causes", dict(names))
        say("syscall:getppid" in reply["ctf_metadata"] or "getppid" in reply["ctf_metadata"], "and the calls their names")


def bill():
    """What the process pays at system calls that are not measured is told."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[SYSCALLS, "2000"])["pid"]
        agent.request("start_recording", pid=pid, probes=probes(["fsync"]))
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        agent.wait("recording_ended")
        last = agent.all("histogram_delta")[-1]
        say(last["probes_cost_ns"] > 0, "what is not measured costs the process time as well",
            "%.1f ms" % (last["probes_cost_ns"] / 1e6))


def recorded(arguments, names, while_it_runs):
    with Agent() as agent:
        pid = agent.request("launch", arguments=arguments)["pid"]
        agent.request("start_recording", pid=pid, probes=probes(names))
        agent.request("resume", pid=pid)
        while_it_runs(pid)
        agent.wait("process_exited")
        agent.wait("recording_ended")
        return agent.figures(named(names))


def comes_to(pid, state):
    def has_come():
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rpartition(") ")[2][0] == state
    if not wait_until(has_come):
        raise TimeoutError("process %d is not in state %s" % (pid, state))


def stopped_while_it_sleeps(pid):
    for _ in range(2):
        comes_to(pid, "S")
        os.kill(pid, signal.SIGSTOP)
        comes_to(pid, "T")
        os.kill(pid, signal.SIGCONT)


def goes_on():
    """A wait that is stopped, and goes on when the process does, is one call; one that a handler ends is over."""
    figures = recorded(["/bin/sleep", "1"], ["clock_nanosleep"], stopped_while_it_sleeps)["clock_nanosleep"]
    equal("a sleep that was stopped is one call, and timed", (figures.calls, figures.count("WALL")), (1, 1))
    say(figures.total("WALL") >= 1e9, "it is as long as was asked for", "%.3f s" % (figures.total("WALL") / 1e9))
    figures = recorded([sys.executable, "-c", HANDLES], ["poll", "restart_syscall", "rt_sigreturn"], lambda pid: None)
    returned, figures = figures["rt_sigreturn"], figures["poll"]
    equal("polls that a handler interrupts are timed, every one", figures.count("WALL"), figures.calls)
    say(figures.calls and not sum(figures.lost.values()), "and there are some", figures.calls)
    equal("they returned that they were interrupted", figures.failed, {errno.EINTR: figures.calls})
    equal("which is not the handlers' result, though that returns from them", (returned.failed, returned.calls >= figures.calls), ({}, True))


def waits_at_both_ends():
    """Threads that wait in calls as the recording begins, and again as it ends."""
    waits_at_both_ends_of(Agent())


def waits_at_both_ends_of(agent):
    with agent:
        pid = agent.request("launch", arguments=[sys.executable, "-c", WAITS])["pid"]
        agent.request("resume", pid=pid)
        agent.wait("process_output")
        agent.request("start_recording", pid=pid, probes=probes(["clock_nanosleep"]))
        agent.wait("histogram_delta", where=lambda delta: any(f["calls"] >= 40 for f in delta["functions"]))
        agent.request("stop_recording")
        slept, losses = agent.figures(named(["clock_nanosleep"]))["clock_nanosleep"], agent.losses()
        agent.request("end_program", pid=pid, force=True)
    say(slept.unfinished and not slept.unaccounted(), "some are under way at the end", slept.unfinished)
    equal("those that were at the beginning are no loss", losses["unmatched_returns"], 0)
    say(losses["early_returns"], "and told as what they are", losses["early_returns"])


def failures():
    """Calls that fail, by their error numbers; the program starts with some of its own."""
    def failed(times):
        names = ["access", "fsync"]
        with Agent() as agent:
            pid = agent.request("launch", arguments=[sys.executable, "-c", FAILS * times])["pid"]
            agent.request("start_recording", pid=pid, probes=probes(names))
            agent.request("resume", pid=pid)
            agent.wait("process_exited")
            agent.wait("recording_ended")
            return invariants("calls that fail", agent, named(names))
    few, many = failed(1), failed(3)
    equal("all others are there, too", many["access"].count("WALL") - few["access"].count("WALL"), 2 * 15)
    equal("those of access by their reasons", {e: many["access"].failed[e] - few["access"].failed.get(e, 0) for e in many["access"].failed},
          {errno.ENOENT: 2 * 7, errno.ENOTDIR: 2 * 3})
    equal("and those of fsync", many["fsync"].failed, {errno.EBADF: 3 * 4, errno.EINVAL: 3 * 2})


def answered_by_filters():
    """What the process's own filter answers was not seen to begin: it is told as that, and as no call of before the recording."""
    for before, early in ((2, 0), (0, 1)):
        answered_by_filter(Agent(), before, early)


def answered_by_filter(agent, before, early):
    with agent:
        number = os.uname().machine == "x86_64" and 110 or 173
        pid = agent.request("launch", arguments=[sys.executable, "-c", FILTERS % (before, number)])["pid"]
        agent.request("start_recording", pid=pid, probes=probes(["getppid"]))
        agent.request("resume", pid=pid)
        equal("the filtered program ends well", agent.wait("process_exited")["status"], 0)
        agent.wait("recording_ended")
        figures = invariants("filtered calls", agent, named(["getppid"]), expect_losses=True)["getppid"]
        losses = agent.losses()
    equal("calls that came through are timed", (figures.calls, figures.count("WALL")), (before, before))
    equal("those that a filter answers are told, but that a thread's first one may be of before",
          (losses["unmatched_returns"], losses["early_returns"]), (11 - early, early))


def in_a_time_namespace():
    """The agent's clock goes before the kernel's, or behind it: what began when is told on the kernel's."""
    ahead = int(time.clock_gettime(time.CLOCK_MONOTONIC)) // 2

    def agent_at(offset):
        return Agent(command=("unshare", "--time", "--monotonic", str(offset), "--boottime", str(2 * offset // 3), os.environ["KVIEW_AGENT"]))

    if subprocess.run(["unshare", "--time", "--monotonic", str(ahead), "true"], stderr=subprocess.DEVNULL).returncode:
        return say(True, "in a time namespace: skipped, there is none to be had")
    answered_by_filter(agent_at(ahead), 2, 0)
    waits_at_both_ends_of(agent_at(-ahead))
    with Agent() as plain, agent_at(ahead) as other:
        pid = plain.request("launch", arguments=[SYSCALLS, "1"])["pid"]
        begins = [next(p["start_time_ns"] for p in agent.request("list_processes")["processes"] if p["pid"] == pid)
                  for agent in (plain, other)]
        say(abs(begins[0] - begins[1]) < ahead * 5e8, "a process began when it began", begins)
        before_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        reply = other.request("start_recording", pid=pid, probes=probes(["write"]))
        other.request("stop_recording")
        say(before_ns < reply["start_ns"] < time.clock_gettime_ns(time.CLOCK_MONOTONIC), "and so did the recording", reply["start_ns"])
        plain.request("end_program", pid=pid, force=True)


def wrong_requests():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[SYSCALLS, "10"])["pid"]
        refused(agent, pid, ["raed"], "NO_SUCH_FUNCTION", "a name that is none is refused")
        refused(agent, pid, ["read", "read"], "BAD_REQUEST", "one that is chosen twice")


run_tests(exact, events, bill, goes_on, waits_at_both_ends, failures, answered_by_filters, in_a_time_namespace, wrong_requests)
