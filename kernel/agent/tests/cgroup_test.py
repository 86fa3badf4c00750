# SPDX-License-Identifier: GPL-2.0
"""Recordings of all processes of a cgroup: exact over those that come and go, and nothing of others."""
import os
import shutil
import tempfile

from agent import BINARY, wait_until
from cgroups import V2, Group
from checks import *
from services import SERVICE, Service


class Cgroup(Group):
    def __init__(self, parent=None):
        super().__init__([parent] if parent else V2)

    def __exit__(self, *_):
        """Who is left in it goes up again, so that one failure is no other."""
        with open(os.path.join(self.folder, "cgroup.procs")) as procs:
            for pid in procs.read().split():
                with open(V2[0] + "/cgroup.procs", "w") as root:
                    root.write(pid)
        super().__exit__()

    @property
    def path(self):
        return self.folder[len(V2[0]):]


def scope(path):
    return [dict(cgroup=dict(path=path))]


def record(agent, service, group, *functions, **options):
    found = agent.find(service.pid, "", *functions)
    agent.record(service.pid, found, scopes=scope(group.path), budget_ppm=0, **options)
    return found


def the_agent():
    with Cgroup() as group, Service(group) as service, Agent() as agent:
        group.add(agent.pid)
        found = record(agent, service, group, "f_serve")
        service.do("m", 1, 100)
        agent.stop()
        ended = agent.wait("recording_ended")
        equal("calls beside an agent in the cgroup", agent.figures(found)["f_serve"].calls, 100)
        say("The agent is in the cgroup itself" in ended["calibration_note"], "which is told", ended["calibration_note"])


def another_file():
    with tempfile.TemporaryDirectory() as folder, Cgroup() as group:
        path = os.path.join(folder, "service")
        shutil.copy(SERVICE, path)
        with Service(group, [path]) as old:
            shutil.copy(SERVICE, path + ".new")
            os.rename(path + ".new", path)
            with Service(group, [path]) as new, Agent() as agent:
                functions = agent.find(new.pid, "", "f_serve")
                options = dict(scopes=scope(group.path), budget_ppm=0)
                note = agent.record(new.pid, functions, **options)["filter_note"]
                say("Process %d of the cgroup has another file as %s" % (old.pid, path) in note, "who has another file at that path is told", note)
                old.do("m", 1, 100)
                new.do("m", 1, 70)
                agent.stop()
                equal("calls in the file that was found", agent.figures(functions)["f_serve"].calls, 70)
        with Service(group, [path]) as new, Agent() as agent:
            note = agent.record(new.pid, agent.find(new.pid, "", "f_serve"), **options)["filter_note"]
            say("another file" not in note, "where nobody has one, nothing is told of it", note)


def exact():
    with Cgroup() as group, Cgroup(group.folder) as below, Cgroup() as beside, \
            Service(group) as service, Service(below) as lower, Service(beside) as other:
        with Agent() as agent:
            functions = record(agent, service, group, "f_serve", "f_outer")
            service.do("m", 1, 100)
            service.do("c", 20, 50)
            service.do("e", 5, 30)
            service.do("t", 4, 25)
            lower.do("c", 3, 40)
            other.do("c", 3, 1000)
            group.add(other.pid)
            other.do("m", 1, 7)
            service.do("i", 6, 10)
            ended = agent.stop()
            figures = agent.figures(functions)
        expected = 100 + 20 * 50 + 5 * 30 + 2 * 4 * 25 + 3 * 40 + 7 + 6 * 10
        serve, outer = figures["f_serve"], figures["f_outer"]
        equal("calls of all processes, that came and went", serve.calls, expected)
        equal("and each is timed", serve.count("WALL"), expected)
        equal("calls that fork are counted once", (outer.calls, outer.count("WALL")), (6, 6))
        equal("and nothing is lost", (serve.unaccounted(), outer.unaccounted(), sum(serve.lost.values()), sum(outer.lost.values())), (0, 0, 0, 0))
        say(serve.total("WALL") >= serve.total("ON_CPU") > 0, "times are of the calls")
        equal("the processes that came are told", len(ended["processes"]), 1 + 20 + 5 + 4 + 3 + 1 + 6)
        equal("by their names", {p["name"] for p in ended["processes"]}, {"service", "exe"})
        equal("the first one first", ended["processes"][0]["pid"], service.pid)
        say("Processes outside the cgroup" in ended["calibration_note"], "and that others paid", ended["calibration_note"])


def system_calls():
    with Cgroup() as group, Service(group) as service, Service() as other:
        with Agent() as agent:
            agent.request("start_recording", pid=service.pid, scopes=scope(group.path), budget_ppm=0, probes=[
                dict(function_id=0, system_call=dict(name="getppid")),
                dict(function_id=1, tracepoint=dict(category="syscalls", name="sys_enter_getppid")),
                dict(function_id=2, tracepoint=dict(category="sched", name="sched_switch"))])
            service.do("m", 1, 100)
            service.do("c", 20, 50)
            other.do("c", 3, 1000)
            group.add(other.pid)
            other.do("m", 1, 7)
            ended = agent.stop()
            figures = agent.figures([dict(name="getppid"), dict(name="tracepoint"), dict(name="switch")])
        expected = 100 + 20 * 50 + 7
        equal("system calls of all processes", (figures["getppid"].calls, figures["getppid"].count("WALL")), (expected, expected))
        equal("and hits", figures["tracepoint"].calls, expected)
        say(figures["switch"].calls > 0, "and of the scheduler", figures["switch"].calls)
        equal("each process is told once, and no idle CPU", [p["name"] for p in ended["processes"]], 22 * ["service"])


