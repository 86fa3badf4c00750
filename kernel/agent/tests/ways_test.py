# SPDX-License-Identifier: GPL-2.0
"""What other ways to measure cost on this host, each as a recording would begin, or why it can't be had."""
import subprocess

from agent import of_nobody
from checks import *
from children_of import children_of

SYSTEM_CALLS = "system calls, filtered in eBPF"
NAMES = {SYSTEM_CALLS, "system calls, in a view", "functions of the kernel, in a view", "functions of the kernel, filtered in eBPF",
         "tracepoints, in a view", "tracepoints, filtered in eBPF"}


def ways_of(agent):
    return {w["name"]: w for w in agent.request("calibrate", ways=True).get("ways", [])}


def measured():
    with Agent() as agent:
        ways = ways_of(agent)
        equal("all ways are told", set(ways), NAMES)
        say(ways[SYSTEM_CALLS]["call_cost_ns"] > 0 and "other processes pass" in ways[SYSTEM_CALLS]["others"],
            "system calls have a price here, and others one", ways[SYSTEM_CALLS])
        equal("each way has what it costs others, or why it can't be had", {n: bool(w["others"]) != bool(w["missing"])
                                                                          for n, w in ways.items()}, dict.fromkeys(NAMES, True))
        say(all(w["missing"].endswith(".") for w in ways.values() if w["missing"]), "that is a sentence",
            [w["missing"] for w in ways.values()])
        equal("nothing of it goes on", children_of(agent.pid), [])
        say(not agent.request("calibrate").get("ways"), "who does not ask for them hears nothing of them")
        traced = subprocess.Popen(["/bin/sleep", "1000"])
        try:
            agent.request("start_recording", pid=traced.pid, probes=[dict(function_id=0, system_call=dict(name="read"))])
            equal("a recording begins as before", agent.stop()["reason"], "REQUESTED")
        finally:
            traced.kill()
            traced.wait()


def unprivileged():
    """Whom no way is allowed to hears so."""
    with Agent(**of_nobody()) as agent:
        try:
            ways = ways_of(agent)
        except AgentError as error:
            return say(str(error).endswith("."), "an agent without rights says so", error)
        say(all(w["missing"] for w in ways.values()), "an agent without rights says so of each way", ways)


run_tests(measured, unprivileged)
