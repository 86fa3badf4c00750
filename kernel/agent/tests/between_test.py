# SPDX-License-Identifier: GPL-2.0
"""Who asks is answered while another request takes long.  What is waited for is a process that stands still, so no time decides."""
import contextlib
import ctypes
import os
import signal
import subprocess
import tempfile

from agent import Agent, AgentError, BINARY, SCHEMA, status_of, wait_until
from checks import *
from children_of import code_at, file_at
from running import Running
from wire import frame

TRACED, WAITS = (os.path.join(BUILD, "traced", name) for name in ("plain", "forks"))


def children_of(pid):
    with contextlib.suppress(OSError):
        return [int(child) for child in open("/proc/%d/task/%d/children" % (pid, pid)).read().split()]
    return []


def stopped_child(agent, request, begin, answers=True):
    """A child that stands still, and the answer's number; begin sends a request, again where its child was too quick."""
    before = set(children_of(agent.pid))
    for _ in range(100):
        request_id = begin()
        while request_id not in agent.answers:
            for child in set(children_of(agent.pid)) - before:
                # One that answers has let go of what it does not need, for which the agent waits.
                if answers and os.path.exists("/proc/%d/fd/0" % child):
                    continue
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGSTOP)
                    if wait_until(lambda: status_of(child) in ("T", "Z", None)) and status_of(child) == "T":
                        return child, request_id
    raise AssertionError("no child was seen for " + request)


def answered_meanwhile(agent, what, request_id):
    """Whether others are answered, and this one is not."""
    agent.request("list_processes", timeout=60)
    agent.request("find_functions", timeout=60, pid=os.getpid(), binary="libc", pattern="read")
    say(request_id not in agent.answers, "others are answered while %s takes long" % what)


def asking():
    with Agent() as agent:
        for what, begin in (
                ("calibrating", lambda: agent.send("calibrate")),
                ("a lookup", lambda: agent.send("find_functions", binary=BINARY + ".debug", pattern="*")),
                ("measuring a way", lambda: agent.send("measure_way", way="WAY_CALL_IN"))):
            child, request_id = stopped_child(agent, what, begin)
            answered_meanwhile(agent, what, request_id)
            os.kill(child, signal.SIGCONT)
            say(agent.answer(request_id), "and then it is answered: " + what)
        child, request_id = stopped_child(agent, "the list of views", lambda: agent.send("list_views"))
        answered_meanwhile(agent, "the list of views", request_id)
        os.kill(child, signal.SIGCONT)
        try:
            agent.answer(request_id)
        except AgentError as error:
            say(error.code == "UNSUPPORTED", "without the module that is the answer", str(error))
        child, request_id = stopped_child(agent, "a lookup", lambda: agent.send("find_functions", binary=BINARY + ".debug", pattern="*"))
        os.kill(child, signal.SIGKILL)
        try:
            agent.answer(request_id)
            say(False, "a child that is killed answers nothing")
        except AgentError as error:
            say(error.code == "FAILED" and "was killed" in str(error), "a child that is killed is told as that", str(error))
        say(agent.request("list_processes")["processes"], "and the agent goes on")


def more_than_an_answer_may_have():
    with tempfile.TemporaryDirectory() as folder, Agent() as agent:
        binary = os.path.join(folder, "long-names")
        code = "".join("%s_%05d:\nret\n.type %s_%05d, @function\n.size %s_%05d, 1\n" % (("n" * 600, i) * 3) for i in range(16000))
        subprocess.run(["as", "-o", binary + ".o", "-"], input=code, text=True, check=True)
        subprocess.run(["ld", "-e", "0", "-o", binary, binary + ".o"], check=True)
        try:
            agent.request("find_functions", binary=binary, pattern="*", limit=100000)
            say(False, "an answer is not longer than it may be")
        except AgentError as error:
            say(error.code == "TOO_MANY" and "narrower pattern" in str(error), "an answer that is too long is refused", str(error))
        found = agent.request("find_functions", binary=binary, pattern="*1", limit=100000)["functions"]
        say(len(found) == 1600, "a narrower pattern finds what it matches", len(found))


LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT, WALL = 17, 0x4206, 0x4207, 0x40000000


def stands(tid):
    """Whether a thread stands still from now on; false: it has ended."""
    if LIBC.ptrace(PTRACE_SEIZE, tid, None, None):
        return False
    LIBC.ptrace(PTRACE_INTERRUPT, tid, None, None)
    return os.WIFSTOPPED(os.waitpid(tid, WALL)[1])


def aside(tasks):
    """The agent's thread that does what takes long; None: there is none.  Others do what it waits for."""
    for tid in os.listdir(tasks):
        with contextlib.suppress(OSError), open("%s/%s/comm" % (tasks, tid)) as name:
            if name.read().strip() == "kview-aside":
                return int(tid)
    return None


def answers_while_it_stands(agent, tid, request_id):
    """False as well where it stands within the C library and has a lock there, which others wait for then."""
    try:
        return bool(agent.request("list_processes", timeout=10)) and request_id not in agent.answers
    except TimeoutError:
        return False
    finally:
        LIBC.ptrace(PTRACE_DETACH, tid, None, None)


