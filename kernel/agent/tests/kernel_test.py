# SPDX-License-Identifier: GPL-2.0
"""Functions of the kernel, as far as every kernel can tell; that they are counted exactly is tried in guests
(Kernel61Test, Kernel612Test)."""
from checks import *

VIEW = "FILTER_VIEW"


def start(agent, pid, probe, **options):
    return lambda: agent.request("start_recording", pid=pid, probes=[dict(function_id=0, **probe)], **options)


def said(call):
    """What a request is refused with."""
    try:
        call()
    except AgentError as error:
        return str(error)
    return "nothing"


def what_cannot_be_had():
    """One sentence, and the agent goes on."""
    with Agent() as agent:
        has = {c["name"]: c for c in agent.hello["capabilities"]}
        pid = agent.request("launch", arguments=["/bin/true"])["pid"]
        exported = agent.request("find_functions", pid=pid, binary="libc.so.6", pattern="getppid")["functions"][0]
        of_program = dict(binary=exported["binary"], symbol=exported["symbol"], file_offset=exported["file_offset"], user_function={})
        in_view = start(agent, pid, of_program, filter=VIEW, probe_way="PROBE_WAY_JUMP")
        refused("a jump is in no view", "UNSUPPORTED", in_view)
        say("--filter in" in said(in_view), "what to do is said", said(in_view))
        function = dict(kernel_function=dict(name="vfs_read"))
        for point in (function, dict(system_call=dict(name="read")), dict(tracepoint=dict(category="sched", name="sched_switch")), of_program):
            if not has["kview"]["available"]:
                in_view = start(agent, pid, point, filter=VIEW)
                refused("without the module there is no view", "UNSUPPORTED", in_view)
                say("module" in said(in_view) and "--filter in" in said(in_view), "what is missing is said", has["kview"]["detail"])
        if not has["kprobe"]["available"] and not has["kview"]["available"]:
            probed = start(agent, pid, function)
            refused("a kernel without probes on its functions", "UNSUPPORTED", probed)
            say("many at once: " in said(probed) and "one by one: " in said(probed), "each way's reason is said", said(probed))
            points = [dict(function_id=0, **function), dict(function_id=1, system_call=dict(name="read"))]
            both = lambda: agent.request("start_recording", pid=pid, probes=points)
            equal("beside a system call, which is not measured alone then, it is the same", said(both), said(probed))
        agent.request("resume", pid=pid)
        agent.wait("process_exited")


def views_of_the_host():
    """Where there are none to be told the reason is that of the doctor; the agent goes on."""
    with Agent() as agent:
        kview = next(c for c in agent.hello["capabilities"] if c["name"] == "kview")
        if kview["available"]:
            listed = agent.request("list_views")
            say(listed["read_ns"] > 0 and listed["total_items"] >= len(listed["views"]), "the views are told", listed)
            refused("there is no such set", "FAILED", lambda: agent.request("list_sites", set_id=1 << 60))
        else:
            refused("there are no views", "UNSUPPORTED", lambda: agent.request("list_views"))
            for request, values in (("list_views", {}), ("list_sites", dict(set_id=1)), ("change_view", dict(make="mine"))):
                equal("with the doctor's words", said(lambda: agent.request(request, **values)), "UNSUPPORTED: " + kview["detail"])


run_tests(what_cannot_be_had, views_of_the_host)
