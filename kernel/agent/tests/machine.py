# SPDX-License-Identifier: GPL-2.0
"""What the machine does beside a test, or is made to do."""
import contextlib
import os
import subprocess

from checks import PLAIN


def stolen_ns():
    """What the hypervisor has taken from all CPUs since boot, as the kernel tells it, which is in ticks."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) * 1000000000 // os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def neighbours(pid):
    """It has one CPU, and shares it with one that computes all the time."""
    cpu = {min(os.sched_getaffinity(0))}
    os.sched_setaffinity(pid, cpu)
    loop = subprocess.Popen([PLAIN, "compute"], preexec_fn=lambda: os.sched_setaffinity(0, cpu))
    try:
        yield
    finally:
        loop.kill()
        loop.wait()
