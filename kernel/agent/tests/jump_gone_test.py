# SPDX-License-Identifier: GPL-2.0
"""Recordings by jumps whose process ends, has no more memory or forks, or whose functions are in several files."""
import contextlib
import ctypes
import os
import signal
import sys
import time

from agent import stat_field, wait_until
from by_jumps import *
from cgroups import Memory
from checks import *
from children_of import code_at
from running import Running

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
HEAD = 128  # what the stamps themselves read, at the beginning of their shared memory
HANDLER = os.path.join(BUILD, "traced", "handler")
FORKS = os.path.join(BUILD, "traced", "forks")


def forked():
    """Children go on, are not counted, and have their own code back as the recording ends."""
    with Running(FORKS) as program, Agent() as agent:
        before = text_of(program.pid)
        functions = agent.find(program.pid, "", "f_work", "f_return")
        by_jumps(agent, program.pid, functions)
        children = [int(program.say(kind)[1]) for kind in "cg"]
        program.say("w")
        equal("two children have the jumps", [text_of(pid) != before for pid in children], [True, True])
        for pid in children:
            os.kill(pid, signal.SIGUSR1)
            equal("and work", program.line(), ["worked", str(pid), "5050"])
        agent.stop()
        equal("calls of children are not counted", invariants("with children", agent, functions)["f_work"].calls, 100)
        equal("they have their own code back", [text_of(pid) == before for pid in (program.pid, *children)], [True] * 3)
        equal("and nothing else", [line for pid in children for line in mappings(pid) if "/dev/zero" in line], [])
        for pid in children:
            os.kill(pid, signal.SIGUSR1)
            equal("and work on", program.line(), ["worked", str(pid), "5050"])
        by_jumps(agent, children[0], functions)
        equal("a child can be measured itself", agent.stop()["reason"], "REQUESTED")


def outlives_its_parent():
    """The process ends, and what it forked goes on."""
    forks = "import os, signal\nprint('ready', flush=True)\ninput()\nchild = os.fork()\nprint(child, flush=True) if child else signal.pause()\ninput()"
    with Running(os.path.realpath("/proc/self/exe"), "-c", forks) as program, Agent() as agent:
        functions = agent.find(program.pid, "libc.so.6", "confstr")
        path, place = functions[0]["binary"], functions[0]["file_offset"]
        before = code_at(program.pid, path, place, 16)
        by_jumps(agent, program.pid, functions)
        child = int(program.say("\n")[0])
        try:
            say(code_at(child, path, place, 16) != before, "a child has the jumps")
            program.process.kill()
            agent.wait("recording_ended")
            say(code_at(child, path, place, 16) == before, "and gets its code back though its parent has gone")
        finally:
            os.kill(child, signal.SIGKILL)


def descriptors(pid):
    """What the kernel tells of each."""
    for fd in os.listdir("/proc/%d/fdinfo" % pid):
        with open("/proc/%d/fdinfo/%s" % (pid, fd)) as file:
            yield dict(line.rstrip("\n").split(":\t" if ":\t" in line else ": ", 1) for line in file if ":" in line)


def will_look(pid):
    """Whether the timer is due by which the agent looks at the process."""
    return any(d.get("it_interval") == "(0, 100000000)" and int(d["ticks"]) for d in descriptors(pid))


def ended():
    """The agent looks at a process that has ended before it hears that: it has not executed another program, nor got a handler for faults."""
    with Running(HANDLER) as program, Agent() as agent:
        functions = agent.find(program.pid, "", "f_reads", "f_adds")
        by_jumps(agent, program.pid, functions, interval_ms=60000)
        os.kill(agent.pid, signal.SIGSTOP)
        try:
            wait_until(lambda: will_look(agent.pid))
            program.process.kill()
            program.process.wait()
        finally:
            os.kill(agent.pid, signal.SIGCONT)
        end = agent.wait("recording_ended")
        equal("a process that is killed has ended", (end["reason"], end["message"]), ("PROCESS_ENDED", ""))


def links_of(pid):
    """Its programs at tracepoints of the kernel, for which other processes pay."""
    return sum(d.get("link_type") in ("tracing", "raw_tracepoint") for d in descriptors(pid))


def of_two_files():
    """What others pay at each context switch does not grow with the files."""
    with Running(PLAIN, "ticks") as program, Agent() as agent:
        before = text_of(program.pid)
        own, of_libc = agent.find(program.pid, "", "f_empty"), agent.find(program.pid, "libc.so.6", "confstr")
        by_jumps(agent, program.pid, own)
        one = links_of(agent.pid)
        agent.stop()
        reply = by_jumps(agent, program.pid, own + of_libc)
        equal("functions of two files", mechanisms(reply), ["JUMP", "JUMP"])
        equal("have the scheduler's programs in common", links_of(agent.pid), one)
        say(agent.wait("histogram_delta", where=lambda d: any(f["calls"] for f in d["functions"])), "and are counted")
        agent.stop()
        equal("all is as before", text_of(program.pid) == before, True)


