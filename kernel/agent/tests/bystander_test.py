# SPDX-License-Identifier: GPL-2.0
"""What a recording costs others, as a process of the agent's own finds it: its rounds, and that nothing of it stays."""
import signal
import subprocess
import time

from agent import wait_until
from bystanders import bystanders, cpu_ns, goes_on
from checks import *
from children_of import children_of

SYSCALLS = os.path.join(BUILD, "traced", "syscalls")
NAMES = ["getppid", "read", "clock_nanosleep"]
ROUNDS_APART = 20
SWITCH = "context switch, with a write and a read of pipes"


def probes(names):
    return [dict(function_id=i, system_call=dict(name=n)) for i, n in enumerate(names)]


def recorded(agent, pid, names=NAMES, **options):
    return agent.request("start_recording", pid=pid, probes=probes(names), cost_to_others=True, **options)


def operations_of(ended):
    return {o["name"]: o for o in ended["cost_to_others"]["operations"]}


def whole(operation):
    """The rounds that it must have, however restless the machine is, and times in each of them."""
    return all(1 <= len(operation[phase]) <= ROUNDS_APART for phase in ("before_ns", "after_ns")) and \
        len(operation["during_ns"]) >= 1 and operation["operations"] >= 4 and \
        all(ns > 0 for phase in ("before_ns", "during_ns", "after_ns") for ns in operation[phase])


def exact():
    """The bystander makes the calls that are recorded, and is not recorded."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[SYSCALLS, "2000"])["pid"]
        recorded(agent, pid)
        equal("there is one bystander", len(bystanders(agent.pid)), 1)
        goes_on(bystanders(agent.pid)[0])
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        ended = agent.wait("recording_ended")
        figures, truth = agent.figures([dict(name=n) for n in NAMES]), truth_of(agent.output())
        for name in "getppid", "read":
            equal("%s is counted of the recorded process alone" % name, figures[name].calls, truth["calls"])
        operations = operations_of(ended)
        equal("what is recorded is tried, and a switch", sorted(operations), sorted([SWITCH, "getppid()", "read() of /dev/zero"]))
        equal("the rounds are told, as many as there must be", {n: whole(o) for n, o in operations.items()},
              dict.fromkeys(operations, True))
        equal("of the points that they call", {n: o["calls"] for n, o in operations.items()},
              {SWITCH: [], "getppid()": [0], "read() of /dev/zero": [1]})
        equal("and those that none calls have one that stands for them",
              {n: o["stands_for"] for n, o in operations.items()}, {SWITCH: [], "getppid()": [2], "read() of /dev/zero": []})
        cost = ended["cost_to_others"]
        say(cost["cpu_ns"] > 0 and cost["note"] == "", "what that took is told", cost["cpu_ns"])
        equal("the bystander has ended", bystanders(agent.pid), [])


def sleeper():
    return subprocess.Popen(["/bin/sleep", "1000"])


def ends(process):
    process.kill()
    process.wait()


def links_of(pid):
    folder = "/proc/%d/fd" % pid
    return sorted(os.readlink(os.path.join(folder, fd)).split("[")[0].split(":")[0] for fd in os.listdir(folder))


def alone():
    """It has nothing of the agent's, one CPU, and does not outlive it."""
    traced = sleeper()
    try:
        with Agent() as agent:
            recorded(agent, traced.pid)
            child, = bystanders(agent.pid)
            equal("it has no descriptor of the agent's", links_of(child),
                  ["/dev/null"] * 4 + ["/dev/zero"] + ["pipe"] * 4 + ["socket"])
            equal("it stays on one CPU", len(os.sched_getaffinity(child)), 1)
            agent.process.kill()
            agent.process.wait()
            say(wait_until(lambda: not os.path.exists("/proc/%d" % child)), "it ends as the agent is killed")
    finally:
        ends(traced)


def others_are_served():
    """While it does its rounds before the recording; and that can be broken off then."""
    traced = sleeper()
    try:
        with Agent() as agent:
            starts = agent.send("start_recording", pid=traced.pid, probes=probes(NAMES), cost_to_others=True)
            agent.request("list_processes")
            say(starts not in agent.answers, "others are served before the recording begins")
            refused("meanwhile no other recording begins", "BUSY", lambda: recorded(agent, traced.pid))
            agent.request("stop_recording")
            refused("it can be broken off", "FAILED", lambda: agent.answer(starts))
            equal("then nothing is left of it", children_of(agent.pid), [])
            recorded(agent, traced.pid)
            equal("the next recording has one", len(operations_of(agent.stop())), 3)
    finally:
        ends(traced)


