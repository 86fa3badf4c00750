# SPDX-License-Identifier: GPL-2.0
"""Who may have code put into which processes, by an agent that has more rights than its user."""
import os
import platform
import shutil
import signal
import subprocess

from other_users import *
from checks import *
from children_of import code_at


def with_policy(text):
    os.makedirs("/etc/kview", exist_ok=True)
    with open("/etc/kview/agent.conf", "w") as policy:
        policy.write(text)
    return through_sudo()


class Ticks:
    """A program of a user's that calls a function again and again."""

    def __init__(self, user):
        self.process = subprocess.Popen(as_user(user, os.path.join(PLACE, "plain"), "ticks"), stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def by_jumps(agent, pid):
    probes = [dict(function_id=0, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"], user_function={})
              for f in agent.find(pid, "", "f_empty")]
    return agent.request("start_recording", pid=pid, probes=probes, probe_way="PROBE_WAY_JUMP", interval_ms=20, budget_ppm=50000)


def who_may():
    others = "user %s processes-of %s\n" % (ALICE, BOB)
    for text in ("", "user %s all-processes" % ALICE, "user %s jumps" % BOB, others):
        with with_policy(text) as agent, Ticks(ALICE) as own:
            jump = of_jumps(agent)
            say(not jump["available"] and "agent.conf" in jump["detail"], "that jumps are not allowed is said before", jump["detail"])
            refused("no code without a word of root's: %r" % text, "NO_PERMISSION", lambda: by_jumps(agent, own.pid))
            refused("nor is any taken out", "NO_PERMISSION", lambda: agent.request("clean", pid=own.pid))
    for text in ("user %s jumps" % ALICE, "group %s jumps" % GROUP):
        with with_policy(text) as agent, Ticks(ALICE) as own:
            say(of_jumps(agent)["available"], "jumps are allowed", of_jumps(agent)["detail"])
            reply = by_jumps(agent, own.pid)
            equal("a policy: %r" % text, [p["mechanism"] for p in reply["probes"]], ["MECHANISM_JUMP"])
            say(agent.wait("histogram_delta", where=lambda d: any(f["calls"] for f in d["functions"])), "it is measured")
            equal("and let go", agent.stop()["reason"], "REQUESTED")
            equal("nothing stays in it", agent.request("clean", pid=own.pid)["restored"], 0)
    for text in (others + "user %s jumps" % ALICE, "user %s all-processes\nuser %s jumps" % (ALICE, ALICE)):
        with with_policy(text) as agent, Ticks(BOB) as bobs:
            say(agent.find(bobs.pid, "", "f_empty"), "another user's process that may be measured")
            refused("is not changed: %r" % text, "NO_PERMISSION", lambda: by_jumps(agent, bobs.pid))
            refused("nor cleaned", "NO_PERMISSION", lambda: agent.request("clean", pid=bobs.pid))
    shutil.rmtree("/etc/kview")


FORKING = """
import ctypes, os, signal, sys
print(flush=True)
for line in sys.stdin:
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    if line == 'hidden\\n':
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
    print(flush=True)
    while True:
        signal.pause()
"""


def fork(program, kind):
    tell(program, kind)
    lines = [program.process.stdout.readline() for _ in range(2)]
    return next(int(line) for line in lines if line.strip())


def whose_children():
    """What the process forked is restored where the user may trace that, too."""
    with with_policy("user %s jumps" % ALICE) as agent, Program(ALICE, FORKING) as program:
        program.process.stdout.readline()
        f = agent.find(program.pid, "libc.so.6", "confstr")[0]
        place = (f["binary"], f["file_offset"], 16)
        before = code_at(program.pid, *place)
        agent.request("start_recording", pid=program.pid, probe_way="PROBE_WAY_JUMP", probes=[
            dict(function_id=0, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"], user_function={})])
        open_to_her, hidden = fork(program, "open"), fork(program, "hidden")
        try:
            equal("both children have the jumps", [code_at(pid, *place) != before for pid in (open_to_her, hidden)], [True, True])
            ended = agent.stop()
            equal("the one that she may trace is restored, with its parent",
                  [code_at(pid, *place) == before for pid in (program.pid, open_to_her, hidden)], [True, True, False])
            say("clean --pid %d" % hidden in ended["calibration_note"], "and how to restore the other one is told", ended["calibration_note"])
        finally:
            os.kill(open_to_her, signal.SIGKILL)
            os.kill(hidden, signal.SIGKILL)
    shutil.rmtree("/etc/kview")


def of_jumps(agent):
    return next(c for c in agent.hello["capabilities"] if c["name"] == "jump")


def jumps_can_be_used():
    with Agent() as agent:
        return of_jumps(agent)["available"]


if platform.machine() == "x86_64" and jumps_can_be_used():
    run_with_users(who_may, whose_children)
else:
    print("ok jumps and users: skipped, they can't be used here")
