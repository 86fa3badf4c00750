# SPDX-License-Identifier: GPL-2.0
"""A recording that ends by itself just when the client asks for its end: how it ended is said first."""
import os
import signal
import subprocess

from checks import *
from linked import LinkedAgent


def the_end_crosses_the_question():
    victim = subprocess.Popen([PLAIN, "ticks"], stdout=subprocess.DEVNULL)
    with LinkedAgent() as client:
        client.record(victim.pid, client.find(victim.pid, "", "f_empty"))
        # The agent finds both when it goes on, and can write neither answer before it has taken both.
        os.kill(client.pid, signal.SIGSTOP)
        victim.kill()
        victim.wait()
        stop = client.send("stop_recording")
        os.kill(client.pid, signal.SIGCONT)
        end = client.wait("recording_ended")
        refused("nothing is left to be stopped", "BAD_REQUEST", lambda: client.answer(stop))
        equal("it says how it ended", end["reason"], "PROCESS_ENDED")
        kinds = [kind for kind, _ in client.messages if kind in ("recording_ended", "error")]
        equal("before it says that there is none", kinds, ["recording_ended", "error"])
        client.notice("goodbye")


run_tests(the_end_crosses_the_question)
