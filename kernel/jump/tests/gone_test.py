#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What is no longer as it was when the jumps were put: the first thread, the process, its code, what it says of them, its children."""
import ctypes
import os
import signal
import struct
import subprocess
import sys

import jumping
from jumping import Jumps, Target, anonymous_code, changed_code, check, clean

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "agent", "tests"))
from cgroups import Memory

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE3, PTRACE_TRACEME = 435, 0
HOLDS = os.path.abspath(os.path.join(jumping.BUILD, "holds"))
STAMPS_BYTES, MAGIC = 4024, b"kview jump 3\n"


def libc_of(pid):
    return next(line.split()[5] for line in jumping.mappings(pid) if "libc.so" in line)


def test_first_thread_ends():
    """The others go on, and are restored."""
    program = ("import ctypes, os, sys, threading\n"
               "go = threading.Event()\n"
               "def serve():\n"
               "    for line in sys.stdin:\n"
               "        if line == 'alone\\n':\n"
               "            go.set()\n"
               "        print(sum(os.confstr('CS_PATH') > '' for _ in range(1000)), flush=True)\n"
               "    os._exit(0)\n"
               "threading.Thread(target=serve).start()\n"
               "go.wait()\n"
               "ctypes.CDLL(None).syscall(60, 0)\n")  # x86-64's exit: of this thread
    with Target(os.path.realpath(sys.executable), "-c", program) as python:
        python.ask("begin")
        libc = libc_of(python.pid)
        (other,) = [int(tid) for tid in os.listdir("/proc/%d/task" % python.pid) if int(tid) != python.pid]
        with Jumps(python.pid, "libc.so.6", "confstr") as jumps:
            python.ask("alone")
            while "State:\tZ" not in open("/proc/%d/status" % python.pid).read():
                pass
            check(changed_code(other, libc) > 0 and python.ask("again") == "1000", "it goes on without its first thread")
            jumps.end()
        check(jumps.status == 0 and changed_code(other, libc) == 0 and not anonymous_code(other),
              "and its other threads have their code back", jumps.error)
        with Jumps(python.pid, "libc.so.6", "confstr") as jumps:
            check(not jumps.is_on and jumps.error, "without a first thread it is not measured anew", jumps.error)
        check(python.ask("again") == "1000", "it works to its end")