def killed():
    """Who kills it does the recording no harm."""
    traced = sleeper()
    try:
        with Agent() as agent:
            recorded(agent, traced.pid)
            child, = bystanders(agent.pid)
            os.kill(child, signal.SIGKILL)
            ended = agent.stop()
            equal("the recording ends as it was asked to", ended["reason"], "REQUESTED")
            equal("no rounds are told of a bystander that was killed", ended["cost_to_others"]["operations"], [])
            say(ended["cost_to_others"]["note"].startswith("What the recording cost others was not measured"),
                "and that it was not measured", ended["cost_to_others"]["note"])
            equal("nothing is left of it", children_of(agent.pid), [])
            agent.messages.clear()
            recorded(agent, traced.pid)
            equal("the next recording has one again", len(operations_of(agent.stop())), 3)
    finally:
        ends(traced)


def stopped():
    """One that gets no CPU keeps no probe attached, and the agent not for long."""
    traced = sleeper()
    try:
        with Agent() as agent:
            recorded(agent, traced.pid)
            child, = bystanders(agent.pid)
            goes_on(child)
            os.kill(child, signal.SIGSTOP)
            asked_ns = time.monotonic_ns()
            ended = agent.stop()
            before, after = (ended["end_ns"] - asked_ns) / 1e9, (time.monotonic_ns() - ended["end_ns"]) / 1e9
            # The agent waits for it, and then gives it up.
            say(before < after, "what is attached comes off without it", "%.3f s, and %.3f s until it was given up" % (before, after))
            cost = ended["cost_to_others"]
            equal("nothing is told of it", cost["operations"], [])
            say("no CPU for too long" in cost["note"], "and why", cost["note"])
            equal("it is gone", children_of(agent.pid), [])
    finally:
        ends(traced)


def point_off():
    """Where the budget takes a point off, nothing later counts as during the recording."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[os.path.join(BUILD, "traced", "spender"), "2", "1000", "500000"])["pid"]
        functions = agent.find(pid, "", "f_hot", "f_kept")
        agent.record(pid, functions, interval_ms=50, budget_ppm=50000, cost_to_others=True)
        child, = bystanders(agent.pid)
        agent.request("resume", pid=pid)
        agent.wait("histogram_delta", where=lambda d: any(f["probes_off"] for f in d["functions"]))
        # One that is under way may end.
        say(wait_until(lambda: not goes_on_for(child, 1)), "it has ended its rounds")
        os.kill(pid, signal.SIGUSR1)
        agent.wait("process_exited", where=lambda b: b["pid"] == pid)
        cost = agent.wait("recording_ended")["cost_to_others"]
        say("while all points were on" in cost["note"], "it is said of which time they are", cost["note"])
        say(cost["operations"] and all(o["after_ns"] for o in cost["operations"]), "and they are told")


def goes_on_for(pid, seconds):
    begin_ns = cpu_ns(pid)
    time.sleep(seconds)
    return cpu_ns(pid) > begin_ns


def ordinary():
    """An agent that goes before others does not have one that does."""
    for what, prefers in (("real time", lambda pid: os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(1))),
                          ("a low nice value", lambda pid: os.setpriority(os.PRIO_PROCESS, pid, -5))):
        traced = sleeper()
        try:
            with Agent() as agent:
                try:
                    prefers(agent.pid)
                except PermissionError:
                    print("# %s is not to be had here" % what)
                    continue
                recorded(agent, traced.pid)
                child, = bystanders(agent.pid)
                threads = [int(thread) for thread in os.listdir("/proc/%d/task" % child)]
                equal("both threads are ordinary, with an agent of " + what,
                      [(os.sched_getscheduler(thread), os.getpriority(os.PRIO_PROCESS, thread) >= 0) for thread in threads],
                      [(os.SCHED_OTHER, True)] * 2)
                agent.stop()
        finally:
            ends(traced)


def unasked():
    traced = sleeper()
    try:
        with Agent() as agent:
            agent.request("start_recording", pid=traced.pid, probes=probes(NAMES))
            equal("nobody who does not ask has a bystander", children_of(agent.pid), [])
            say(not agent.stop().get("cost_to_others"), "nor is told what it found")
            refused("a recording that is refused leaves none", "NO_SUCH_FUNCTION",
                    lambda: recorded(agent, traced.pid, ["no_such_call"]))
            equal("it is gone", children_of(agent.pid), [])
    finally:
        ends(traced)


def own_cpu():
    """A process that keeps to one CPU leaves the others to the bystander."""
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        print("# there is one CPU only: nothing to choose")
        return
    traced = sleeper()
    try:
        os.sched_setaffinity(traced.pid, {cpus[-1]})
        with Agent() as agent:
            recorded(agent, traced.pid)
            cost = agent.stop()["cost_to_others"]
            say(cost["cpu"] != cpus[-1] and cost["cpu_use"] == "FORBIDDEN", "it runs where the process may not", cost["cpu"])
    finally:
        ends(traced)


run_tests(exact, alone, others_are_served, killed, stopped, point_off, ordinary, unasked, own_cpu)
