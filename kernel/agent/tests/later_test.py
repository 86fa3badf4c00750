# SPDX-License-Identifier: GPL-2.0
"""
Return addresses are not replaced in a program that comes by another stack, or by code that could switch
to one, while it is recorded: it is seen in its code before it does so.
"""
import subprocess

from checks import *

# By the last one alone nothing can come between a call and its return.
WAYS = ("protected", "mapped", "by_pointer", "by_key", "cloned", "alternate", "attached", "data")
CALLS = 200
# Calls on two stacks in turn, the last one of which never returns; on none; in another process.
MADE = dict.fromkeys(("protected", "mapped", "by_pointer", "by_key"), 4 * CALLS - 1) | \
    dict.fromkeys(("cloned", "attached"), 2 * CALLS)


def later():
    for way in WAYS:
        program = [os.path.join(BUILD, "traced", "later_" + way), str(CALLS)]
        plain = subprocess.run(program, input=b"\n", capture_output=True, check=False)
        process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            said = process.stdout.readline()
            with Agent() as agent:
                functions = agent.find(process.pid, "", "f_work", "f_switch")
                functions = [f for f in functions if f["probeable"]]
                probes = agent.record(process.pid, functions)["probes"]
                equal("later %s: return addresses" % way, probes[0]["exit_kind"],
                      "EXIT_URETPROBE" if way == "data" else "EXIT_RETURN_SITES")
                said += process.communicate(b"\n", 60)[0]
                agent.wait("recording_ended")
                equal("later %s: it ends and prints as without probes" % way, (said, process.returncode),
                      (plain.stdout, plain.returncode))
                figures = invariants("later " + way, agent, functions)
                # A process that shares its memory is another one.
                equal("later %s: calls" % way, figures["f_work"].calls, MADE.get(way, 3 * CALLS))
        finally:
            process.kill()
            process.wait()


run_tests(later)
