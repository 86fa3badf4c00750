# SPDX-License-Identifier: GPL-2.0
"""
Every call that was counted is timed, or it is told why not: whatever the traced program does,
and whenever the recording ends.
"""
import collections
import os
import subprocess
import time

import cgroups
from agent import status_of, wait_until
from checks import *

# Each with some functions that are called; the last word is how the recording ends.
PROGRAMS = [
    ([PLAIN, "spin", "5"], "program"), ([PLAIN, "recurse", "100"], "program"),
    ([PLAIN, "nested", "100"], "program"), ([PLAIN, "threads", "20", "300"], "program"),
    ([PLAIN_FORKING, "fork"], "program"), ([PLAIN, "paced", "5000"], "stop"),
    ([PLAIN, "many", "0"], "stop"), ([PLAIN, "exit-inside"], "stop"),
    ([PLAIN, "paced", "5000"], "kill"), ([JUMPS, "longjmp", "50"], "program"),
    ([JUMPS, "recurse", "200"], "program"), ([JUMPS, "tail", "100"], "program"),
    ([JUMPS, "thread-exit", "20"], "program"), ([JUMPS, "altstack", "50"], "program"),
    ([JUMPS, "altstack", "50", "above"], "program"), ([THROWS, "100"], "program"),
]


def probeable(agent, pid):
    found = []
    for pattern in ("f_*", "g_*"):
        try:
            found += [f for f in agent.find(pid, "", pattern) if f["probeable"]]
        except AgentError:
            pass  # not all programs have both
    return found


def every_call_is_accounted_for():
    for arguments, end in PROGRAMS:
        name = " ".join([os.path.basename(arguments[0])] + arguments[1:] + ["until its end" if
                        end == "program" else end])
        with Agent() as agent:
            pid = agent.request("launch", arguments=arguments)["pid"]
            functions = probeable(agent, pid)
            agent.record(pid, functions)
            agent.request("resume", pid=pid)
            if end != "program":
                time.sleep(0.5)
            if end == "stop":
                agent.stop()
            elif end == "kill":
                os.kill(pid, 9)
            if end != "stop":
                agent.wait("recording_ended", 60)
            figures = invariants(name, agent, functions, expect_losses=True)
            lost = collections.Counter()
            for f in figures.values():
                lost.update(f.lost)
            equal(name + ": lost calls are nested too deep alone", set(+lost) - {"too_deep"}, set())
            equal(name + ": sums of functions and of the recording agree",
                  agent.losses()["depth_overflows"], lost["too_deep"])


def without_memory():
    """The kernel has none for the threads' state: their calls are counted, and told as lost for that."""
    with cgroups.Memory() as group:
        if not group:
            return say(True, "without memory: skipped, there is no cgroup to be had")
        with Agent(preexec=lambda: group.add(os.getpid())) as agent:
            pid = agent.request("launch", arguments=[PLAIN, "threads", "400", "250"])["pid"]
            functions = agent.find(pid, "", "f_empty") + [dict(name="set_robust_list")]
            never = dict(tests=[dict(field="ARGUMENT", argument=1, bits=64, mask=1, comparison="EQUAL", value=1, if_true=32, if_false=33)])
            agent.request("start_recording", pid=pid, probes=[
                dict(function_id=0, **{k: functions[0][k] for k in ("binary", "symbol", "file_offset")}),
                dict(function_id=1, system_call=functions[1], condition=never)])
            # What it has loaded into the kernel stays the group's, and the threads' state is part of it.
            for process in (agent.pid, pid):
                group.leave(process)
            group.close()
            agent.request("resume", pid=pid)
            exited = agent.wait("process_exited", 60)
            agent.wait("recording_ended")
            figures = invariants("without memory", agent, functions, expect_losses=True)
            f, other = figures["f_empty"], figures["set_robust_list"]
            equal("without memory: calls that a condition is not true of are no loss", (other.calls, other.unmatched), (0, 400))
            equal("without memory: all calls are counted", f.calls, 100000)
            say(f.lost["no_memory"] > 0, "without memory: what is lost for that is told", f.lost)
            equal("without memory: sums of functions and of the recording agree",
                  agent.losses()["untracked_threads"], f.lost["no_memory"])
            equal("without memory: the program is unharmed", (exited["signalled"], exited["status"]), (False, 0))
        wait_until(lambda: not is_in_use(group))


def is_in_use(group):
    with open(os.path.join(group.folder, "cgroup.procs")) as file:
        return bool(file.read())


def what_began_before():
    """The end of a call that was under way when the recording began is nobody's loss, whatever is open at the end."""
    with Agent() as agent, subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reads:
        def line_through():
            reads.stdin.write(b"line\n")
            reads.stdin.flush()
            reads.stdout.readline()
            wait_until(lambda: status_of(reads.pid) == "S")

        line_through()
        functions = agent.find(reads.pid, "libc", "read")
        agent.record(reads.pid, functions)
        line_through()
        line_through()
        agent.stop()
        f, losses = agent.figures(functions)["read"], agent.losses()
        equal("a reader that waits at both ends: calls, timed, unfinished", (f.calls, f.count("WALL"), f.unfinished), (2, 1, 1))
        equal("and no return without a call", losses["unmatched_returns"], 0)
        reads.stdin.close()


def what_began_before_elsewhere():
    """
    Where stacks may be switched nobody knows whose end that was: it is told as a loss where a call of the function is
    missing its end, and only there.
    """
    for is_open, expected in ((True, ((2, 1, 1), 1, 0)), (False, ((2, 2, 0), 0, 1))):
        with Agent() as agent, subprocess.Popen([JUMPS, "reads"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reads:
            def byte_through():
                reads.stdin.write(b"b")
                reads.stdin.flush()
                reads.stdout.read(1)
                wait_until(lambda: status_of(reads.pid) == "S")

            wait_until(lambda: status_of(reads.pid) == "S")
            functions = agent.find(reads.pid, "", "f_reads")
            agent.record(reads.pid, functions)
            byte_through()
            byte_through()
            if is_open:
                agent.stop()
            else:
                reads.stdin.close()
                agent.wait("recording_ended")
            f, losses = agent.figures(functions)["f_reads"], agent.losses()
            equal("a reader on whatever stack, %s at the end: calls, timed, unfinished; returns without a call, lost and early" %
                  ("waiting" if is_open else "done"), ((f.calls, f.count("WALL"), f.unfinished), losses["unmatched_returns"],
                                                        losses["early_returns"]), expected)
            equal("and all are accounted for", losses["unaccounted_calls"], 0)
            if is_open:
                reads.stdin.close()


def by_a_register_alone():
    """Where its calls go on is known at run time alone; beside it no function is chosen of which that is known before."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[JUMPS, "tail", "100"])["pid"]
        functions = [f for f in agent.find(pid, "", "f_*") if f["name"] in ("f_tail_reg", "f_leaf")]
        agent.record(pid, functions)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended", 60)
        figures = invariants("jumps by a register", agent, functions)
        equal("jumps by a register: each call is timed", figures["f_tail_reg"].count("WALL"), 100)


run_tests(by_a_register_alone, what_began_before, what_began_before_elsewhere, every_call_is_accounted_for, without_memory)
