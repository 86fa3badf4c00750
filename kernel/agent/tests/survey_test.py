# SPDX-License-Identifier: GPL-2.0
"""
Surveys: where the time of all threads of a process goes.  What the program tells of itself is the truth:
shares of its own functions in the time of their threads.
"""
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from agent import Agent, status_of, wait_until
from checks import *
from tree import Tree

WHERE = os.path.join(BUILD, "traced", "where")
# Points of a hundred between a share of the survey and the program's own.
POINTS = 3


class Where:
    """The program that tells how much time it spends where."""

    def __init__(self, program=WHERE):
        self.program = program

    def __enter__(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def told(self, begin_ns, end_ns):
        """What each function took between two moments."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        notes = {}
        for line in iter(self.process.stdout.readline, "\n"):
            at, *sums = line.split()
            notes[int(at)] = dict(zip(sums[::2], map(int, sums[1::2])))
        begin, end = (notes[min(notes, key=lambda at: abs(at - moment))] for moment in (begin_ns, end_ns))
        return {name: end[name] - begin[name] for name in end}


def share_is(got, expected):
    return abs(100 * (got - expected)) <= POINTS, "%.1f %%, by its own account %.1f %%" % (100 * got, 100 * expected)


def part(told, function, others, clock):
    whole = sum(told[f + "." + clock] for f in others)
    return told[function + "." + clock] / whole if whole else 0


def shares():
    """What a hypervisor takes at once the program charges to where it was just then: so most of some surveys decide on shares."""
    say_by_most(shares_of_one)


def shares_of_one():
    judged = {}
    with Where() as where, Agent() as agent:
        pid = where.process.pid
        tree = Tree(agent.request("survey", pid=pid, duration_ms=4000, samples_per_second=4999))
        told = where.told(tree.reply["begin_ns"], tree.reply["end_ns"])
        for thread, functions, clock, metrics in (
                ("computes", ("heavy", "light"), "cpu", ("ON_CPU",)),
                ("computes", ("heavy", "light", "nap"), "wall", None),
                ("locks", ("take_lock", "rest"), "wall", None),
                ("shorts", ("short_a", "short_b"), "wall", None)):
            found = {f: tree.inclusive(f, thread, metrics) for f in functions}
            for f in functions:
                judged["the share of %s in the %s time of %s" % (f, clock, thread)] = share_is(
                    found[f] / max(1, sum(found.values())), part(told, f, functions, clock))
        for function, thread, cause in (("nap", "computes", "SLEEP"), ("take_lock", "locks", "LOCK"),
                                        ("wait_forever", "waits", "NETWORK")):
            within_it = tree.inclusive(function, thread, (cause,)) / tree.inclusive(function, thread, None)
            waited = tree.inclusive(function, thread, None) - tree.inclusive(function, thread, ("ON_CPU", "RUN_QUEUE", "PREEMPTED"))
            say(tree.inclusive(function, thread, (cause,)) >= 0.99 * waited, "the waits of %s are %s" % (function, cause),
                "%.1f %% of its time" % (100 * within_it))
        everything_adds_up(tree)
        complete("without frame pointers", tree)
        known = tree.inclusive("calls_below", "below", ("ON_CPU",)) / tree.inclusive("below", "below", ("ON_CPU",))
        say(known >= 0.95, "the caller of code that keeps its frame below the stack pointer is known", known)
        say(tree.depth("deepest", "deep") >= 60, "calls within calls are all there", tree.depth("deepest", "deep"))
        print("# the survey took %.2f %% of the process's CPU time, its agent %.2f s" % spent(tree), flush=True)
    return judged


def spent(tree):
    return (100 * tree.reply["cost_ns"] / max(1, tree.reply["process_cpu_ns"]), tree.reply["agent_cpu_ns"] / 1e9)


def everything_adds_up(tree):
    """The times of the tree are those of the threads, and no thread has more than there was."""
    seconds = tree.reply["end_ns"] - tree.reply["begin_ns"]
    wrong = []
    for thread in tree.reply["threads"]:
        waited = dict(zip(thread["causes"], thread["waited_ns"]))
        for metric, ns in dict(waited, ON_CPU=thread["on_cpu_ns"]).items():
            in_tree = sum(t["time_ns"] for t in tree.reply["times"] if (t["tid"], t["metric"]) == (thread["tid"], metric))
            if abs(in_tree - ns) > 1000 + 1e-6 * ns:
                wrong.append((thread["name"], metric, in_tree, ns))
        whole = sum(waited.values()) + thread["on_cpu_ns"]
        # The scheduler's account is up to date at each switch, and otherwise at each tick, which a CPU that is taken has late.
        if whole > 1.05 * seconds + 20e6:
            wrong.append((thread["name"], whole, seconds))
    equal("the times of the tree are those of the threads", wrong, [])


def complete(name, tree):
    quality = tree.reply["quality"]
    say(quality["complete_stacks"] >= 0.95 * quality["stacks"] > 0, "stacks go to the start of the thread: " + name,
        "%d of %d, %d cut, %d lost" % tuple(quality[f] for f in ("complete_stacks", "stacks", "cut_stacks", "lost_stacks")))


def surveyed(command, **options):
    """A program that runs until it is ended."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process, Agent() as agent:
        try:
            return Tree(agent.request("survey", pid=process.pid, **options))
        finally:
            process.kill()


def surveyed_until(command):
    """A program that does something when its input ends, which ends the survey."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process, Agent() as agent:
        try:
            asked = survey_begins(agent, pid=process.pid, duration_ms=600000)
            process.stdin.close()
            return Tree(agent.answer(asked))
        finally:
            process.kill()


def ends():
    tree = surveyed_until(["cat"])
    say("ended before" in tree.reply["note"], "a survey ends with its process", tree.reply["note"])
    tree = surveyed_until(["sh", "-c", "read line; exec sleep 600"])
    say("executed another program" in tree.reply["note"], "and as it executes another program", tree.reply["note"])
    equal("of which it tells nothing", [t["name"] for t in tree.reply["threads"]], ["sh"])
    with Where() as where, Agent() as agent:
        asked = agent.send("survey", pid=where.process.pid, duration_ms=600000)
        agent.request("end_survey")
        reply = agent.answer(asked)
        say("ended before its time" in reply["note"] and reply["threads"], "and when that is asked for", reply["note"])
        refused("the end of a survey that is over", "BAD_REQUEST", lambda: agent.request("end_survey"))


def a_path_that_is_no_text():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(os.fsencode(folder), b"wh\xffere")
        shutil.copy(WHERE, path)
        with Where(path) as where, Agent() as agent:
            tree = Tree(agent.request("survey", pid=where.process.pid, duration_ms=200))
            say(tree.inclusive("wait_forever") > 0, "a program whose path is no valid text is surveyed")
            own = next(f for f in tree.reply["functions"] if f["symbol"] == "wait_forever")
            equal("and its path is not told", tree.reply["files"][own["file"] - 1]["path"], "")


def refusals():
    with Where() as where, Agent() as agent:
        pid = where.process.pid
        thread = next(t for t in map(int, os.listdir("/proc/%d/task" % pid)) if t != pid)
        for name, code, values in (("no process", "BAD_REQUEST", {}), ("a process that is not there", "NO_SUCH_PROCESS", dict(pid=0x3ffffff)),
                                   ("a kernel thread", "NOT_PROBEABLE", dict(pid=2)), ("a thread", "BAD_REQUEST", dict(pid=thread)),
                                   ("an hour", "TOO_MANY", dict(pid=pid, duration_ms=3600000)),
                                   ("a sample each ns", "TOO_MANY", dict(pid=pid, samples_per_second=1000000000)),
                                   ("a process with the number of one that has ended", "NO_SUCH_PROCESS", dict(pid=pid, start_time_ns=1))):
            refused("a survey of " + name, code, lambda: agent.request("survey", **values))
        functions = agent.find(pid, "", "heavy")
        agent.record(pid, functions)
        refused("a survey beside a recording", "BUSY", lambda: agent.request("survey", pid=pid))
        agent.stop()
        asked = agent.send("survey", pid=pid, duration_ms=600000)
        refused("a recording beside a survey", "BUSY", lambda: agent.record(pid, functions))
        refused("a second survey", "BUSY", lambda: agent.request("survey", pid=pid))
        agent.request("end_survey")
        agent.answer(asked)
        agent.record(pid, functions)
        say(agent.stop()["reason"] == "REQUESTED", "a recording after a survey")



# As long as the eBPF programs go on without their agent, beyond the survey's duration.
MARGIN_NS = 1000000000
SLEEPER = "print(flush=True)\nimport time\ntime.sleep(600)"
# A process that gets a number and runs two threads, without executing another program.
IMPOSTOR = """
import os, sys, threading, time
for _ in range(400):
    with open("/proc/sys/kernel/ns_last_pid", "w") as last:
        last.write(str(int(sys.argv[1]) - 1))
    child = os.fork()
    if not child:
        thread = threading.Thread(target=time.sleep, args=(0.05,))
        thread.start()
        thread.join()
        os._exit(0)
    os.waitpid(child, 0)
    if child == int(sys.argv[1]):
        sys.exit(77)
"""


def python(code, *arguments):
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE)


def survey_begins(agent, **options):
    """Once its timer is there, it has begun."""
    def is_timer(fd):
        try:
            return os.readlink("/proc/%d/fd/%s" % (agent.pid, fd)) == "anon_inode:[timerfd]"
        except FileNotFoundError:
            return False

    def timers():
        return sum(map(is_timer, os.listdir("/proc/%d/fd" % agent.pid)))
    before = timers()
    asked = agent.send("survey", **options)
    wait_until(lambda: timers() > before)
    return asked


def stop(agent):
    os.kill(agent.pid, signal.SIGSTOP)
    wait_until(lambda: status_of(agent.pid) == "T")


def an_agent_that_stands_still():
    """The eBPF programs stop by themselves, and what they did not see is not told."""
    with Where() as where, Agent() as agent:
        asked = survey_begins(agent, pid=where.process.pid, duration_ms=100)
        stop(agent)
        # It began before now.
        time.sleep(0.1 + 2 * MARGIN_NS / 1e9)
        os.kill(agent.pid, signal.SIGCONT)
        reply = agent.answer(asked)
        say(reply["end_ns"] - reply["begin_ns"] <= 100e6 + MARGIN_NS, "a survey ends by itself while its agent stands still",
            "after %.0f ms" % ((reply["end_ns"] - reply["begin_ns"]) / 1e6))


def a_number_that_is_used_again():
    """It may be another user's."""
    for _ in range(5):
        with Agent() as agent:
            program = python(SLEEPER)
            program.stdout.readline()
            asked = survey_begins(agent, pid=program.pid, duration_ms=600000)
            stop(agent)
            program.kill()
            program.communicate()
            taken = subprocess.run([sys.executable, "-c", IMPOSTOR, str(program.pid)], stderr=subprocess.DEVNULL).returncode == 77
            os.kill(agent.pid, signal.SIGCONT)
            reply = agent.answer(asked)
            if taken:
                equal("nothing is told of a process that gets the number of the one that ended",
                      [t["tid"] for t in reply["threads"]], [program.pid])
                return
    say(False, "a process's number could be had once more")


TWO_FOLDERS = """
set -e
for name in z lzma; do
    mount -t tmpfs none $1/$name
    cp "$(ldconfig -p | sed -n "s/.*=> \\(.*x86_64.*lib$name\\.so\\.[0-9]\\)$/\\1/p" | head -n 1)" $1/$name/lib.so
done
exec "$2" -c "$3" $1
"""
TWO_LIBRARIES = """
import ctypes, os, sys
z, lzma = (ctypes.CDLL(os.path.join(sys.argv[1], n, "lib.so")) for n in ("z", "lzma"))
print(*(os.stat(os.path.join(sys.argv[1], n, "lib.so")).st_ino for n in ("z", "lzma")), flush=True)
data = b"kview" * 200000
lzma.lzma_crc64.restype = ctypes.c_uint64
while True:
    z.adler32(0, data, len(data))
    lzma.lzma_crc64(data, ctypes.c_size_t(len(data)), ctypes.c_uint64(0))
"""


def files_of_two_devices():
    """Files have numbers by device."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("z", "lzma"):
            os.mkdir(os.path.join(folder, name))
        with subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c", TWO_FOLDERS, "sh", folder,
                               sys.executable, TWO_LIBRARIES], stdout=subprocess.PIPE, text=True) as process, Agent() as agent:
            try:
                inodes = process.stdout.readline().split()
                tree = Tree(agent.request("survey", pid=process.pid, duration_ms=1000, samples_per_second=4999))
            finally:
                process.kill()
        equal("two libraries have the same inode number", len(set(inodes)), 1)
        found = {tree.reply["files"][f["file"] - 1]["path"] for f in tree.reply["functions"] if f["file"]}
        for name in ("z", "lzma"):
            say(os.path.join(folder, name, "lib.so") in found, "and functions of both are told, here of " + name)


LARGE_BYTES = 200 << 20
RUN_FILES = """
import ctypes, os, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
for path in sys.argv[1:]:
    at = libc.mmap(None, ctypes.c_size_t(4096), 5, 2, os.open(path, os.O_RDONLY), ctypes.c_long(0))
    threading.Thread(target=ctypes.CFUNCTYPE(None)(at + 0x700), daemon=True).start()
print(flush=True)
time.sleep(600)
"""


def large_file(path):
    """A library whose .eh_frame is large, and empty; its only code is an endless loop."""
    names = b"\0.eh_frame\0.shstrtab\0"
    section = lambda name, kind, at, size: struct.pack("<IIQQQQIIQQ", name, kind, 2, 0x10000, at, size, 0, 0, 1, 0)
    head = bytearray(0x1000)
    parts = {0: b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0x800, 0, 64, 56, 1, 64, 3, 2),
             64: struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 0x1000, 0x1000, 0x1000), 0x600: names, 0x700: b"\xeb\xfe",
             0x800: bytes(64) + section(1, 1, 0x1000, LARGE_BYTES) + section(11, 3, 0x600, len(names))}
    for at, content in parts.items():
        head[at:at + len(content)] = content
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(len(head) + LARGE_BYTES)
    return path


def large_files():
    """What the agent keeps of all files together is bounded, and files are not held open."""
    with tempfile.TemporaryDirectory() as folder:
        files = [large_file(os.path.join(folder, "large%d.so" % i)) for i in range(2)]
        program = python(RUN_FILES, *files)
        program.stdout.readline()
        with Agent() as agent:
            reply = agent.request("survey", pid=program.pid, duration_ms=1000, samples_per_second=4999)
            with open("/proc/%d/status" % agent.pid) as status:
                peak = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))
        program.kill()
        program.communicate()
        own = [f for f in reply["functions"] if f["file"] and reply["files"][f["file"] - 1]["path"] in files]
        equal("functions of large files are told by address", sorted(f["name"] for f in own), ["0x700", "0x700"])
        say(peak < LARGE_BYTES, "and the agent does not keep such files", "%.0f MiB at most" % (peak / (1 << 20)))


PYTHON = """
import json, threading, time, zlib, os
def compute():
    while True: json.loads(json.dumps(list(range(2000)))); zlib.compress(b"kview" * 2000)
def wait():
    while True: time.sleep(0.003)
threading.Thread(target=wait, daemon=True).start()
compute()
"""


def real_programs():
    tree = surveyed(["/usr/bin/python3", "-c", PYTHON], duration_ms=2000, samples_per_second=999)
    complete("python3", tree)
    say(tree.inclusive("deflate") > 0, "a library that it loaded is seen", "%.0f ms" % (tree.inclusive("deflate") / 1e6))


def another_stack():
    """Go's runtime begins stacks where nothing is returned to, and the frame pointer is of another one."""
    tree = surveyed([os.path.join(BUILD, "traced", "goes_over")], duration_ms=500)
    complete("of Go's runtime", tree)
    equal("which begin there", {tree.path(t["node"])[-1] for t in tree.reply["times"] if "schedules" in tree.path(t["node"])}, {"runtime.mcall"})


run_tests(shares, real_programs, another_stack, ends, a_path_that_is_no_text, an_agent_that_stands_still, a_number_that_is_used_again,
          files_of_two_devices, large_files, refusals)
