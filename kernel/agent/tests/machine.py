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


def schedule_all(pids, policy, priority):
    """Who has ended meanwhile keeps none of the others from it."""
    for pid in pids:
        threads = []
        with contextlib.suppress(OSError):
            threads = threads_of(pid)
        for thread in threads:
            with contextlib.suppress(OSError):
                os.sched_setscheduler(thread, policy, os.sched_param(priority))


@contextlib.contextmanager
def ahead_of_all(*pids):
    """Their threads get a CPU at once, whoever else wants one, where that may be set; what they start does not."""
    schedule_all(pids, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, 1)
    try:
        yield
    finally:
        schedule_all(pids, os.SCHED_OTHER, 0)


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
