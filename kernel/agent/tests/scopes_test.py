# SPDX-License-Identifier: GPL-2.0
"""Who and what a recording names: the scope, and the cases of the probe point."""
from agent import Agent
from checks import *


def scopes():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "ticks"])["pid"]
        functions = agent.find(pid, "", "f_empty")
        start = agent.record(pid, functions)["process"]["start_time_ns"]
        agent.stop()
        for name, start_ns in (("by its number", 0), ("by its number and start", start)):
            reply = agent.record(pid, functions, scopes=[dict(process=dict(pid=pid, start_time_ns=start_ns))])
            equal("a process is recorded " + name, reply["process"]["pid"], pid)
            equal("and how is said", reply["probes"][0]["mechanism"], "MECHANISM_TRAP")
            equal("and that every metric is measured", reply["probes"][0]["measured"], 0x1fff)
            agent.request("stop_recording")
        f = functions[0]
        reply = agent.request("start_recording", pid=pid, probes=[dict(
            function_id=0, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"], user_function={})])
        equal("a function is recorded by its case of the point", len(reply["probes"]), 1)
        agent.request("stop_recording")
        refused("a process with the number of one that has ended", "NO_SUCH_PROCESS",
                lambda: agent.record(pid, functions, scopes=[dict(process=dict(pid=pid, start_time_ns=start - 30000000))]))


run_tests(scopes)
