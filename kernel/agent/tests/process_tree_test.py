# SPDX-License-Identifier: GPL-2.0
"""Recordings of a process with its children, and theirs: exact over those that come and go, and nothing of others."""
import os
import subprocess

from agent import BINARY, stat_field, wait_until
from checks import *
from services import SERVICE, Service

POINTS = [dict(function_id=0, system_call=dict(name="getppid")),
          dict(function_id=1, tracepoint=dict(category="syscalls", name="sys_enter_getppid")),
          dict(function_id=2, tracepoint=dict(category="sched", name="sched_process_exec"))]


def tree(pid):
    return [dict(process_tree=dict(pid=pid))]


def start(agent, pid, points=POINTS, **options):
    return agent.request("start_recording", **dict(dict(pid=pid, scopes=tree(pid), budget_ppm=0, probes=points), **options))


def figures(agent):
    found = agent.figures([dict(name="calls"), dict(name="hits"), dict(name="execs")])
    return found["calls"], found["hits"], found["execs"]


def cpu_seconds(service):
    """Of the shell's child, and of those for which that one has waited; by the kernel's clock ticks."""
    child = subprocess.run(["pgrep", "-P", str(service.pid), "service"], capture_output=True, check=True).stdout.decode().strip()
    return sum(int(stat_field(int(child), index)) for index in (11, 12, 13, 14)) / os.sysconf("SC_CLK_TCK")


CAME_AND_WENT = 100 + 20 * 50 + 5 * 30 + 2 * 4 * 25


def come_and_go(service, other):
    """As many calls by the service, its children, threads of these, and what they execute; and others by another one's."""
    service.do("m", 1, 100)
    service.do("c", 20, 50)
    service.do("e", 5, 30)
    service.do("t", 4, 25)
    other.do("c", 3, 1000)


def exact():
    """The first one is a shell: the service is there before the recording, its children are not."""
    with Service(None, ["sh", "-c", '"$0"; exit 3', SERVICE]) as service, Service() as other, Agent() as agent:
        note = start(agent, service.pid)["filter_note"]
        say("Children are followed at the forks of all processes" in note, "what others pay is told", note)
        come_and_go(service, other)
        service.end()
        ended = agent.wait("recording_ended")
        calls, hits, execs = figures(agent)
        expected = CAME_AND_WENT
        equal("calls of all processes, that came and went", (calls.calls, calls.count("WALL")), (expected, expected))
        equal("and hits", (hits.calls, execs.calls), (expected, 5))
        equal("and nothing is lost", (calls.unaccounted(), sum(calls.lost.values())), (0, 0))
        equal("it ends with the first one", ended["reason"], "PROCESS_ENDED")
        exited = agent.wait("process_exited")
        equal("and how that ended is told, not how another one did", (exited["pid"], exited["signalled"], exited["status"]), (service.pid, False, 3))
        equal("the processes that came are told", len(ended["processes"]), 1 + 20 + 5 + 4)