def little_memory():
    """Memory that is enough for one file's functions, and not for two: what was mapped before is not used yet, and will be."""
    with Memory() as group, Running(FORKS) as program, Agent() as agent:
        if not group:
            print("ok jumps of two files and limits of memory: skipped, there are no control groups for it here")
            return
        own, of_libc = agent.find(program.pid, "", "f_work"), agent.find(program.pid, "libc.so.6", "confstr")
        group.add(program.pid)
        try:
            group.close(5 << 20)
            refused("what jumps take for two files is more than the limit leaves", "NOT_PROBEABLE", lambda: by_jumps(agent, program.pid, own + of_libc))
            equal("for each alone it is enough", [mechanisms(by_jumps(agent, program.pid, own)), agent.stop()["reason"]], [["JUMP"], "REQUESTED"])
        finally:
            group.leave(program.pid)


def written_over():
    """What counts calls is the process's own memory: what it writes there is told as no figure."""
    for name, filled in (("nothing", lambda n: bytes(n)), ("what no calls come to", lambda n: b"\xff" * n)):
        with Running(FORKS) as program, Agent() as agent:
            functions = agent.find(program.pid, "", "f_work")
            by_jumps(agent, program.pid, functions, interval_ms=20)
            program.say("w")
            agent.wait("histogram_delta", where=lambda d: any(f["calls"] == 100 for f in d["functions"]))
            at, end = (int(x, 16) for line in mappings(program.pid) if "/dev/zero" in line for x in line.split()[0].split("-"))
            with open("/proc/%d/mem" % program.pid, "r+b", 0) as memory:
                os.pwrite(memory.fileno(), filled(end - at - HEAD), at + HEAD)
            ended = agent.wait("recording_ended")
            say(ended["reason"] == "FAILED" and "written over" in ended["message"], "the process writes %s over its figures" % name, ended["message"])
            f = invariants("it", agent, functions)["f_work"]
            equal("those of before are kept", (f.calls, f.count("WALL")), (100, 100))
            equal("it has its own code back", clean(agent, program.pid), 0)
            equal("and works", program.say("w"), ["worked", str(program.pid), "5050"])


RELOADS = """
import ctypes, _ctypes, sys
library = ctypes.CDLL(sys.argv[1])
print(flush=True)
for line in sys.stdin:
    if line == 'reload\\n':
        _ctypes.dlclose(library._handle)
        library = ctypes.CDLL(sys.argv[1])
    print(sum(library.f_late(i) == i + 1 for i in range(100)), flush=True)
"""


class Traced:
    """Another traces its first thread meanwhile, as strace does: nobody else can stop that."""

    def __init__(self, pid):
        self.pid, self.ptrace = pid, ctypes.CDLL(None, use_errno=True).ptrace
        self.ptrace.argtypes = [ctypes.c_long] * 4

    def __enter__(self):
        equal("another traces it", self.ptrace(PTRACE_SEIZE, self.pid, 0, 0), 0)

    def __exit__(self, *_):
        self.ptrace(PTRACE_INTERRUPT, self.pid, 0, 0)
        os.waitpid(self.pid, 0)
        equal("and no more", self.ptrace(PTRACE_DETACH, self.pid, 0, 0), 0)


@contextlib.contextmanager
def gets_a_handler():
    """For faults: it may know them by their addresses, so no copy is left of what may fault, once nobody else traces it."""
    with Running(HANDLER) as program, Agent() as agent:
        before = text_of(program.pid)
        functions = agent.find(program.pid, "", "f_reads", "f_adds")
        equal("both are measured by jumps", mechanisms(by_jumps(agent, program.pid, functions)), ["JUMP", "JUMP"])
        with Traced(program.pid):
            equal("it gets a handler for faults", program.say("h"), ["17", "0"])
            yield
        off = agent.wait("histogram_delta", where=lambda d: any(f["probes_off_ns"] for f in d["functions"]))
        gone = [f for f in off["functions"] if f["probes_off_ns"]]
        equal("what may fault comes off, and no other", [f["function_id"] for f in gone], [0])
        say("got a handler for faults" in gone[0]["probes_off"], "which is told", gone[0]["probes_off"])
        equal("it goes on", program.say("w"), ["17", "0"])
        equal("and so does the recording", agent.stop()["reason"], "REQUESTED")
        figures = agent.figures(functions)
        equal("the other one's calls are counted on", (figures["f_reads"].calls, figures["f_adds"].calls), (1, 2))
        equal("the code is as before", text_of(program.pid) == before, True)


