#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Debuggers, profilers, dumps, cancellations and the program's own handlers, while its functions are measured."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import jumping
from jumping import Jumps, Target, anonymous_code, changed_code, changed_places, check, clean

BESIDE = os.path.abspath(os.path.join(jumping.BUILD, "beside"))
FUNCTIONS = ["b_leaf", "b_middle", "b_outer", "b_cancelled", "b_holds", "b_crashes", "b_crashes_within", "b_crashes_at_once",
             "b_aborts", "b_aborts_within", "b_faults"]
SPINNING = ["b_leaf", "b_middle", "b_outer"]
STACK = ["b_middle", "b_outer", "spin", "start_thread"]


class Beside(Target):
    """The program, measured from outside or not."""

    def __init__(self):
        super().__init__(BESIDE)
        self.answer()

    def spins_on(self):
        """Its thread goes round again."""
        before = int(self.ask("turns"))
        while int(self.ask("turns")) < before + 100:
            pass

    def rest(self):
        turns, wrong = map(int, self.ask("rest").split())
        check(turns > 0 and wrong == 0, "it computes what it should", "%d times, %d wrong" % (turns, wrong))


def jumps_of(target, functions=FUNCTIONS, **options):
    jumps = Jumps(target.pid, "beside", *functions, **options)
    check(jumps.is_on and not jumps.refused, "jumps are put", jumps.error or jumps.refused)
    return jumps


def is_as_before(target, name):
    check(changed_code(target.pid, BESIDE) == 0 and not anonymous_code(target.pid), name)


def without(tool):
    if shutil.which(tool):
        return False
    print("ok jumps beside %s: skipped, it is not installed" % tool)
    return True


def frames(text):
    """Functions of a stack as gdb prints it, from the innermost."""
    return re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?([\w?]+)", text, re.M)


def end_of(said):
    return " ".join(said.split())[-200:]


