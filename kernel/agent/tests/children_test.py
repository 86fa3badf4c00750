# SPDX-License-Identifier: GPL-2.0
"""Children of the traced process run its own instructions; seen by the bytes in their memory."""
import contextlib
import ctypes
import os
import shutil
import signal
import struct
import subprocess
import tempfile

from checks import *
from agent import wait_until
from children_of import *

PARENT = os.path.join(BUILD, "traced", "forks")


def told(process):
    """A line that one of the processes has written."""
    return process.stdout.readline().decode().split()


@contextlib.contextmanager
def forking(command=(PARENT,), patience=120):
    """A process that forks when it is told to, and ends with its input."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        told(process)
        yield process
    finally:
        process.stdin.close()
        process.wait(patience)


def say_to(process, letters):
    process.stdin.write(letters.encode())
    process.stdin.flush()


def fork(process, kinds="c"):
    """Its new children, or its child's (g), by their numbers."""
    say_to(process, kinds)
    return [int(told(process)[1]) for _ in kinds]


def record(agent, process, **options):
    """Both functions that it has, and where they begin."""
    functions = agent.find(process.pid, "", "f_work", "f_return")
    agent.record(process.pid, functions, **options)
    return functions, [f["file_offset"] for f in functions]


def are_clean(children, places):
    return all(code_at(c, PARENT, p) == file_at(PARENT, p) for c in children for p in places)


def run_own_instructions():
    with forking() as process:
        with Agent() as agent:
            functions, places = record(agent, process)
            probed = [p for p in places if code_at(process.pid, PARENT, p) != file_at(PARENT, p)]
            equal("the parent has probes", probed, places)
            descendants = fork(process) + fork(process, "g")
            for kind, pid in zip(("a child", "a child's child"), descendants):
                say(wait_until(lambda: are_clean([pid], places)), kind + " gets its own instructions back")
            equal("the parent keeps its probes", probed,
                  [p for p in places if code_at(process.pid, PARENT, p) != file_at(PARENT, p)])
            say_to(process, "w")  # the parent works
            told(process)
            for pid in descendants:
                os.kill(pid, signal.SIGUSR1)  # so do they
                equal("what is done in %s" % ("a child" if pid == descendants[0] else "its child"),
                      told(process), ["worked", str(pid), "5050"])
            agent.stop()
            figures = invariants("with children", agent, functions)
            equal("calls of children are not counted", figures["f_work"].calls, 100)
        for pid in descendants:
            os.kill(pid, signal.SIGUSR1)
            equal("and after the recording", told(process), ["worked", str(pid), "5050"])


def more_than_can_be_told():
    """While the agent stands still more children are forked than there is room to tell of."""
    with forking() as process, Agent() as agent:
        _, places = record(agent, process)
        os.kill(agent.process.pid, signal.SIGSTOP)
        try:
            children = fork(process, "c" * 400)
        finally:
            os.kill(agent.process.pid, signal.SIGCONT)

        def probed():
            return [c for c in children if not are_clean([c], places[:1])]
        say(wait_until(lambda: not probed()), "each of 400 children gets its own instructions back", len(probed()))
        agent.stop()
        equal("none is told to keep them", agent.losses()["children_with_probes"], 0)


def place_of(functions, name):
    return next(f for f in functions if f["name"] == name)["file_offset"]


def breakpoint_of_another():
    """Another tool's breakpoint was there first, and stays in the child."""
    with forking() as process, Agent() as agent:
        functions = agent.find(process.pid, "", "f_work", "f_return")
        other = place_of(functions, "f_return")
        with open("/proc/%d/mem" % process.pid, "r+b", buffering=0) as memory:
            memory.seek(address_of(process.pid, PARENT, other))
            memory.write(b"\xcc")
        agent.record(process.pid, functions)
        [child] = fork(process)
        say(wait_until(lambda: are_clean([child], [place_of(functions, "f_work")])),
            "with another's breakpoint: a child gets its own instruction back")
        equal("with another's breakpoint: the child has that one still", code_at(child, PARENT, other), b"\xcc")
        agent.stop()
        process.kill()


def probe_of_another():
    """Root's own recording of the child is set before the child is freed: it keeps its probes."""
    with forking() as process, Agent() as agent, Agent() as other:
        functions, places = record(agent, process)
        os.kill(agent.process.pid, signal.SIGSTOP)
        try:
            child, second = fork(process, "cc")
            other.record(child, functions)
        finally:
            os.kill(agent.process.pid, signal.SIGCONT)
        say(wait_until(lambda: are_clean([second], places)),
            "another's probes in a child: its brother gets its own instructions back")
        os.kill(child, signal.SIGUSR1)
        equal("another's probes in a child: it works", told(process), ["worked", str(child), "5050"])
        other.stop()
        figures = invariants("of the child by another", other, functions)
        equal("another's probes in a child: they stay and count", figures["f_work"].calls, 100)
        agent.stop()