def inherits():
    """A child returns from the call that forked it, which is no end of a call that others are in."""
    with Cgroup() as group, Service(group) as service, Service(group) as holds:
        with Agent() as agent:
            functions = record(agent, service, group, "f_serve", "f_outer")
            holds.do("h", 2, 0)
            say(wait_until(lambda: agent.figures(functions)["f_outer"].calls == 2), "two processes stay in a call")
            service.do("i", 6, 10)
            say(wait_until(lambda: agent.figures(functions)["f_outer"].calls == 8), "others call it meanwhile")
            agent.stop()
            outer, losses = agent.figures(functions)["f_outer"], agent.losses()
            equal("calls that fork are timed, and those that stay unfinished", (outer.calls, outer.count("WALL"), outer.unfinished), (8, 6, 2))
            equal("and no return is taken for one of theirs", (max(d["losses"]["unmatched_returns"] for d in agent.all("histogram_delta")), losses["early_returns"]), (0, 6))


def ends():
    with Cgroup() as group:
        first, second = Service(group), Service(group)
        with Agent() as agent:
            functions = record(agent, first, group, "f_serve")
            first.end()
            second.do("m", 1, 100)
            equal("it goes on without the process that was named", len(agent.all("recording_ended")), 0)
            second.end()
            equal("and ends with the last one", agent.wait("recording_ended")["reason"], "PROCESS_ENDED")
            equal("with its calls", agent.figures(functions)["f_serve"].calls, 100)


def leaves():
    with Cgroup() as group, Service(group) as service, Service(group) as other:
        with Agent() as agent:
            functions = record(agent, service, group, "f_serve")
            other.do("m", 1, 30)
            with open(V2[0] + "/cgroup.procs", "w") as root:
                root.write(str(other.pid))
            other.do("m", 1, 1000)
            service.do("m", 1, 10)
            agent.stop()
            equal("a process that has left is measured no more", agent.figures(functions)["f_serve"].calls, 40)


def with_events():
    with Cgroup() as group, Service(group) as service:
        with Agent() as agent:
            functions = record(agent, service, group, "f_serve", events=True)
            service.do("c", 10, 50)
            agent.stop()
            equal("with events as many", agent.figures(functions)["f_serve"].calls, 500)
            equal("of which none is lost", agent.losses()["events_dropped"], 0)
            say(sum(p["events"] for p in agent.all("event_packet")) >= 1000, "and the events are there",
                sum(p["events"] for p in agent.all("event_packet")))


def refusals():
    with Cgroup() as group, Cgroup() as empty, Service(group) as service, Service() as other, Agent() as agent:
        functions = agent.find(service.pid, "", "f_serve")
        for what, code, pid, path in (
                ("no path", "BAD_REQUEST", service.pid, "kview.service"), ("the root", "BAD_REQUEST", service.pid, "/"),
                ("nothing", "BAD_REQUEST", service.pid, ""),
                ("a way up", "BAD_REQUEST", service.pid, group.path + "/../.."), ("none", "BAD_REQUEST", service.pid, group.path + "-none"),
                ("a file", "BAD_REQUEST", service.pid, group.path + "/cgroup.procs"),
                ("a control character", "BAD_REQUEST", service.pid, group.path + "\n\x1b[31m"),
                ("a long one", "BAD_REQUEST", service.pid, "/" + 5000 * "a"), ("a deep one", "BAD_REQUEST", service.pid, 3000 * "/a"),
                ("a process outside", "NO_SUCH_PROCESS", other.pid, group.path),
                ("an empty one", "NO_SUCH_PROCESS", service.pid, empty.path),
                ("version 1", "UNSUPPORTED", service.pid, "/sys/fs/cgroup/memory/x") if V2[0] != "/sys/fs/cgroup" else
                ("below /proc", "BAD_REQUEST", service.pid, "/proc/1")):
            refused("a cgroup by " + what, code, lambda: agent.record(pid, functions, scopes=scope(path)))
        for what, options in (("a view", dict(filter="FILTER_VIEW")), ("jumps", dict(probe_way="PROBE_WAY_JUMP")),
                              ("waits", dict(waits=True)), ("forced returns", dict(force_return_probes=True))):
            refused("a cgroup with " + what, "UNSUPPORTED", lambda: agent.record(service.pid, functions, scopes=scope(group.path), **options))
        agent.record(service.pid, functions, scopes=scope(group.folder))
        agent.stop()
        say(True, "by the path of its folder it is taken")


def apart():
    """In a namespace that begins at a cgroup, a path does not say how deep it is: nobody would be found there."""
    command = 'echo $$ > "$1/cgroup.procs" && exec unshare -C -m sh -c \'umount -l "$1" && mount -t cgroup2 none "$1" && exec "$0"\' "$0" "$2"'
    with Cgroup() as group, Cgroup(group.folder) as below, Service(below) as service, \
            Agent(command=("sh", "-c", command, BINARY, group.folder, V2[0])) as agent:
        functions = agent.find(service.pid, "", "f_serve")
        refused("a cgroup from within a cgroup namespace", "UNSUPPORTED",
                lambda: agent.record(service.pid, functions, scopes=scope(below.folder[len(group.folder):])))


if not V2:
    say(True, "no cgroups of version 2 are mounted here")
else:
    run_tests(exact, another_file, the_agent, system_calls, inherits, ends, leaves, with_events, refusals, apart)
