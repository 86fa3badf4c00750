# SPDX-License-Identifier: GPL-2.0
"""A program of many processes, which do what they are told."""
import contextlib
import os
import subprocess

from checks import BUILD

SERVICE = os.path.join(BUILD, "traced", "service")


class Service:
    """The traced program, or what starts it, in a cgroup or in none of ours."""

    def __init__(self, group=None, command=(SERVICE,)):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid
        self.line()
        if group:
            group.add(self.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def line(self):
        return self.process.stdout.readline().decode().strip()

    def do(self, kind, nr, calls):
        self.process.stdin.write(b"%s %d %d\n" % (kind.encode(), nr, calls))
        self.process.stdin.flush()
        return self.line()

    def end(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(60)
