# SPDX-License-Identifier: GPL-2.0
"""What comes to an agent that has had no time for it: the end of a process, behind requests and behind the kernel's back."""
import signal
import subprocess

from agent import SCHEMA, status_of, wait_until
from checks import *
from wire import frame

CALLS = "import os, time\nfor _ in range(%d): os.getppid()\n%s"
OTHERS_CALLS = 4321
ATTEMPTS, PROCESSES = 5, 400
REQUESTS = 60


class Stopped:
    """An agent that stands still."""

    def __init__(self, agent):
        self.pid = agent.pid

    def __enter__(self):
        os.kill(self.pid, signal.SIGSTOP)
        wait_until(lambda: status_of(self.pid) == "T")

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGCONT)


def python(code):
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)


def sleeper():
    program = python("print(flush=True)\nimport time\ntime.sleep(600)")
    program.stdout.readline()
    return program


def end(program):
    program.kill()
    program.communicate()


def record_getppid(agent, pid):
    agent.request("start_recording", pid=pid, probes=[dict(function_id=0, system_call=dict(name="getppid"))])


def takes_number(pid):
    """A process that gets this number, makes its calls and has ended then; False: somebody else was quicker."""
    for _ in range(PROCESSES):
        with open("/proc/sys/kernel/ns_last_pid", "w") as last:
            last.write(str(pid - 1))
        program = python(CALLS % (OTHERS_CALLS, ""))
        program.communicate()
        if program.pid == pid:
            return True
        if status_of(pid) not in (None, "Z"):
            return False
    return False


def a_number_that_is_used_again():
    """Whose calls come next with it are another process's, maybe another user's."""
    for _ in range(ATTEMPTS):
        with Agent() as agent:
            program = sleeper()
            record_getppid(agent, program.pid)
            with Stopped(agent):
                end(program)
                taken = takes_number(program.pid)
            reason = agent.wait("recording_ended")["reason"]
            if not taken:
                continue
            equal("a process ended while the agent stood still, and another one got its number", reason, "PROCESS_ENDED")
            say(sum(f["calls"] for d in agent.all("histogram_delta") for f in d["functions"]) == 0,
                "nothing of that one is told")
            return
    say(False, "a process's number could be had once more", "in none of %d attempts" % ATTEMPTS)


def many_requests_at_once():
    """They hold up neither the watch on the process nor the timers."""
    with Agent() as agent:
        program, other = sleeper(), sleeper()
        record_getppid(agent, program.pid)
        ids = range(agent.next_id, agent.next_id + REQUESTS)
        agent.next_id += REQUESTS
        data = b"".join(frame(SCHEMA.encode("ToAgent", {"request_id": id, "find_functions": dict(
            pid=other.pid, binary="libc.so.6", pattern="none_%d" % id)})) for id in ids)
        with Stopped(agent):
            agent.process.stdin.write(data)
            agent.process.stdin.flush()
            end(program)
        for id in ids:
            try:
                agent.answer(id)
            except AgentError as error:
                if error.code != "NO_SUCH_FUNCTION":
                    raise
        end(other)
        kinds = [kind for kind, _ in agent.messages]
        at = kinds.index("recording_ended")
        say("error" in kinds[at:], "a process's end is told between the answers to requests that came before it",
            "behind %d of %d" % (kinds[:at].count("error"), REQUESTS))


run_tests(a_number_that_is_used_again, many_requests_at_once)
