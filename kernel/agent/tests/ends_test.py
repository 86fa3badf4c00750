# SPDX-License-Identifier: GPL-2.0
"""A recording that ends by itself just when the client asks for its end: how it ended is said first."""
import os
import signal
import subprocess

from agent import status_of, wait_until
from checks import *
from linked import LinkedAgent


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


run_tests(asked_before_the_end, asked_behind_the_end)
