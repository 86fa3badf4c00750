# SPDX-License-Identifier: GPL-2.0
"""A program that tests talk with."""
import subprocess


class Running:
    """A program that reads letters and writes lines, or the latter alone."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.pid = self.process.pid
        self.line()

    def line(self):
        return self.process.stdout.readline().split()

    def say(self, letters):
        self.process.stdin.write(letters)
        self.process.stdin.flush()
        return self.line()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