def others_are_answered(agent, begin, nr):
    """begin asks for a recording, of whose threads of the agent's own the one of that number stands.  Whether others are answered then."""
    tasks = "/proc/%d/task" % agent.pid
    for _ in range(100):
        request_id, seen, answered = begin(), set(), False
        while request_id not in agent.answers:
            tid = aside(tasks)
            seen.add(tid)
            if len(seen - {None}) == nr and stands(tid):
                answered = answers_while_it_stands(agent, tid, request_id)
                break
        agent.answer(request_id)
        agent.request("stop_recording")
        if answered:
            return True
    return False


def jumps_at(agent, pid):
    functions = agent.find(pid, "", "f_*")
    return lambda: agent.send("start_recording", pid=pid, probe_way="PROBE_WAY_JUMP", probes=[
        dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"]) for i, f in enumerate(functions)])


def by_jumps():
    """What jumps need is found, and their eBPF programs loaded, by a thread of the agent's own."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[TRACED, "100000000"])["pid"]
        say(others_are_answered(agent, jumps_at(agent, pid), 1), "others are answered while what jumps need takes long")


def put_by_jumps():
    """So are jumps, as its second thread: what the process has to do for that takes its time."""
    with Running(TRACED, "ticks") as program, Agent() as agent:
        say(others_are_answered(agent, jumps_at(agent, program.pid), 2), "others are answered while jumps are put")


def recording():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[TRACED, "100000000"])["pid"]
        functions = agent.find(pid, "", "f_*")
        started = []

        def begin():
            # One that was too quick is on: the next begins when it has ended.
            if started:
                agent.request("stop_recording")
            probes = [dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"])
                      for i, f in enumerate(functions)]
            started.append(agent.send("start_recording", pid=pid, probes=probes, cost_to_others=False))
            return started[-1]
        child, request_id = stopped_child(agent, "the beginning of a recording", begin, answers=False)
        answered_meanwhile(agent, "the beginning of a recording", request_id)
        stop = agent.send("stop_recording")
        agent.request("list_processes", timeout=60)
        say(stop not in agent.answers, "what changes something waits for its turn")
        os.kill(child, signal.SIGCONT)
        agent.answer(request_id)
        agent.answer(stop)
        answers = list(agent.answers)
        say(answers.index(request_id) < answers.index(stop), "the recording begins, and then it ends")


def ending():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[TRACED, "100000000"])["pid"]
        agent.request("start_recording", pid=pid, probes=[dict(function_id=0, system_call=dict(name="read"))], cost_to_others=True)
        for child in children_of(agent.pid):
            if child != pid:
                os.kill(child, signal.SIGSTOP)
        # Both are there at once.
        stop, listed = agent.next_id, agent.next_id + 1
        agent.next_id += 2
        agent.process.stdin.write(frame(SCHEMA.encode("ToAgent", {"request_id": stop, "stop_recording": {}})) +
                                  frame(SCHEMA.encode("ToAgent", {"request_id": listed, "list_processes": {}})))
        agent.process.stdin.flush()
        agent.answer(stop)
        ended = agent.wait("recording_ended")
        say("no CPU for too long" in ended["cost_to_others"]["note"], "what others pay is waited for", ended["cost_to_others"]["note"])
        answers = list(agent.answers)
        say(answers.index(listed) < answers.index(stop), "and who asked meanwhile was answered before")


def begun(program):
    """A client that records, with a lookup whose child stands still; where its function is."""
    agent = Agent()
    functions = agent.find(program.pid, "", "f_work", "f_return")
    agent.record(program.pid, functions, cost_to_others=False)
    child, _ = stopped_child(agent, "a lookup", lambda: agent.send("find_functions", binary=BINARY + ".debug", pattern="*"))
    return agent, child, functions[0]["file_offset"]


def recording_ends_with_its_client():
    """Also while something is looked up for it."""
    program = subprocess.Popen([WAITS], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    program.stdout.readline()
    agent, child, place = begun(program)
    say(code_at(program.pid, WAITS, place) != file_at(WAITS, place), "it is recorded")
    agent.process.stdin.close()
    agent.wait("recording_ended")
    equal("a client that asks nothing more: its program is as before", code_at(program.pid, WAITS, place), file_at(WAITS, place))
    equal("while its lookup goes on", (agent.process.poll(), status_of(child)), (None, "T"))
    os.kill(child, signal.SIGCONT)
    equal("and then the agent ends", agent.process.wait(120), 0)

    told, tells = os.pipe()
    client = os.fork()
    if not client:
        agent, child, place = begun(program)
        os.write(tells, ("%d %d %d" % (agent.pid, child, place)).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(tells)
    os.waitpid(client, 0)
    with open(told) as line:
        pid, child, place = map(int, line.read().split())
    # Well before what is asked of it is given up, and the child never answers.
    say(wait_until(lambda: status_of(pid) in (None, "Z"), 30), "a client that is killed: the agent ends")
    say(wait_until(lambda: status_of(child) in (None, "Z")), "and its child")
    equal("and its program is as before", code_at(program.pid, WAITS, place), file_at(WAITS, place))
    program.kill()
    program.wait()


run_tests(asking, more_than_an_answer_may_have, by_jumps, put_by_jumps, recording, ending, recording_ends_with_its_client)
