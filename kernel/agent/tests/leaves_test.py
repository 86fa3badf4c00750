# SPDX-License-Identifier: GPL-2.0
"""The kernel knows a link's process by its first thread; what goes on without it is never silently left out."""
from checks import *

LEAVES = os.path.join(BUILD, "traced", "leaves")


def without_changes():
    """Links that stay as they are go on with the other threads."""
    with Agent() as agent:
        functions, _ = agent.run([LEAVES, "1500", "100"], ["f_hot", "f_kept"])
        ended = agent.wait("recording_ended")
        if ended["reason"] != "PROCESS_ENDED":
            return say("first thread" in ended["message"], "probes that end with the first thread: told", ended["message"])
        equal("the first thread has ended: all calls are counted", agent.figures(functions)["f_kept"].calls,
              truth_of(agent.output())["kept"])


def over_budget():
    """One function would have to come off: it can't alone, and the recording ends instead."""
    with Agent() as agent:
        functions, _ = agent.run([LEAVES, "4000", "20000"], ["f_hot", "f_kept"], budget_ppm=50000)
        ended = agent.wait("recording_ended")
        equal("the first thread has ended, and one comes off: the recording ends", ended["reason"], "FAILED")
        say("first thread" in ended["message"], "and says why", ended["message"])
        say(0 < agent.figures(functions)["f_hot"].calls, "what was measured before stays")
        equal("nothing is unaccounted for", agent.losses()["unaccounted_calls"], 0)


def another_program():
    with Agent() as agent:
        functions, _ = agent.run([LEAVES, "exec", "0"], ["f_hot"])
        ended = agent.wait("recording_ended")
        equal("another thread executes a program: the recording ends", ended["reason"], "FAILED")
        say("first thread" in ended["message"], "and says why, too", ended["message"])
        equal("with what the program before called", agent.figures(functions)["f_hot"].calls, 100)


run_tests(without_changes, over_budget, another_program)