def loaded_again():
    """A library that was unloaded has no jumps when it is loaded again: that it is measured no more is told. Beside it another program gets a handler, so that they wait once."""
    library = os.path.join(BUILD, "traced", "libkviewlate.so")
    with Running(sys.executable, "-c", RELOADS, library) as program, Agent() as agent:
        functions = agent.find(program.pid, library, "f_late") + agent.find(program.pid, "libc.so.6", "confstr")
        by_jumps(agent, program.pid, functions, interval_ms=20)
        equal("its function works with jumps", program.say("once\n"), ["100"])
        agent.wait("histogram_delta", where=lambda d: any(f["calls"] == 100 for f in d["functions"]))
        with gets_a_handler(), Traced(program.pid):
            equal("and when it was loaded again, while another traces it", program.say("reload\n"), ["100"])
            time.sleep(6)  # the agent has looked by then, and would no longer wait for it to stop
        off = agent.wait("histogram_delta", where=lambda d: any(f["probes_off_ns"] for f in d["functions"]))
        equal("which comes off, and no other", [(f["function_id"], "unloaded" in f["probes_off"]) for f in off["functions"] if f["probes_off_ns"]], [(0, True)])
        equal("the recording goes on", agent.stop()["reason"], "REQUESTED")
        f = invariants("a library that is loaded again", agent, functions)["f_late"]
        equal("what was counted before is kept", counts(f), (100, 100, 0, 0))


def clean(agent, pid):
    return agent.request("clean", pid=pid)["restored"]


OF_BEFORE = """
import ctypes, mmap
memory = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE)
memory[4032:4045] = b'kview jump 2\\n'
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
assert not ctypes.CDLL(None).mprotect(ctypes.c_void_p(address), ctypes.c_size_t(mmap.PAGESIZE), 5)
print('ready', flush=True)
input()
"""


def of_other_version():
    """Its record is not understood, but seen: that the code has no jumps would be wrong."""
    with Running(sys.executable, "-c", OF_BEFORE) as program, Agent() as agent:
        refused("jumps of another version are not taken out", "UNSUPPORTED", lambda: clean(agent, program.pid))


def without_memory():
    """Where the memory that it may have is used up, it would be ended for what jumps take."""
    with Memory() as group, Running(FORKS) as program, Agent() as agent:
        if not group:
            print("ok jumps and limits of memory: skipped, there are no control groups for it here")
            return
        before = text_of(program.pid)
        functions = agent.find(program.pid, "", "f_work")
        group.add(program.pid)
        try:
            group.close()
            refused("without memory for them no jumps are put", "NOT_PROBEABLE", lambda: by_jumps(agent, program.pid, functions))
            equal("and nothing was changed", text_of(program.pid) == before, True)
        finally:
            group.leave(program.pid)
        program.say("t")
        for child_has_memory in (False, True):
            with Agent() as another:
                stays_without_memory(another, program, group, before, child_has_memory)


def stays_without_memory(agent, program, group, before, child_has_memory):
    """A child that has memory gets its own code back; so the process has its code alone then, and shares other memory with it all the same."""
    by_jumps(agent, program.pid, agent.find(program.pid, "", "f_work"))
    # So it sleeps before it has written anywhere since it forked: to be woken, and be it for a stop, takes a copy of where it notes its processor.
    os.sched_setscheduler(program.pid, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    child = int(program.say("c")[1])
    wait_until(lambda: stat_field(program.pid, 0) == "S")
    os.sched_setscheduler(program.pid, os.SCHED_OTHER, os.sched_param(0))
    limited = [program.pid] if child_has_memory else [program.pid, child]
    for pid in limited:
        group.add(pid)
    try:
        group.close()
        ended = agent.stop()
        say("needs up to" in ended["calibration_note"] and "clean --pid" in ended["calibration_note"],
            "with it they are, and stay where there is none for a copy of what a child has, too", ended["calibration_note"])
    finally:
        for pid in limited:
            group.leave(pid)
    equal("nothing ended it", program.say("w"), ["worked", str(program.pid), "5050"])
    clean(agent, program.pid)
    equal("both have their code back when there is memory", [text_of(pid) == before for pid in (program.pid, child)], [True, True])


if jumps_can_be_used():
    run_tests(forked, outlives_its_parent, ended, of_two_files, without_memory, little_memory, written_over, loaded_again, of_other_version)
else:
    print("ok jumps and processes that end: skipped, they can't be used here")
