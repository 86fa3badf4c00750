# SPDX-License-Identifier: GPL-2.0
"""Where return addresses are replaced, where they no longer are, and where the user wants them to be."""
import ctypes
import subprocess

from agent import Agent, wait_until
from checks import *


def fate(agent, function_id=0):
    """The last that was told of a function's probes."""
    deltas = [f for d in agent.all("histogram_delta") for f in d["functions"] if f["function_id"] == function_id]
    return deltas[-1]["probes_off"], deltas[-1]["probes_off_ns"]


def another_program():
    """Nothing is proven of the program that a process becomes: return addresses stay in it."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "exec", "50", PLAIN, "paced", "2000"])["pid"]
        functions = agent.find(pid, "", "f_empty")
        reply = agent.record(pid, functions)
        equal("before another program: return addresses are replaced", reply["probes"][0]["exit_kind"], "EXIT_URETPROBE")
        agent.request("resume", pid=pid)
        off = wait_until(lambda: agent.all("histogram_delta") and any(
            f["probes_off"] for d in agent.all("histogram_delta") for f in d["functions"]))
        say(off and "Until then" not in fate(agent)[0], "another program: its probes come off at once", fate(agent)[0])
        agent.stop()
        figures = invariants("another program", agent, functions, expect_losses=True)["f_empty"]
        say(figures.count("WALL") >= 50, "another program: calls before it are timed", figures.count("WALL"))


def kernel_that_does_not_ask():
    """Before Linux 6.13 return addresses are replaced until the probes are off, in whatever program: that is told."""
    os.environ["KVIEW_AGENT_PROBES"] = "multi"
    try:
        with Agent() as agent:
            pid = agent.request("launch", arguments=[PLAIN, "exec", "50", PLAIN, "paced", "2000"])["pid"]
            functions = agent.find(pid, "", "f_empty")
            agent.record(pid, functions, force_return_probes=True)
            agent.request("resume", pid=pid)
            wait_until(lambda: agent.all("histogram_delta") and fate(agent)[0])
            equal("a kernel that does not ask: which probes came off late",
                  fate(agent)[0].endswith("Until then, for some ms, this kernel went on replacing them."), True)
            agent.stop()
    finally:
        del os.environ["KVIEW_AGENT_PROBES"]


def shared_library():
    """The next program that the process executes has the same library."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "paced", "1000"])["pid"]
        equal("a library's function, in a program that is safe",
              [f["exit_kind"] for f in agent.find(pid, "libc.so.6", "qsort_r")], ["EXIT_RETURN_SITES"])
        equal("the program's own", [f["exit_kind"] for f in agent.find(pid, "", "f_empty")], ["EXIT_URETPROBE"])


def forced():
    """Who knows better may say so; the reply tells where."""
    for force in (False, True):
        with Agent() as agent:
            pid = agent.request("launch", arguments=[THROWS, "10"])["pid"]
            functions = [f for f in agent.find(pid, "", "f_*") if f["probeable"]][:1]
            probe = agent.record(pid, functions, force_return_probes=force)["probes"][0]
            equal("a program that throws, %s" % ("forced" if force else "as it is"),
                  (probe["exit_kind"], bool(probe["forced"])),
                  ("EXIT_URETPROBE", True) if force else ("EXIT_RETURN_SITES", False))


def traced_by_another():
    """Whoever traces its system calls would see one at each replaced return, and be waited for, however it is called."""
    libc = ctypes.CDLL(None)
    own_name = open("/proc/self/comm", "rb").read().strip()
    for name, tracer in (("one that nobody traces", None), ("a process that another one traces", own_name),
                         ("that one named as an agent is traces", b"kview-agent")):
        program = subprocess.Popen([PLAIN, "ticks"], stdout=subprocess.PIPE)
        try:
            program.stdout.readline()
            if tracer:
                libc.prctl(15, tracer)  # PR_SET_NAME
                equal("it is traced", libc.ptrace(0x4206, program.pid, None, None), 0)  # PTRACE_SEIZE
            with Agent() as agent:
                equal(name, [f["exit_kind"] for f in agent.find(program.pid, "", "f_empty")],
                      ["EXIT_RETURN_SITES" if tracer else "EXIT_URETPROBE"])
        finally:
            libc.prctl(15, own_name)
            program.kill()
            program.communicate()


def held_by_another_agent():
    """An agent traces the program that it started until it is to run, and that is nobody's to see."""
    with Agent() as agent, Agent() as other:
        pid = agent.request("launch", arguments=[PLAIN, "ticks"])["pid"]
        equal("held by an agent", [f["exit_kind"] for f in other.find(pid, "", "f_empty")], ["EXIT_URETPROBE"])


run_tests(another_program, kernel_that_does_not_ask, shared_library, forced, traced_by_another, held_by_another_agent)
