# SPDX-License-Identifier: GPL-2.0
"""Tracepoints: hits of one process, counted exactly, and the time between them."""
import re
import resource
import shutil
import signal
import subprocess
import tempfile

from agent import wait_until
from bystanders import bystanders, goes_on
from checks import *

HITS = os.path.join(BUILD, "traced", "hits")
GETPPID = "syscalls:sys_enter_getppid"
RETURNS = "syscalls:sys_exit_getppid"
FORK = "sched:sched_process_fork"
RENAME = "task:task_rename"
SWITCH = "sched:sched_switch"
PAGES = "kmem:mm_page_alloc"
# In a tree of folders of one's own; many hosts have it already.
MOUNTED = "{ grep -q \"^[^ ]* /sys/kernel/tracing tracefs \" /proc/self/mounts || mount -t tracefs tracefs /sys/kernel/tracing; }"


def point(label):
    category, name = label.split(":")
    return dict(tracepoint=dict(category=category, name=name))


def probes(*points):
    return [dict(function_id=i, **p) for i, p in enumerate(points)]


def record(agent, points, arguments=("1000", "7", "1000000"), beside=(), **options):
    """Figures by label of a run of the program, and what it says of itself; beside is run while only the first one is recorded."""
    pid = agent.request("launch", arguments=[HITS, *arguments])["pid"]
    reply = agent.request("start_recording", pid=pid, probes=probes(*map(point, points)), **options)
    for command in beside:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    agent.request("resume", pid=pid)
    agent.wait("recording_ended")
    return reply, agent.figures([dict(name=p) for p in points]), truth_of(agent.output())


def exact():
    """What the program knows of itself, and nothing of others that do the same."""
    points = [GETPPID, FORK, RETURNS, RENAME]
    with Agent() as agent:
        reply, f, truth = record(agent, points, beside=[[HITS, "500", "3", "1000"]] * 2)
        equal("entries of getppid", f[GETPPID].calls, truth["calls"])
        equal("exits of getppid", f[RETURNS].calls, truth["calls"])
        equal("new threads and processes", f[FORK].calls, truth["clones"])
        equal("new names", f[RENAME].calls, truth["renames"])
        equal("a thread's first hit has nothing before it", f[GETPPID].count("BETWEEN"), truth["calls"] - truth["threads"])
        equal("nor has it of one thread", (f[FORK].count("BETWEEN"), f[RENAME].count("BETWEEN")),
              (truth["clones"] - 1, truth["renames"] - 1))
        for name in points:
            equal("no other figure of %s" % name, set(f[name].metrics), {"BETWEEN"})
            say(buckets_fit(f[name].metrics["BETWEEN"]), "buckets, total and maximum of %s fit" % name)
            equal("nothing of %s is lost" % name, sum(f[name].lost.values()), 0)
            equal("and nothing is taken off, or in doubt", (f[name].removed_ns, f[name].uncertain_ns), (0, 0))
            say(f[name].cost_ns > 0, "hits of %s cost something" % name, "%d ns each" % (f[name].cost_ns / f[name].calls))
        equal("no loss", {k: v for k, v in agent.losses().items() if v}, {})
        equal("how they are measured", {(p["mechanism"], p["measured"]) for p in reply["probes"]}, {("MECHANISM_TRACEPOINT", 1 << 13)})
        say("filtered in the eBPF programs" in reply["filter_note"] and "ns longer" in reply["filter_note"],
            "who pays is said", reply["filter_note"])


def odd_names():
    """System calls that the kernel calls otherwise, or that are newer than the agent's headers: by perf's events."""
    points = ["syscalls:sys_enter_newuname", "syscalls:sys_exit_newuname"]
    with Agent() as agent:
        try:
            points += agent.request("find_points", tracepoints="syscalls:sys_e*_futex_wake")["names"]
        except AgentError:
            print("# this kernel has no futex_wake", flush=True)
        _, f, truth = record(agent, points, beside=[[HITS, "5", "1", "1000"]])
        equal("by their numbers", {p: f[p].calls for p in points[:2]}, {p: truth["unames"] for p in points[:2]})
        equal("and by their events", {p: f[p].calls for p in points[2:]}, {p: truth["futex_wakes"] for p in points[2:]})


