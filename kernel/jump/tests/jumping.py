# SPDX-License-Identifier: GPL-2.0
"""What the tests of kview-jump share: the program that is measured, and the tool."""
import ctypes
import os
import re
import subprocess
import sys

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
TARGET = os.path.join(BUILD, "target")
failed = []

# Where things lie decides which jumps can be put: in the same places always, for all that is started from here.
ADDR_NO_RANDOMIZE = 0x40000
ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)


def check(good, name, what=""):
    print("%s %s%s" % ("ok" if good else "not ok", name, ": %s" % (what,) if what else ""), flush=True)
    if not good:
        failed.append(name)


class Target:
    """A program that does what its input says, and is ended with it."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command or [TARGET], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.pid = self.process.pid
        if not command:
            self.ask("base")  # its libraries are there when it answers

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            self.status = self.process.wait(300)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.status = self.process.wait()
        self.process.stdout.close()

    def begin(self, line):
        self.process.stdin.write(line + "\n")

    def answer(self):
        return self.process.stdout.readline().strip()

    def ask(self, line):
        self.begin(line)
        return self.answer()


class Jumps:
    """kview-jump at work on a process."""

    def __init__(self, pid, binary, *functions, patience=5000, options=()):
        self.process = subprocess.Popen([os.path.join(BUILD, "kview-jump"), "--patience", str(patience), *options, str(pid), binary, *functions],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.refused, self.without_clocks = {}, ""
        while True:
            line = self.process.stdout.readline()
            if not line or line.startswith("on "):
                break
            if line.startswith("no times on CPUs: "):
                self.without_clocks = line.strip()
                continue
            name, reason = re.fullmatch(r"refused (\S+): (.*)\n", line).groups()
            self.refused[name] = reason
        self.is_on = bool(line)
        self.stood_ms = float(line.split()[1]) if line else 0.0
        self.error = "" if line else self.process.stderr.read().strip()

    def _figures(self):
        figures = {}
        for line in iter(self.process.stdout.readline, ""):
            words = line.split()
            if words[0] == "unmatched":
                figures["unmatched"] = int(words[1])
                return figures
            figures[words[0]] = {key: int(value) for key, value in zip(words[1::2], words[2::2])}
        return figures

    def figures(self):
        if not self.is_on:
            raise RuntimeError("no jumps were put: %s %s" % (self.error, self.refused))
        self.process.stdin.write("\n")
        return self._figures()

    def calls(self, name):
        """Timed, left by another way, and lost."""
        figures = self.figures()[name]
        return figures["calls"], figures["abandoned"] + figures["open"], figures["lost"]

    def end(self):
        self.process.stdin.close()
        figures = self._figures() if self.is_on else {}
        off = self.process.stdout.read().split()
        self.stood_ms = float(off[1]) if off else 0.0
        self.error = self.process.stderr.read().strip() or self.error
        self.status = self.process.wait(300)
        self.process.stdout.close()
        self.process.stderr.close()
        return figures

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.returncode is None:
            self.end()


def why_not():
    """Why nothing can be measured by jumps on this machine; empty: it can."""
    with Target() as target, Jumps(target.pid, "target", "m_tail") as jumps:
        return jumps.error if re.search("clock source|counter|rdtscp", jumps.error) else ""


def run(name, named):
    """Runs the tests among what a file names, or those that the command line asks for; returns whether one failed."""
    missing = why_not()
    if missing:
        print("ok %s: skipped, as jumps can't be used here: %s" % (name, missing))
        return 0
    wanted = sys.argv[2:]
    for each, test in sorted(named.items()):
        if each.startswith("test_") and (not wanted or each[5:] in wanted):
            test()
    return bool(failed)


def clean(pid):
    """Restores what a killed one left; returns what it says."""
    done = subprocess.run([os.path.join(BUILD, "kview-jump"), "--clean", str(pid)], capture_output=True, text=True)
    return done.stdout + done.stderr


def mappings(pid):
    with open("/proc/%d/maps" % pid) as maps:
        return [line.rstrip("\n") for line in maps]


def anonymous_code(pid):
    """What is executable and of no file."""
    return [line for line in mappings(pid) if line.split()[1][2] == "x" and line.split()[4] == "0" and "[" not in line]


def changed_places(pid, path):
    """The addresses at which the file's code differs in the process."""
    path, differs = os.path.realpath(path), []
    with open(path, "rb") as file, open("/proc/%d/mem" % pid, "rb", 0) as memory:
        for line in mappings(pid):
            words = line.split(None, 5)
            if len(words) < 6 or words[5] != path or words[1][2] != "x":
                continue
            start, end = (int(part, 16) for part in words[0].split("-"))
            file.seek(int(words[2], 16))
            here = file.read(end - start)
            memory.seek(start)
            there = memory.read(end - start)
            differs += [start + i for i, (a, b) in enumerate(zip(here, there)) if a != b] if not there.startswith(here) else []
    return differs


def changed_code(pid, path):
    """How many bytes of it."""
    return len(changed_places(pid, path))
