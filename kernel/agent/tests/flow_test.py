# SPDX-License-Identifier: GPL-2.0
"""
Calls followed through the kernel's functions: what is refused, as every kernel can tell.  What is found is tried in guests with
the kview module (kernel/guest/tests/test_flow.py, Kernel612Test).
"""
import os
import subprocess

from agent import of_nobody
from checks import *


def flow(agent, **request):
    return lambda: agent.request("flow", **dict(dict(pid=os.getpid(), system_call="read"), **request))


def said(call):
    """What a request is refused with."""
    try:
        call()
    except AgentError as error:
        return str(error)
    return "nothing"


def is_kernel_thread(pid):
    try:
        with open("/proc/%d/comm" % pid) as name:
            return name.read() == "kthreadd\n"
    except OSError:
        return False


def bad_requests():
    with Agent() as agent:
        refused("no process", "BAD_REQUEST", flow(agent, pid=0))
        refused("no system call", "BAD_REQUEST", flow(agent, system_call=""))
        refused("one that there is not", "NO_SUCH_FUNCTION", flow(agent, system_call="raed"))
        refused("more calls than are kept", "TOO_MANY", flow(agent, slowest=101))
        refused("a longer time than there may be", "TOO_MANY", flow(agent, duration_ms=600_001))
        refused("a process that there is not", "NO_SUCH_PROCESS", flow(agent, pid=2 ** 22 + 5))
        refused("another process of that number", "NO_SUCH_PROCESS", flow(agent, start_time_ns=1))
        if is_kernel_thread(2):
            refused("a kernel thread", "NOT_PROBEABLE", flow(agent, pid=2))
        refused("there is none that could be ended", "BAD_REQUEST", lambda: agent.request("end_flow"))
        say(agent.request("list_processes")["processes"], "the agent goes on")


def without_the_module():
    """The reason is that of the doctor, with what to do."""
    with Agent() as agent:
        kview = next(c for c in agent.hello["capabilities"] if c["name"] == "kview")
        if kview["available"]:
            return say(True, "there is a module here: guests try it")
        refused("without the module", "UNSUPPORTED", flow(agent))
        equal("with the doctor's words", said(flow(agent)), "UNSUPPORTED: " + kview["detail"])
        say("module" in kview["detail"], "which name the module", kview["detail"])


def one_at_a_time():
    with Agent() as agent:
        sleeper = subprocess.Popen(["sleep", "1000"])
        try:
            survey = agent.send("survey", pid=sleeper.pid, duration_ms=600_000)
            refused("beside a survey", "BUSY", flow(agent, pid=sleeper.pid))
            agent.request("end_survey")
            agent.answer(survey)
        finally:
            sleeper.kill()
            sleeper.wait()


def of_others():
    with Agent(**of_nobody()) as agent:
        refused("a user without rights has no view", "UNSUPPORTED", flow(agent))


run_tests(bad_requests, without_the_module, one_at_a_time, of_others)
