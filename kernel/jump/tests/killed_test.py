#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""kview-jump is killed at each of its steps: the process goes on unharmed, and the next one restores all."""
import os
import subprocess
import sys

import jumping
from jumping import BUILD, Target, anonymous_code, changed_code, check, clean

FUNCTIONS = ["m_tail", "m_catches", "m_inside"]
WHILE = [("waits for input", None, None), ("works", "work", "stop"), ("is in a window", "inside 0", "leave")]
# ./test --long sets it: each step while it does each of these, and not while it does one of them in turn.
LONG = "KVIEW_JUMP_KILLS" in os.environ


def is_killed(pid, step):
    """Puts jumps and takes them out again, up to a step; whether it came to that."""
    environment = dict(os.environ, KVIEW_JUMP_DIES_AT=str(step))
    status = subprocess.run([os.path.join(BUILD, "kview-jump-dies"), str(pid), "target", *FUNCTIONS], input="",
                            env=environment, capture_output=True, text=True).returncode
    if status not in (0, -9):
        check(False, "it does what it should up to step %d" % step, status)
    return status == -9


class Killed:
    """A target that does one thing while kview-jump dies, and says what came of it."""

    def __init__(self, target, begin, end):
        self.target, self.begin, self.end = target, begin, end
        self.expected = target.ask("calls 500")
        self.start()
        self.bad = []

    def start(self):
        if self.begin:
            self.target.begin(self.begin)
            if self.begin.startswith("inside"):
                self.target.answer()

    def die_at(self, step):
        died = is_killed(self.target.pid, step)
        changed = changed_code(self.target.pid, jumping.TARGET) > 0
        if self.end:
            rounds, wrong = map(int, self.target.ask(self.end).split())
            if not rounds or wrong:
                self.bad.append((step, "%d rounds, %d wrong" % (rounds, wrong)))
        if self.target.ask("calls 500") != self.expected:
            self.bad.append((step, "other results"))
        self.start()
        said = clean(self.target.pid) if died else ""
        if changed_code(self.target.pid, jumping.TARGET):
            self.bad.append((step, "code stays changed: " + said))
        return died, changed


def die_everywhere(name, begin, end, first, every):
    with Target() as target:
        killed = Killed(target, begin, end)
        steps, changed = 0, 0
        while True:
            died, has_jumps = killed.die_at(first + every * steps)
            if not died:
                break
            steps += 1
            changed += has_jumps
        check(steps > 40 / every and not killed.bad, "killed at each %d. step, while it %s" % (every, name),
              killed.bad or "%d steps" % steps)
        check(0 < changed < steps, "it died there, with and without jumps", "%d times with jumps" % changed)
        check(not anonymous_code(target.pid), "nothing stays mapped", anonymous_code(target.pid))
        if end:
            target.ask(end)
    check(target.status == 0, "it ends as always", target.status)


def main():
    if jumping.why_not():
        print("ok killed: skipped, as jumps can't be used here: %s" % jumping.why_not())
        return 0
    for number, doing in enumerate(WHILE):
        die_everywhere(*doing, *((0, 1) if LONG else (number, len(WHILE))))
    return bool(jumping.failed)


if __name__ == "__main__":
    sys.exit(main())
