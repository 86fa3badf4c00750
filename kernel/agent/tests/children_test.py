# SPDX-License-Identifier: GPL-2.0
"""Children of the traced process run its own instructions; seen by the bytes in their memory."""
import os
import signal
import subprocess

from checks import *
from agent import wait_until

PARENT = os.path.join(BUILD, "traced", "forks")


def code_at(pid, path, offset, length=1):
    """What a process has in memory where it maps that place of a file."""
    with open("/proc/%d/maps" % pid) as maps:
        for line in maps:
            span, rights, start, _, _, *name = line.split()
            low, high = (int(x, 16) for x in span.split("-"))
            at = offset - int(start, 16)
            if "x" in rights and name and name[0] == path and 0 <= at < high - low:
                with open("/proc/%d/mem" % pid, "rb") as memory:
                    memory.seek(low + at)
                    return memory.read(length)
    raise KeyError("%s at %x is not mapped by %d" % (path, offset, pid))


def file_at(path, offset):
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(1)


def children_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


def told(process):
    """A line that one of the processes has written."""
    return process.stdout.readline().decode().split()


def run_own_instructions():
    process = subprocess.Popen([PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    told(process)
    try:
        with Agent() as agent:
            functions = agent.find(process.pid, "", "f_work", "f_return")
            agent.record(process.pid, functions)
            places = [f["file_offset"] for f in functions]
            probed = [p for p in places if code_at(process.pid, PARENT, p) != file_at(PARENT, p)]
            equal("the parent has probes", probed, places)
            descendants = []
            for kind in ("child", "grandchild"):
                process.stdin.write(kind[:1].encode())
                process.stdin.flush()
                descendants.append(int(told(process)[1]))

            def is_clean(pid):
                return all(code_at(pid, PARENT, p) == file_at(PARENT, p) for p in places)
            for kind, pid in zip(("a child", "a child's child"), descendants):
                say(wait_until(lambda: is_clean(pid)), kind + " gets its own instructions back")
            equal("the parent keeps its probes", probed,
                  [p for p in places if code_at(process.pid, PARENT, p) != file_at(PARENT, p)])
            process.stdin.write(b"w")  # the parent works
            process.stdin.flush()
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
    finally:
        process.stdin.close()
        process.wait(10)


run_tests(run_own_instructions)
