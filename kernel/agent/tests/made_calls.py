# SPDX-License-Identifier: GPL-2.0
"""A program that counts the calls that it makes, and what a linked client got of them."""
import os
import subprocess
import tempfile

from checks import *
from traces import read_trace, write_trace

CALLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../workloads/build/kview-calls")


class Calls:
    """Calls a function at a rate, from when it is told to; says how often."""

    def __init__(self, rate=20000, seconds=2.0, calls=0):
        command = [CALLS, "--wait", "--rate", str(rate), "--seconds", str(seconds)]
        self.process = subprocess.Popen(command + (["--calls", str(calls)] if calls else []),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.process.stderr.readline()

    def go(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def made(self):
        out, _ = self.process.communicate(timeout=60)
        return int(out.split(b'"calls":')[1].split(b",")[0].split(b"}")[0])


def recorded(client, calls, **options):
    functions = client.find(calls.process.pid, "", "counted_call")
    client.record(calls.process.pid, functions, **options)
    return functions


def start(client, calls, **options):
    functions = recorded(client, calls, **options)
    calls.go()
    return functions


def counts_equal(name, client, functions, made):
    client.wait("recording_ended")
    figures = invariants(name, client, functions)["counted_call"]
    equal(name + ": calls", (figures.calls, figures.count("WALL")), (made, made))


def entries_in_trace(client, complaints_too=True):
    with tempfile.TemporaryDirectory() as folder:
        write_trace(client, client.started, folder)
        names, complaints, _ = read_trace(folder)
        if complaints_too:
            equal("babeltrace2 has no complaint", complaints, [])
        return names["call_entry"], names["call_exit"]