class Gdb:
    """A debugger that stays attached."""

    def __init__(self, pid):
        self.process = subprocess.Popen(["gdb", "-nx", "-q", "-p", str(pid), "-ex", "set pagination off", "-ex", "set confirm off"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
        self.ask("thread 2")

    def ask(self, *commands):
        for command in commands + ("echo \\ndone\\n",):
            self.process.stdin.write(command + "\n")
        said = ""
        for line in self.process.stdout:
            if line.endswith("done\n"):
                break
            said += line.replace("(gdb) ", "")
        return said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.write("delete\ndetach\nquit\n")
        self.process.stdin.close()
        self.process.wait(300)
        self.process.stdout.close()


class Uprobes:
    """The kernel's breakpoints at the first instruction of functions and, by the addresses where these return, at their ends."""

    def __init__(self, *functions):
        probes = ["uprobe:%s:%s, uretprobe:%s:%s { @hits += 1; }" % (BESIDE, f, BESIDE, f) for f in functions]
        self.process = subprocess.Popen(["bpftrace", "-B", "line", "-e", " ".join(probes) + " interval:ms:50 { printf(\"hits %d\\n\", @hits); }"],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.are_hit()

    def are_hit(self):
        hits = []
        for line in self.process.stdout:
            hits += [int(n) for n in re.findall(r"^hits (\d+)", line)]
            if hits and hits[-1] > hits[0]:
                return True
        return False

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()


def test_uprobes():
    """Anybody's uprobes come and go at measured functions: that is one byte, of the file's, before what is overwritten."""
    if without("bpftrace"):
        return
    with Beside() as target:
        target.ask("spin")
        with jumps_of(target) as jumps:
            uprobes = Uprobes(*SPINNING)
            check(uprobes.are_hit(), "the kernel's breakpoints at functions that are measured")
            before = jumps.calls("b_middle")[0]
            target.spins_on()
            check(jumps.calls("b_middle")[0] > before, "where calls are counted all the same")
            uprobes.end()
            target.spins_on()
            uprobes = Uprobes(*SPINNING)
            jumps.end()
            check(jumps.status == 0 and uprobes.are_hit(), "jumps go before them", jumps.error)
        with jumps_of(target) as jumps:
            check(uprobes.are_hit(), "jumps come to where they are")
            uprobes.end()
            target.spins_on()
            figures = jumps.end()
            check(figures["b_middle"]["calls"] > 0 and figures["b_middle"]["lost"] == 0, "and no call is lost", figures["b_middle"])
        target.rest()
        is_as_before(target, "when all have gone all is as before")


def test_debugger():
    """Breakpoints at measured functions, the stack there, steps into the copies and out of them."""
    if without("gdb"):
        return
    with Beside() as target, jumps_of(target) as jumps:
        target.ask("spin")
        with Gdb(target.pid) as gdb:
            place = re.search(r"Breakpoint 1 at (0x[0-9a-f]+)", gdb.ask("break b_middle")).group(1)
            at = int(re.search(r"(0x[0-9a-f]+)", gdb.ask("print &b_middle")).group(1), 16)
            check(int(place, 16) == at, "by a function's name a debugger's breakpoint is at its entry", place)
            gdb.ask("continue")
            check(frames(gdb.ask("bt"))[:4] == STACK, "the stack at a breakpoint at a measured function")
            said = gdb.ask("finish")
            check("b_outer" in said and "Value returned" in said, "it is run to its end", end_of(said))
            gdb.ask("continue", *["stepi"] * 80)
            said = gdb.ask("continue")
            check("hit Breakpoint 1" in said and frames(gdb.ask("bt"))[:4] == STACK,
                  "after steps of single instructions through stamp and copies it comes there again", end_of(said))
            gdb.ask("delete", "break *b_leaf", "continue")
            check(frames(gdb.ask("bt"))[:5] == ["b_leaf"] + STACK, "and so it is in one called by measured ones")
            check("= 4" in gdb.ask("delete", "print b_leaf(1) == b_leaf(1) ? 4 : 5"), "a debugger calls a measured function")
        target.spins_on()
        target.rest()
        jumps.end()
        check(jumps.status == 0, "jumps are taken out when the debugger has gone", jumps.error)
        is_as_before(target, "all is as before")


def test_debugger_by_lines():
    """Breakpoints where lines of measured functions begin, some of which are at what jumps overwrite or at what runs as a copy."""
    if without("gdb"):
        return
    with Beside() as target, jumps_of(target, SPINNING) as jumps:
        target.ask("spin")
        changed = changed_places(target.pid, BESIDE)
        with Gdb(target.pid) as gdb:
            begin, end = (int(re.findall(r"(0x[0-9a-f]+) <\+", gdb.ask("disassemble " + name))[which], 16) for name, which in (("b_leaf", 0), ("b_outer", -1)))
            lines = {int(at, 16) for at in re.findall(r"^\d+ +\d+ +(0x[0-9a-f]+)", gdb.ask("maint info line-table beside.cpp"), re.M)}
            lines = {at for at in lines if begin <= at <= end}
            gdb.ask(*("break *%d" % at for at in lines))
            said = gdb.ask(*["continue"] * 300, "info breakpoints")
            hit = {int(at, 16) for at in re.findall(r"(0x[0-9a-f]+) in .*\n.*\n\tbreakpoint already hit", said)}
            check(len(hit) > 20 and hit & set(changed), "a debugger's breakpoints at lines are hit, also where a jump begins",
                  "%d of %d" % (len(hit), len(lines)))
            check(lines > hit and all(any(0 < at - place < 16 for place in changed) for at in lines - hit),
                  "but for those within what runs as a copy", [hex(at) for at in lines - hit])
        target.spins_on()
        before = jumps.calls("b_middle")[0]
        target.spins_on()
        check(jumps.calls("b_middle")[0] > before, "calls are counted when they have gone")
        target.rest()
        jumps.end()
        check(jumps.status == 0, "jumps are taken out then", jumps.error)
        is_as_before(target, "and all is as before")


def test_debugger_holds():
    """It has the process when the jumps are to be taken out."""
    if without("gdb"):
        return
    with Beside() as target:
        target.ask("spin")
        with jumps_of(target, patience=300) as jumps, Gdb(target.pid):
            jumps.end()
            check(jumps.status == 1 and "Another tracer" in jumps.error, "what a debugger holds keeps the jumps, and that is told", jumps.error)
        target.spins_on()
        clean(target.pid)
        target.rest()
        is_as_before(target, "and when it has gone they can be taken out")


def test_dumps():
    """A dump of what goes on, and the kernel's of what has died in a measured function."""
    if without("gdb"):
        return
    with tempfile.TemporaryDirectory() as folder:
        with Beside() as target, jumps_of(target) as jumps:
            target.ask("spin")
            with Gdb(target.pid) as gdb:
                gdb.ask("break *b_leaf", "continue", "delete", "generate-core-file %s/taken" % folder)
            said = subprocess.run(["gdb", "-nx", "-batch", "-ex", "bt", BESIDE, folder + "/taken"], capture_output=True, text=True).stdout
            check(frames(said)[-6:-1] == ["b_leaf"] + STACK, "the stack in a dump of a measured process", end_of(said))
            target.spins_on()
            target.rest()
            jumps.end()
            is_as_before(target, "after a dump all is as before")
        with open("/proc/sys/kernel/core_pattern") as pattern:
            if "|" in (named := pattern.read().strip()) or "/" in named:
                print("ok the kernel's dumps: skipped, they go to %s" % named)
                return
        process = subprocess.Popen([BESIDE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=folder)
        process.stdout.readline()
        with Jumps(process.pid, "beside", *FUNCTIONS):
            process.stdin.write("die 1\n")
            check(process.wait(300) == -signal.SIGABRT, "it dies in a measured function")
        process.stdin.close()
        process.stdout.close()
        (core,) = [name for name in os.listdir(folder) if name.startswith("core")]
        said = subprocess.run(["gdb", "-nx", "-batch", "-ex", "bt", BESIDE, os.path.join(folder, core)], capture_output=True, text=True).stdout
        check(frames(said)[-4:] == ["b_aborts", "b_aborts_within", "die", "main"], "the stack in the kernel's dump", frames(said))


def test_profiler():
    """Its samples come at any instruction, within the stamps too."""
    if without("perf"):
        return
    with tempfile.TemporaryDirectory() as folder, Beside() as target, jumps_of(target) as jumps:
        target.ask("spin")
        for stacks in ("fp", "dwarf"):
            done = subprocess.run(["perf", "record", "-q", "--call-graph", stacks, "-F", "999", "-e", "cpu-clock", "-p", str(target.pid), "-o", folder + "/data",
                                   "sleep", "0.3"], capture_output=True, text=True)
            check(done.returncode == 0 and os.path.getsize(folder + "/data") > 0, "a profiler beside jumps, by " + stacks, done.stderr)
            target.spins_on()
        target.rest()
        jumps.end()
        is_as_before(target, "after profiles all is as before")


def test_tracer_of_calls():
    if without("strace"):
        return
    with Beside() as target, jumps_of(target) as jumps:
        with subprocess.Popen(["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(target.pid)]) as strace:
            while strace.poll() is None and "TracerPid:\t0" in open("/proc/%d/status" % target.pid).read():
                time.sleep(0.01)
            check(target.ask("cancel 20") == "20 40", "a tracer of system calls sees threads cancelled in measured functions")
            strace.terminate()
        check(jumps.calls("b_cancelled")[1] == 20, "whose calls are counted", jumps.calls("b_cancelled"))


def test_cancelled():
    """What unwinds a thread passes measured functions: their objects are destroyed."""
    with Beside() as target, jumps_of(target) as jumps:
        check(target.ask("cancel 300") == "300 600", "threads that are cancelled in measured functions")
        check([jumps.calls(name) for name in ("b_cancelled", "b_holds")] == [(0, 300, 0)] * 2, "their calls were left",
              jumps.calls("b_cancelled"))


def test_crash():
    """A handler of the program's own tells where it crashed."""
    with Beside() as target:
        before = target.ask("crash 0"), target.ask("crash 1")
        with jumps_of(target) as jumps:
            check(target.ask("crash 0") == before[0] != "", "where it crashed, from a handler, in a measured function", before[0])
            # What faults is in a copy, of which no table of the program's knows.
            check(target.ask("crash 1") == "" != before[1], "and not, where what was overwritten crashes", before[1])
            check(target.ask("crash 0") == before[0], "it goes on after both")
            check(jumps.calls("b_faults") == (0, 1, 0), "calls that a handler left", jumps.calls("b_faults"))
            jumps.end()
        is_as_before(target, "and all is as before")
        check(target.ask("crash 1") == before[1], "what its handler tells, too")


def test_handled_faults():
    """A process that handles faults has none in copies: its handler would not know where they were."""
    with Beside() as target:
        before = target.ask("crash 1")
        target.ask("handle")
        left = ["b_faults", "b_rbp", "b_index", "b_own_data", "b_vectors", "b_x87"]
        with Jumps(target.pid, "beside", *FUNCTIONS, *left[1:], "b_moves") as jumps:
            check(jumps.is_on and list(jumps.refused) == left and all("handles faults" in why for why in jumps.refused.values()),
                  "of a process that handles faults, what may fault elsewhere is passed over, and nothing else", jumps.refused or jumps.error)
            check(target.ask("crash 1") == before != "", "its handler finds the stack", before)
            jumps.end()


def test_no_new_code():
    """A process for which nothing that may be written may become code."""
    with Beside() as target:
        if target.ask("deny") != "0":
            print("ok a process without new code: skipped, this kernel can't deny it")
            return
        with jumps_of(target) as jumps:
            check(target.ask("cancel 3") == "3 6" and jumps.calls("b_holds") == (0, 3, 0), "a process that denies itself writable code is measured")
            jumps.end()
            check(jumps.status == 0, "and let go", jumps.error)
        is_as_before(target, "as it was")


if __name__ == "__main__":
    sys.exit(jumping.run("beside", globals()))
