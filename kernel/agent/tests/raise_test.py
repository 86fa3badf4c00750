# SPDX-License-Identifier: GPL-2.0
"""A traced process executes a program that gives it rights, while its agent has no time for that."""
import contextlib
import ctypes
import os
import shutil
import signal

from children_of import code_at, file_at
from other_users import *
from agent import wait_until
from checks import *

SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)


@contextlib.contextmanager
def stands_still(thread):
    """That one thread alone, as if it had a long request to serve."""
    for what in (SEIZE, INTERRUPT):
        if libc.ptrace(what, thread, None, None):
            raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(thread, 0x40000000)  # __WALL
    try:
        yield
    finally:
        libc.ptrace(DETACH, thread, None, None)


def itself(agent):
    """Behind sudo."""
    pid = agent.pid
    while os.readlink("/proc/%d/exe" % pid) != AGENT:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            pid = int(file.read().split()[0])
    return pid


def lets_go_at_once():
    privileged = os.path.join(PLACE, "setuid-sleep")
    shutil.copy("/bin/sleep", privileged)
    os.chmod(privileged, 0o4755)
    with through_sudo() as agent, Program(ALICE, CALLS) as program:
        program.process.stdout.readline()
        functions = record(agent, program.pid)
        binary, place = functions[0]["binary"], functions[0]["file_offset"]
        say(code_at(program.pid, binary, place) != file_at(binary, place), "there is a probe")
        with stands_still(itself(agent)):
            tell(program, privileged + " 600")
            say(wait_until(lambda: os.readlink("/proc/%d/exe" % program.pid) == privileged), "it has got rights")

            def is_free():
                try:
                    return code_at(program.pid, binary, place) == file_at(binary, place)
                except KeyError:  # not loaded yet
                    return False
            say(wait_until(is_free), "the privileged program has no probe, though the agent does nothing",
                code_at(program.pid, binary, place))
        ended = agent.wait("recording_ended")
        equal("once it does it ends the recording", ended["reason"], "FAILED")
        say(calls(agent) <= 5, "and tells nothing of that program", calls(agent))


def goes_on_after_others():
    """A program without rights changes nothing; nor does one that had another recording ended."""
    with through_sudo() as agent:
        for name, command in (("setuid", os.path.join(PLACE, "setuid-true")), ("plain", "/bin/true")):
            if name == "setuid":
                shutil.copy("/bin/true", command)
                os.chmod(command, 0o4755)
            with Program(ALICE, CALLS) as program:
                program.process.stdout.readline()
                record(agent, program.pid)
                tell(program, command)
                wait_until(lambda: len(agent.all("recording_ended")) > (name == "plain"))
        reasons = [ended["reason"] for ended in agent.all("recording_ended")]
        equal("how they ended", reasons, ["FAILED", "PROCESS_ENDED"])


run_with_users(lets_go_at_once, goes_on_after_others)
