# SPDX-License-Identifier: GPL-2.0
"""Functions of the kernel, where it offers no probes on them; that they are counted exactly is tried in a guest (Kernel612Test)."""
import re

from checks import *


def why_there_are_none_is_said():
    """The kernel's own answer, as the doctor has it."""
    with Agent() as agent:
        probes = next(c for c in agent.hello["capabilities"] if c["name"] == "kprobe_multi")
        if probes["available"]:
            return say(True, "this kernel has probes on its functions")
        answer = re.search(r": (.*)\.$", probes["detail"]).group(1)
        try:
            agent.request("find_points", kernel_functions="vfs_read")
            message = "nothing"
        except AgentError as error:
            message = str(error)
        return say("no probes on its own functions" in message and answer in message, "the kernel's answer is told", message)


run_tests(why_there_are_none_is_said)
