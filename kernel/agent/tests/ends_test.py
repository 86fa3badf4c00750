# SPDX-License-Identifier: GPL-2.0
"""How recordings end: by themselves just when the client asks for it, which is said first; and with an agent that is killed."""
import os
import signal
import subprocess

from agent import status_of, wait_until
from checks import *
from linked import LinkedAgent
from running import Running


def the_end_crosses_the_question(asked_first):
    victim = subprocess.Popen([PLAIN, "ticks"], stdout=subprocess.DEVNULL)
    with LinkedAgent() as client:
        client.record(victim.pid, client.find(victim.pid, "", "f_empty"))
        # The agent finds both when it goes on, in either order.
        os.kill(client.pid, signal.SIGSTOP)
        wait_until(lambda: status_of(client.pid) == "T")
        stop = client.send("stop_recording") if asked_first else None
        victim.kill()
        victim.wait()
        stop = stop or client.send("stop_recording")
        os.kill(client.pid, signal.SIGCONT)
        end = client.wait("recording_ended")
        name = "asked first: " if asked_first else "ended first: "
        refused(name + "nothing is left to be stopped", "BAD_REQUEST", lambda: client.answer(stop))
        equal(name + "it says how it ended", end["reason"], "PROCESS_ENDED")
        kinds = [kind for kind, _ in client.messages if kind in ("recording_ended", "error")]
        equal(name + "before it says that there is none", kinds, ["recording_ended", "error"])
        client.notice("goodbye")


def asked_before_the_end():
    the_end_crosses_the_question(True)


def asked_behind_the_end():
    the_end_crosses_the_question(False)


def killed_while_a_call_goes_on():
    """The kernel closes the links one after the other, and the call enters functions of those that are left."""
    agent = Agent()
    with Running(PLAIN, "within") as program:
        # That one's link is closed first: it has probes on its returns, and links end in the opposite order.
        functions = agent.find(program.pid, "", "f_within", "f_empty") + agent.find(program.pid, "libc.so.6", "confstr")
        agent.record(program.pid, functions)
        program.process.stdin.write("g")
        program.process.stdin.flush()
        agent.wait("histogram_delta", where=lambda d: any(f["function_id"] == 1 and f["calls"] > 200 for f in d["functions"]))
        os.kill(agent.pid, signal.SIGKILL)
        say(wait_until(lambda: agent.process.poll() is not None, 120), "an agent that is killed is gone while a call goes on")
        equal("which does go on", program.process.poll(), None)
    agent.process.wait()


run_tests(asked_before_the_end, asked_behind_the_end, killed_while_a_call_goes_on)
