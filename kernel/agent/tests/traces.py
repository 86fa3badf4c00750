# SPDX-License-Identifier: GPL-2.0
"""Traces that a client received."""
import collections
import os
import re
import struct
import subprocess

from checks import say

HEADER = struct.Struct("<I16sIQQQQQQI")


def write_trace(agent, reply, folder):
    with open(os.path.join(folder, "metadata"), "w") as file:
        file.write(reply["ctf_metadata"])
    for packet in agent.all("event_packet"):
        with open(os.path.join(folder, "cpu_%d" % packet["cpu"]), "ab") as file:
            file.write(packet["packet"])


def read_trace(folder):
    """By babeltrace2: number of events by name, and what it complained of."""
    run = subprocess.run(["babeltrace2", "--names=none", folder], capture_output=True, text=True)
    names = collections.Counter(re.findall(r"kview:(\w+):", run.stdout))
    discarded = [line for line in run.stderr.splitlines() if "discarded" in line]
    complaints = [line for line in run.stderr.splitlines() if line and line not in discarded]
    if run.returncode:
        complaints.append("status %d" % run.returncode)
    return names, complaints, run.stdout


def check_packets(agent):
    """Times never decrease within a stream; returns the drops that the packets tell."""
    last, sequence, discarded = {}, {}, {}
    good = True
    for packet in agent.all("event_packet"):
        magic, _, stream, begin, end, content, size, number, drops, cpu = \
            HEADER.unpack_from(packet["packet"])
        good &= magic == 0xC1FC1FC1 and stream == 0 and cpu == packet["cpu"]
        good &= content == size == 8 * len(packet["packet"])
        good &= begin <= end and last.get(cpu, 0) <= begin
        good &= number == sequence.get(cpu, 0) and drops >= discarded.get(cpu, 0)
        last[cpu], sequence[cpu], discarded[cpu] = end, number + 1, drops
    say(good, "packets are in order", "%d packets" % len(agent.all("event_packet")))
    return sum(discarded.values())
