# SPDX-License-Identifier: GPL-2.0
"""The agent's processes that see what a recording costs others."""
from agent import wait_until
from children_of import children_of


def bystanders(pid):
    found = []
    for child in children_of(pid):
        with open("/proc/%d/comm" % child) as comm:
            if comm.read() == "kview-bystander\n":
                found.append(child)
    return found


def cpu_ns(pid):
    with open("/proc/%d/schedstat" % pid) as stat:
        return int(stat.read().split()[0])


def goes_on(pid, rounds_ns=3_000_000):
    """Waits until it has done some rounds during the recording."""
    begin_ns = cpu_ns(pid)
    return wait_until(lambda: cpu_ns(pid) > begin_ns + rounds_ns, 20)
