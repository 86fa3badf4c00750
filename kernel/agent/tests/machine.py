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


def threads_of(pid):
    return [int(thread) for thread in os.listdir("/proc/%d/task" % pid)]


@contextlib.contextmanager
def ahead_of_all(*pids):
    """Their threads get a CPU at once, whoever else wants one, where that may be set; what they start does not."""
    with contextlib.suppress(OSError):
        for thread in sum(map(threads_of, pids), []):
            os.sched_setscheduler(thread, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            for thread in sum(map(threads_of, pids), []):
                os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))


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
