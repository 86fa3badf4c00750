# SPDX-License-Identifier: GPL-2.0
"""What waits for a client that takes it late, or not at all: on the disk, or dropped and counted."""
import os
import resource
import time

from checks import *
from linked import LinkedAgent
from made_calls import Calls, counts_equal, entries_in_trace, start
from traces import HEADER, check_packets


def without_disk():
    """For an agent that can write no file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def sizes_of_waiting(pid):
    """Of its files without a name.  The agent opens and closes others meanwhile."""
    for fd in os.listdir("/proc/%d/fd" % pid):
        path = "/proc/%d/fd/%s" % (pid, fd)
        try:
            if "tmp/#" in os.readlink(path):
                yield os.stat(path).st_size
        except FileNotFoundError:
            pass


def events_wait():
    """Far more events than the window, while nobody is there: they wait on the disk, and none is lost."""
    calls = Calls(rate=0, seconds=600, calls=400000)
    one = LinkedAgent(window=1 << 20)
    functions = start(one, calls, events=True, interval_ms=50)
    one.wait("event_packet")
    one.cut()
    calls_made = calls.made()
    peak = int([l for l in open("/proc/%d/status" % one.pid) if l.startswith("VmHWM")][0].split()[1])
    waiting = list(sizes_of_waiting(one.pid))
    two = LinkedAgent(predecessor=one)
    counts_equal("events waited", two, functions, calls_made)
    equal("one file has them", (len(waiting), waiting[:1] > [10 << 20]), (1, True))
    equal("none was dropped", two.losses()["events_dropped"], 0)
    equal("entries and exits of all calls", sum(entries_in_trace(two)), 2 * calls_made)
    equal("packets tell of no drops", check_packets(two), 0)
    say(peak < 32 << 10, "the agent's memory while they waited", "%d KiB" % peak)
    two.notice("goodbye")
    two.close()
    one.close()


def events_give_way():
    """Likewise without a disk: counted, and placed in the gap."""
    calls = Calls(rate=0, seconds=600, calls=400000)
    one = LinkedAgent(window=1 << 20, preexec=without_disk)
    functions = start(one, calls, events=True, interval_ms=50)
    one.wait("event_packet")
    one.cut()
    cut_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    calls_made = calls.made()
    peak = int([l for l in open("/proc/%d/status" % one.pid) if l.startswith("VmHWM")][0].split()[1])
    back_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    two = LinkedAgent(predecessor=one)
    counts_equal("events gave way", two, functions, calls_made)
    dropped = two.losses()["events_dropped"]
    say(dropped > 0, "more was dropped than any buffer holds", dropped)
    missing = 2 * calls_made - sum(entries_in_trace(two, complaints_too=False))
    say(0 <= missing <= dropped, "each was counted", "%d missing, %d dropped" % (missing, dropped))
    told = check_packets(two)
    equal("packets and losses agree on drops", told, dropped)
    early, during = drops_between(two, 0, cut_ns), drops_between(two, cut_ns, back_ns)
    say(during == dropped - early and during > 0, "drops are placed where they were",
        "%d before, %d during, %d after the gap" % (early, during, dropped - early - during))
    say(peak < 32 << 10, "the agent's memory meanwhile", "%d KiB" % peak)
    two.notice("goodbye")
    two.close()
    one.close()


def drops_between(client, from_ns, until_ns):
    """Drops that stand between two packets of which the first ended in that time."""
    ends, told, sum_of = {}, {}, 0
    for packet in client.all("event_packet"):
        _, _, _, _, end, _, _, _, drops, cpu = HEADER.unpack_from(packet["packet"])
        if from_ns <= ends.get(cpu, 0) < until_ns:
            sum_of += drops - told.get(cpu, 0)
        ends[cpu], told[cpu] = end, drops
    return sum_of


def figures_go_first():
    """A client that consumes no event still gets its figures, and no event beyond the window."""
    calls = Calls(rate=0, seconds=600, calls=400000)
    window = 1 << 20
    with LinkedAgent(window=window, acknowledging=False, preexec=without_disk) as client:
        functions = start(client, calls, events=True, interval_ms=50)
        while not any(delta["last"] for delta in client.all("histogram_delta")):
            time.sleep(0.05)
            client.notice("acknowledge", sequence=client.sequence)
        most = sum(len(p["packet"]) for p in client.all("event_packet"))
        made = calls.made()
        equal("the end waits for events", client.all("recording_ended"), [])
        client.acknowledging = True
        client.acknowledge()
        client.wait("recording_ended")
        counts_equal("events not consumed", client, functions, made)
        say(0 < most <= window + 3 * (64 << 10), "events stop at the window", most)
        say(client.losses()["events_dropped"], "and are dropped then")
        # That the process has ended comes behind that, and may not be acknowledged yet.
        client.notice("goodbye")


def output_is_bounded():
    with LinkedAgent(acknowledging=False) as client:
        lines = 200000
        pid = client.request("launch", arguments=[PLAIN, "output", str(lines)])["pid"]
        client.request("resume", pid=pid)
        time.sleep(1)
        say(client.outputs <= 2 << 20, "output that nobody consumes waits", client.outputs)
        client.request("list_processes")
        client.acknowledging = True
        client.acknowledge()
        client.wait("process_exited")
        equal("and none is lost", client.output().count(b"\n"), lines)


run_tests(events_wait, events_give_way, figures_go_first, output_is_bounded)