def time_between():
    """As long as the program's own clock has it."""
    with Agent() as agent:
        _, f, truth = record(agent, [RENAME], arguments=("1", "0", "3000000"))
        between = f[RENAME].metrics["BETWEEN"]
        say(min(bounds(i)[1] for i in between["buckets"]) > truth["shortest_ns"], "none is shorter than the shortest wait", between)
        say(between["max"] <= truth["longest_ns"], "and none is longer than from before one hit to behind the next",
            (between["max"], truth["longest_ns"]))


def with_others():
    """Beside functions and system calls, each as if it were alone."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[HITS, "1000", "2", "1000"])["pid"]
        found = agent.find(pid, "", "f_asks")
        points = [point(RENAME), dict(system_call=dict(name="getppid")), dict(binary=found[0]["binary"], symbol=found[0]["symbol"],
                  file_offset=found[0]["file_offset"], user_function={}), point(GETPPID), point("raw_syscalls:sys_exit")]
        agent.request("start_recording", pid=pid, probes=probes(*points))
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f, truth = agent.figures([dict(name=str(i)) for i in range(5)]), truth_of(agent.output())
        equal("calls of the function", f["2"].calls, truth["calls"])
        equal("system calls", (f["1"].calls, f["1"].count("WALL")), (truth["calls"], truth["calls"]))
        equal("hits", (f["0"].calls, f["3"].calls), (truth["renames"], truth["calls"]))
        say(f["4"].calls > f["3"].calls, "exits of all system calls", f["4"].calls)
        equal("all calls are accounted for", [f[str(i)].unaccounted() for i in (1, 2)], [0, 0])
        say(f["2"].uncertain_ns > f["2"].calls * 10, "calls around hits are as uncertain as these may be dear", f["2"].uncertain_ns)
        equal("no loss", {k: v for k, v in agent.losses().items() if v and k != "healed_switches"}, {})


def what_the_recording_does():
    """Its eBPF programs make the states of new threads, and so come to tracepoints: that is none of the process's hits."""
    threads, points = 2000, ["kmem:kmalloc", "irq_vectors:irq_work_entry"]
    with Agent() as agent:
        # Not on every kind of processor.
        points = [p for p in points if agent.request("find_points", tracepoints="*:*", limit=5000)["names"].count(p)]

    def hits(*others):
        with Agent() as agent:
            pid = agent.request("launch", arguments=[HITS, "1", "0", "1000", str(threads)])["pid"]
            found = agent.find(pid, "", "f_asks")
            function = dict(binary=found[0]["binary"], symbol=found[0]["symbol"], file_offset=found[0]["file_offset"], user_function={})
            chosen = [function if p == "f_asks" else dict(system_call=dict(name=p)) for p in others]
            reply = agent.request("start_recording", pid=pid, probes=probes(*map(point, points), *chosen), budget_ppm=1000000)
            agent.request("resume", pid=pid)
            agent.wait("recording_ended")
            f = agent.figures([dict(name=str(i)) for i in range(len(points) + len(chosen))])
            equal("all calls are counted beside", [f[str(i)].calls for i in range(len(points), len(f))], [threads + 2] * len(chosen))
            return {p: f[str(i)].calls for i, p in enumerate(points)}, reply["filter_note"]

    alone, note = hits()
    say("to run the probes" not in note, "nothing of the kind is said of tracepoints alone", note)
    # What the kernel itself does at a breakpoint is counted: it allocates twice for a thread's first one.
    for other, most in (("getppid", 0.5), ("f_asks", 2.5)):
        beside, note = hits(other)
        for p in points:
            say(beside[p] < alone[p] + threads * (most if p == points[0] else 0.5),
                "beside %s there are no hits of %s that eBPF programs make" % (other, p), (alone[p], beside[p]))
        say("to run the probes" in note, "and that others are counted is said", note)


def of_events(agent):
    """How many points the agent has at events of perf."""
    folder = "/proc/%d/fd" % agent.process.pid
    return [os.readlink(os.path.join(folder, fd)) for fd in os.listdir(folder)].count("anon_inode:[perf_event]")