def begin_traced(pid):
    """A program with that number, which another traces and which stands."""
    wished = ctypes.c_int(pid)
    arguments = struct.pack("11Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, ctypes.addressof(wished), 1, 0)
    got = LIBC.syscall(CLONE3, arguments, ctypes.c_size_t(len(arguments)))
    if got == 0:
        LIBC.ptrace(PTRACE_TRACEME, 0, 0, 0)
        os.execv("/bin/true", ["true"])  # and stands at its beginning
    if got > 0:
        os.waitpid(got, 0)
    return got


def test_number_is_used_again():
    """Another process is let alone."""
    with Target() as target:
        with Jumps(target.pid, "target", "m_tail", patience=300) as jumps:
            target.ask("calls 7")
            target.process.kill()
            target.process.wait()
            stranger = begin_traced(target.pid)
            figures = jumps.end()
            check(stranger == target.pid, "another process has its number", ctypes.get_errno())
            check(figures["m_tail"]["calls"] == 7 and "has ended" in jumps.error, "nobody tries to stop that one", jumps.error)
        os.kill(stranger, signal.SIGKILL)
        os.waitpid(stranger, 0)


def test_other_code_there():
    """The library has gone, and other code lies at its place: nothing of it can be restored, and nothing has to stay."""
    program = ("import ctypes, _ctypes, mmap, sys\n"
               "libc = ctypes.CDLL(None)\n"
               "libc.mmap.restype = ctypes.c_void_p\n"
               "library = ctypes.CDLL(sys.argv[1])\n"
               "at = ctypes.cast(library.l_sum, ctypes.c_void_p).value & -mmap.PAGESIZE\n"
               "for line in sys.stdin:\n"
               "    if line == 'replace\\n':\n"
               "        _ctypes.dlclose(library._handle)\n"
               "        file = open(sys.executable, 'rb')\n"
               "        there = libc.mmap(ctypes.c_void_p(at), ctypes.c_size_t(mmap.PAGESIZE), 5, 0x12, file.fileno(), ctypes.c_long(0))\n"
               "        print(there == at, flush=True)\n"
               "    else:\n"
               "        print(library.l_sum(b'abc', 3), flush=True)\n")
    with Target(sys.executable, "-c", program, os.path.abspath(os.path.join(jumping.BUILD, "loaded.so"))) as python:
        python.ask("begin")
        with Jumps(python.pid, "loaded.so", "l_sum") as jumps:
            check(jumps.is_on and python.ask("replace") == "True", "other code comes where a library was", jumps.error)
            jumps.end()
            check(jumps.status == 0 and not anonymous_code(python.pid), "nothing of the jumps stays", jumps.error)


def test_record_lies():
    """What the process wrote over the record of its jumps unmaps nothing else."""
    with Target() as target:
        before = target.ask("calls 9")
        with Jumps(target.pid, "target", "m_tail") as jumps:
            code = next(int(line.split("-")[0], 16) for line in anonymous_code(target.pid))
            jumps.process.kill()
            jumps.process.wait()
        others = [line for line in jumping.mappings(target.pid) if "[" in line or line.endswith("/target")]
        with open("/proc/%d/mem" % target.pid, "r+b", buffering=0) as memory:
            magic, _, _, code_bytes, shared_bytes = struct.unpack("16s4Q", os.pread(memory.fileno(), 48, code + STAMPS_BYTES))
            check(magic.startswith(MAGIC), "the record is there", magic)
            end = code + code_bytes + shared_bytes
            heap = next(line for line in others if "[heap]" in line)
            reach = int(heap.split()[0].split("-")[1], 16) - end
            # From the figures to behind the heap, or, if that is below them, a terabyte.
            lie = reach + shared_bytes if reach > 0 else 1 << 40
            os.pwrite(memory.fileno(), struct.pack("Q", lie), code + STAMPS_BYTES + 40)
        said = clean(target.pid)
        check(changed_code(target.pid, jumping.TARGET) == 0, "it is restored", said)
        check([line for line in jumping.mappings(target.pid) if "[" in line or line.endswith("/target")] == others,
              "and all else stays mapped")
        check(target.ask("calls 9") == before, "it goes on")


def springboards(pid, code):
    """What else is mapped as code, without a name: in the order of its addresses."""
    return [line.split("-")[0] for line in anonymous_code(pid) if not line.startswith("%x-" % code)]


def code_of(pid):
    """Where the stamps and stubs are; with what they begin in the record."""
    for line in anonymous_code(pid):
        start = int(line.split("-")[0], 16)
        with open("/proc/%d/mem" % pid, "rb", 0) as memory:
            if os.pread(memory.fileno(), len(MAGIC), start + STAMPS_BYTES) == MAGIC:
                return start
    return 0


def begin_and_die(pid, step):
    subprocess.run([os.path.join(jumping.BUILD, "kview-jump-dies"), str(pid), "holds", "p_one", "p_four"], input="",
                   env=dict(os.environ, KVIEW_JUMP_DIES_AT=str(step)), capture_output=True)


def dead_before_springboards():
    """A program in which jumps were begun, and has their code and no springboard so far: by the first step after which it is so."""
    low, high = 0, 128
    while True:
        step = (low + high) // 2
        target = Target(HOLDS)
        target.ask("call")
        begin_and_die(target.pid, step)
        if code_of(target.pid):
            high = step
            if low == high:
                return target
        else:
            low = step + 1
        target.process.kill()
        target.__exit__()
        if low > high:
            raise RuntimeError("no step after which code is there")


def test_own_page_in_place():
    """A page that the program has mapped itself where a springboard was to be, as who put jumps was killed before that, is left alone."""
    with Target(HOLDS) as target:
        target.ask("call")
        with Jumps(target.pid, "holds", "p_one", "p_four"):
            boards = springboards(target.pid, code_of(target.pid))
    with dead_before_springboards() as target:
        check(not springboards(target.pid, code_of(target.pid)), "who puts jumps has died before their springboards are mapped")
        check(target.ask("map " + boards[0]) == boards[0], "the program maps a page of its own there", boards)
        clean(target.pid)
        check(not code_of(target.pid) and springboards(target.pid, 0) == boards[:1], "what was begun is taken out, but for that page")
        check(target.ask("read") == "0" and target.ask("call") == "17", "it goes on with that")
    check(target.status == 0, "to its end", target.status)


def test_own_page_instead():
    """So is one that it has mapped in a springboard's place while jumps were there."""
    for killed in False, True:
        with Target(HOLDS) as target:
            target.ask("call")
            jumps = Jumps(target.pid, "holds", "p_one", "p_four")
            place = springboards(target.pid, code_of(target.pid))[0]
            check(target.ask("map " + place) == place, "the program maps a page of its own over a springboard")
            if killed:
                jumps.process.kill()
                jumps.process.wait()
                clean(target.pid)
            else:
                jumps.end()
            check(springboards(target.pid, 0) == [place], "all but that is taken out", "when killed" if killed else jumps.error)
            check(target.ask("read") == "0" and target.ask("call") == "17", "it goes on with that page")
        check(target.status == 0, "to its end", target.status)


def has_jumps(pid):
    return changed_code(pid, jumping.TARGET) > 0


def test_children_of_one_that_was_killed():
    """Each child can be restored alone, and all are with their parent."""
    with Target() as target:
        with Jumps(target.pid, "target", "m_tail") as jumps:
            first, second = (int(target.ask("child 10").split()[1]) for _ in range(2))
            jumps.process.kill()
            jumps.process.wait()
        check([has_jumps(pid) for pid in (target.pid, first, second)] == [True] * 3, "two children have the jumps, too")
        said = clean(first)
        check([has_jumps(pid) for pid in (target.pid, first, second)] == [True, False, True] and not anonymous_code(first),
              "one child is restored alone", said.strip())
        said = clean(target.pid)
        check(not has_jumps(target.pid) and not has_jumps(second) and not anonymous_code(second),
              "the other one with its parent", said.strip())


def test_limit_not_seen():
    """From a namespace of control groups the process's own one is not seen, and so not what memory it may have."""
    with Memory() as group, Memory() as own, Target() as target:
        if not group or not own:
            print("ok a limit that is not seen: skipped, there are no control groups for it here")
            return
        group.add(target.pid)
        command = [os.path.join(jumping.BUILD, "kview-jump"), str(target.pid), "target", "m_tail"]
        put = subprocess.run(["sh", "-c", 'echo $$ > "$0" && exec unshare -C "$@"', own.folder + "/cgroup.procs", *command],
                             input="", capture_output=True, text=True, timeout=60, check=False)
        group.leave(target.pid)
        check(put.returncode != 0 and "is not known" in put.stderr, "where a limit of memory is not seen, no jumps are put",
              put.stdout + put.stderr)


if __name__ == "__main__":
    sys.exit(jumping.run("gone", globals()))