def functions():
    """In all of them, beside system calls; others that run the same program pay, and are not counted."""
    with Service(None, ["sh", "-c", '"$0"; exit 3', SERVICE]) as service, Service() as other, Agent() as agent:
        found = agent.find(service.pid, SERVICE, "f_serve", "f_outer")
        probes = [dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"]) for i, f in enumerate(found)]
        note = start(agent, service.pid, probes + [dict(function_id=2, system_call=dict(name="getppid"))])["filter_note"]
        say("outside the process tree" in note, "what others pay is told", note)
        come_and_go(service, other)
        service.do("i", 6, 10)
        service.end()
        ended, exited = agent.wait("recording_ended"), agent.wait("process_exited")
        figures = agent.figures(found + [dict(name="calls")])
        losses = agent.losses()
    serve, outer, calls = (figures[name] for name in ("f_serve", "f_outer", "calls"))
    expected = CAME_AND_WENT + 6 * 10
    equal("calls of functions in all processes, that came and went", (serve.calls, serve.count("WALL")), (expected, expected))
    equal("and the system calls within them", (calls.calls, calls.count("WALL")), (expected, expected))
    equal("and how the first one ended is told", exited["status"], 3)
    equal("calls that fork are counted once", (outer.calls, outer.count("WALL"), losses["early_returns"]), (6, 6, 6))
    equal("and nothing is lost", (serve.unaccounted(), outer.unaccounted(), sum(serve.lost.values()), sum(outer.lost.values())), (0, 0, 0, 0))
    equal("the processes that came are told", len(ended["processes"]), 1 + 20 + 5 + 4 + 6)
    say("Processes outside the process tree" in ended["calibration_note"], "and that others paid", ended["calibration_note"])


def orphans():
    """Whose parent has ended belongs to it as well."""
    shell = subprocess.Popen(["sh", "-c", 'read line; ("$0" 500 & ); read line', SERVICE], stdin=subprocess.PIPE)
    with Agent() as agent:
        start(agent, shell.pid)
        shell.stdin.write(b"\n")
        shell.stdin.flush()
        say(wait_until(lambda: figures(agent)[0].calls == 500), "calls of a child whose parent has ended", figures(agent)[0].calls)
        shell.communicate(b"\n")
        agent.wait("recording_ended")
        equal("as many, and no more", figures(agent)[0].calls, 500)


def the_agent():
    """It is a child here of the shell that is recorded, and so are those that it forks; what they do is not the shell's."""
    with Agent(command=["sh", "-c", '"$0"; exit', BINARY]) as agent:
        start(agent, agent.pid, [dict(function_id=0, system_call=dict(name="bpf"))])
        agent.stop()
        ended = agent.wait("recording_ended")
        equal("calls of an agent in the tree", agent.figures([dict(name="calls")])["calls"].calls, 0)
        say("is one of the tree's, and is left out" in ended["calibration_note"], "and that is told", ended["calibration_note"])


def cpu_time(staying=0):
    """The budget is a share of the CPU time of all, those with them that have ended.  staying: how many children are there all the time."""
    command = 'i=0; while [ $i -lt $1 ]; do sleep 100 & pids="$pids $!"; i=$((i+1)); done; "$0"; [ -z "$pids" ] || kill $pids'
    with Service(None, ["sh", "-c", command, SERVICE, str(staying)]) as service, Agent() as agent:
        service.do("c", 4, 100000)
        before = cpu_seconds(service)
        start(agent, service.pid, budget_ppm=1000000)
        service.do("c", 4, 100000)
        service.do("m", 1, 200000)
        agent.stop()
        taken = cpu_seconds(service) - before
        told = max(d["process_cpu_ns"] for d in agent.all("histogram_delta")) / 1e9
    say(abs(told - taken) < 0.05 + taken / 10, "CPU time of those that go on and of children that have ended, beside %d that stay" % staying, (told, taken))


def cpu_time_of_many():
    """So many that the kernel sums it up."""
    cpu_time(300)


def refusals():
    with Service() as service, Service() as other, Agent() as agent:
        functions = agent.find(service.pid, "", "f_serve")
        for what, options in (("a view", dict(filter="FILTER_VIEW")), ("jumps", dict(probe_way="PROBE_WAY_JUMP")), ("forced returns", dict(force_return_probes=True))):
            refused("functions of programs with " + what, "UNSUPPORTED", lambda: agent.record(service.pid, functions, scopes=tree(service.pid), **options))
        refused("a tree of another one", "BAD_REQUEST", lambda: start(agent, service.pid, scopes=tree(other.pid)))
        refused("what calls waited for", "UNSUPPORTED", lambda: start(agent, service.pid, waits=True))
        start(agent, service.pid)
        agent.stop()
        say(True, "and all else is taken")


run_tests(exact, functions, orphans, the_agent, cpu_time, cpu_time_of_many, refusals)