def by_system_and_name():
    """Where an event of another system has a tracepoint's name as well, the kernel is not asked for it by that name alone."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[HITS, "1", "0", "1000"])["pid"]
        start = lambda name: agent.request("start_recording", pid=pid, probes=probes(point(name)))
        offset = agent.find(pid, "", "f_asks")[0]["file_offset"]
        define = lambda line: subprocess.run(
            ["unshare", "-m", "sh", "-c", MOUNTED + " && echo \"$0\" >>/sys/kernel/tracing/uprobe_events", line], check=True)
        define("p:kview_test/task_rename %s:%#x" % (os.path.realpath(HITS), offset))
        try:
            refused("what another tool put there is no tracepoint", "NOT_PROBEABLE", lambda: start("kview_test:task_rename"))
            start(RENAME)
            equal("it is found by its number", of_events(agent), 1)
            agent.request("resume", pid=pid)
            agent.wait("recording_ended")
            f, truth = agent.figures([dict(name=RENAME)]), truth_of(agent.output())
            equal("and the hits are its", f[RENAME].calls, truth["renames"])
        finally:
            define("-:kview_test/task_rename")
    with Agent() as agent:
        pid = agent.request("launch", arguments=[HITS, "1", "0", "1000"])["pid"]
        start(RENAME)
        equal("by its name where there is no other", of_events(agent), 0)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")


class Bpftrace:
    """
    It has begun in the block, and has ended after it: with the process that is given, as a signal that comes while it prints would end
    that.  In a tree of folders of its own, in which tracefs is surely mounted.
    """

    def __init__(self, script, pid=None):
        self.ends_with_process = pid is not None
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(["unshare", "-m", "sh", "-c", MOUNTED + " && exec bpftrace \"$@\"", "bpftrace",
                                         *(["-p", str(pid)] if pid else []), "-e", "BEGIN { printf(\"ready\\n\"); } " + script], stdout=self.said, stderr=self.said)

    def __enter__(self):
        if not wait_until(lambda: "ready" in self.output() or self.process.poll() is not None, 120) or self.process.poll() is not None:
            state = "it ended with %s" % self.process.poll() if self.process.poll() is not None else "it does %s" % self.does()
            self.__exit__()
            raise RuntimeError("bpftrace did not begin, %s: %s" % (state, self.output()))
        return self

    def __exit__(self, *_):
        if not self.ends_with_process or not wait_until(lambda: self.process.poll() is not None, 60):
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def does(self):
        try:
            with open("/proc/%d/stack" % self.process.pid) as stack:
                return " ".join(line.split()[-1] for line in stack)
        except OSError as error:
            return str(error)

    def output(self):
        self.said.seek(0)
        return self.said.read()

    def counts(self):
        return {int(i): int(n) for i, n in re.findall(r"@n\[(\d+)\]: (\d+)", self.output())}


def one_is_refused():
    """At an event of perf there is room for 64 eBPF programs: where others have it the rest is measured."""
    if not shutil.which("bpftrace"):
        print("# no event is made full, as there is no bpftrace", flush=True)
        return
    full = "syscalls:sys_enter_futex_wake"
    with Agent() as agent:
        try:
            agent.request("find_points", tracepoints=full)
        except AgentError:
            print("# this kernel has no futex_wake", flush=True)
            return
        with Bpftrace("tracepoint:%s { @ = count(); } " % full * 64):
            pid = agent.request("launch", arguments=[HITS, "1000", "7", "1000000"])["pid"]
            agent.request("start_recording", pid=pid, probes=probes(point(full), point(RENAME)), cost_to_others=True)
            child, = bystanders(agent.pid)
            agent.wait("histogram_delta", where=lambda d: any(function["probes_off"] for function in d["functions"]))
            say(goes_on(child), "what the other one costs others is measured still")
            agent.request("resume", pid=pid)
            cost = agent.wait("recording_ended")["cost_to_others"]
            equal("and told, of the time while all that was attached was", cost["note"], "")
            say(cost["operations"] and all(o["during_ns"] for o in cost["operations"]), "as rounds during the recording", cost)
            f, truth = agent.figures([dict(name=full), dict(name=RENAME)]), truth_of(agent.output())
            equal("the other one is measured to the end", (f[RENAME].calls, f[RENAME].off), (truth["renames"], ""))
            say("refused an eBPF program" in f[full].off and not f[full].calls, "of the refused one it is told", f[full].off)
            pid = agent.request("launch", arguments=[HITS, "1", "0", "1000"])["pid"]
            refused("where none is left nothing is recorded", "NOT_PROBEABLE",
                    lambda: agent.request("start_recording", pid=pid, probes=probes(point(full))))
            agent.request("resume", pid=pid)
            agent.wait("process_exited", where=lambda e: e["pid"] == pid)


def many():
    """More than a usual limit of descriptors lets be attached."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (100, limit[1]))
    try:
        with Agent() as agent:
            points = [RENAME] + [p for p in agent.request("find_points", tracepoints="*:*", limit=5000)["names"]
                                 if p.split(":")[0] in ("ext4", "block", "writeback", "jbd2", "xfs", "tcp", "sock")][:70]
            say(len(points) > 50, "there are many", len(points))
            _, f, truth = record(agent, points)
            equal("all are attached", (f[RENAME].calls, {f[p].off for p in points if p in f}), (truth["renames"], {""}))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)