def system_wide_probe(path, offset):
    """One in all processes, as a tracing tool of root's sets it; its descriptor."""
    with open("/sys/bus/event_source/devices/uprobe/type") as file:
        kind = int(file.read())
    name = ctypes.create_string_buffer(path.encode())
    attributes = bytearray(128)
    struct.pack_into("<IIQ", attributes, 0, kind, 128, 0)
    struct.pack_into("<QQ", attributes, 56, ctypes.addressof(name), offset)  # config1, config2
    event = (ctypes.c_char * 128).from_buffer(attributes)
    fd = ctypes.CDLL(None, use_errno=True).syscall(298, event, -1, 0, -1, 8)  # perf_event_open
    if fd < 0:
        raise OSError(ctypes.get_errno(), "perf_event_open")
    return fd


def set_later():
    """A tool's probe in all processes comes after the recording has begun, and stays in its children."""
    with forking() as process, Agent() as agent:
        functions, _ = record(agent, process)
        other = place_of(functions, "f_return")
        tool = system_wide_probe(PARENT, other)
        [child] = fork(process)
        say(wait_until(lambda: are_clean([child], [place_of(functions, "f_work")])),
            "a probe that was set later: a child gets its own instruction back")
        equal("a probe that was set later: the child has that one still", code_at(child, PARENT, other), b"\xcc")
        os.close(tool)
        agent.stop()


def gets_them_back(name, command, path, replace=lambda: None):
    """A child of a program that is found by no path of ours, or no longer by its own."""
    with forking(command) as process, Agent() as agent:
        functions = agent.find(process.pid, "", "f_work", "f_return")
        places = [f["file_offset"] for f in functions]
        original = {p: code_at(process.pid, path(), p) for p in places}
        agent.record(process.pid, functions)
        equal(name + ": the parent has probes", [p for p in places if code_at(process.pid, path(), p) != original[p]],
              places)
        replace()
        [child] = fork(process)
        say(wait_until(lambda: all(code_at(child, path(), p) == original[p] for p in places)),
            name + ": a child gets its own instructions back", [code_at(child, path(), p) for p in places])
        os.kill(child, signal.SIGUSR1)
        equal(name + ": and works", told(process), ["worked", str(child), "5050"])
        agent.stop()


def replaced():
    """Another file has the program's name by the time that it forks."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "forks")
        shutil.copy(PARENT, program)
        names = [program]

        def replace():
            os.unlink(program)
            with open(program, "wb") as file:
                file.write(b"\x90" * os.path.getsize(PARENT))
            names[0] = program + " (deleted)"
        gets_them_back("its file was replaced", [program], lambda: names[0], replace)


def in_another_root():
    """Its paths mean something else to the agent."""
    with tempfile.TemporaryDirectory() as folder:
        needed = subprocess.run(["ldd", PARENT], capture_output=True, text=True, check=True).stdout.split()
        for library in {word for word in needed if word.startswith("/")}:
            os.makedirs(folder + os.path.dirname(library), exist_ok=True)
            shutil.copy(library, folder + library)
        shutil.copy(PARENT, folder + "/forks")
        gets_them_back("in another root", ["chroot", folder, "/forks"], lambda: os.path.realpath(folder) + "/forks")


def what_they_pay():
    """The process calls nothing that is measured, and its children do: that is told, and acted on."""
    for budget in (0, 50000):
        with forking((PARENT + "-on",)) as process, Agent() as agent:
            record(agent, process, budget_ppm=budget)
            if budget:
                ended = agent.wait("recording_ended", 120)
                equal("children alone pay: it is beyond the budget", ended["reason"], "OVER_BUDGET")
                say("children" in ended["message"], "and that is told", ended["message"])
            else:
                agent.wait("histogram_delta", 120, lambda d: d["children"] > 10)
                agent.stop()
            last = agent.all("histogram_delta")[-1]
            say(last["children_cpu_ns"] > 0, "what children paid at most is told", "%d children, %.3f ms" % (
                last["children"], last["children_cpu_ns"] / 1e6))
            equal("and is not the process's own, which made no calls", sum(f["cost_ns"] for f in last["functions"]), 0)


run_tests(probe_of_another, set_later, what_they_pay, replaced, in_another_root, run_own_instructions, more_than_can_be_told, breakpoint_of_another)