def as_bpftrace_counts():
    """Of the same run: what the program does not know of itself."""
    points = ["raw_syscalls:sys_enter", RENAME, PAGES]
    if not shutil.which("bpftrace"):
        print("# not compared, as there is no bpftrace", flush=True)
        return
    with Agent() as agent:
        pid = agent.request("launch", arguments=[HITS, "20000", "50", "100000"])["pid"]
        agent.request("start_recording", pid=pid, probes=probes(*map(point, points)))
        with Bpftrace(" ".join("tracepoint:%s /pid == %d/ { @n[%d] = count(); }" % (name, pid, i) for i, name in enumerate(points)), pid) as other:
            agent.request("resume", pid=pid)
            agent.wait("recording_ended")
        counts = other.counts()
        f = agent.figures([dict(name=p) for p in points])
        equal("as bpftrace counts of the same run", {p: f[p].calls for p in points},
              {p: counts.get(i, 0) for i, p in enumerate(points)})
        say(f[points[0]].calls > 40000, "and there are many", f[points[0]].calls)


def what_is_dropped():
    """Beyond the budget a point comes off, and costs nobody anything any more; the others go on."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[HITS, "3000000", "0", "1000"])["pid"]
        agent.request("start_recording", pid=pid, probes=probes(point(GETPPID), point(RENAME)), interval_ms=50, budget_ppm=20000)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f, truth = agent.figures([dict(name=GETPPID), dict(name=RENAME)]), truth_of(agent.output())
        say(f[GETPPID].off and 0 < f[GETPPID].calls < truth["calls"], "the dear one comes off", f[GETPPID].off)
        equal("the other one stays", (f[RENAME].calls, f[RENAME].off), (truth["renames"], ""))


def names():
    with Agent() as agent:
        find = lambda pattern, **options: agent.request("find_points", tracepoints=pattern, **options)
        equal("one by its name", find(SWITCH)["names"], [SWITCH])
        several = find("sched:sched_process_*")
        say(FORK in several["names"] and len(several["names"]) == several["total_matches"] > 3, "by a glob", several["names"])
        refused("none of that name, with what is alike", "NO_SUCH_FUNCTION", lambda: find("sched:sched_swich"))
        try:
            find("sched:sched_swich")
        except AgentError as error:
            say(SWITCH in error.suggestions, "names like it are told", error.suggestions)
        refused("what eBPF programs come to themselves", "NOT_PROBEABLE", lambda: find("lock:contention_begin"))
        refused("all of them", "NOT_PROBEABLE", lambda: find("lock:*"))
        refused("records of the kernel's own tracers", "NOT_PROBEABLE", lambda: find("ftrace:function"))
        both = find("*:*_begin", limit=5000)
        equal("beside others it is told with the reason",
              [(r["name"], "locks" in r["reason"]) for r in both["refused"]], [("lock:contention_begin", True)])
        say(both["names"] and "lock:contention_begin" not in both["names"], "which are found", both["names"])


def what_cannot_be_had():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[HITS, "1", "0", "1000"])["pid"]
        start = lambda *points, **options: lambda: agent.request("start_recording", pid=pid, probes=probes(*points), **options)
        refused("no such one", "NO_SUCH_FUNCTION", start(point("sched:nothing")))
        refused("one twice", "BAD_REQUEST", start(point(SWITCH), point(SWITCH)))
        refused("a glob", "BAD_REQUEST", start(point("sched:*")))
        refused("a way out of its folder", "BAD_REQUEST", start(point("..:sched/sched_switch")))
        refused("one that is unsafe", "NOT_PROBEABLE", start(point("lock:contention_end")))
        refused("a record of the kernel's tracers", "NOT_PROBEABLE", start(point("ftrace:function")))
        refused("events", "UNSUPPORTED", start(point(SWITCH), events=True))
        refused("a view", "UNSUPPORTED", start(point(SWITCH), filter="FILTER_VIEW"))
        agent.request("resume", pid=pid)
        agent.wait("process_exited")


run_tests(exact, odd_names, time_between, with_others, what_the_recording_does, by_system_and_name, one_is_refused, many, as_bpftrace_counts, what_is_dropped, names, what_cannot_be_had)
