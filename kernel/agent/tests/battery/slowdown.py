# SPDX-License-Identifier: GPL-2.0
"""
What of its speed a server loses by probes that have a budget: CPU time for each request that its
clients got answered, with and without probes in turn, so that what else the machine does is in both.
Batch programs are over before a budget acts.
"""
import os
import shutil
import statistics
import tempfile
import time

import servers
import subjects
from agent import Agent, AgentError

BUDGET_PPM = 50000
# Of --seconds; probes come off in the first ones.
EDGES = (0, 0.1, 0.2, 0.4, 1, 2)


def cpu_seconds(pid):
    return time.clock_gettime(~pid << 3 | 2)  # CLOCK_PROCESS_CPUTIME_ID of another process


def probes_of(functions):
    return [dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"])
            for i, f in enumerate(functions)]


def came_off(agent):
    """How many functions' probes, and what all probes cost by the agent's own count, of the process's CPU time."""
    off, share = set(), 0
    for delta in agent.all("histogram_delta"):
        off |= {f["function_id"] for f in delta["functions"] if f["probes_off"]}
        if delta["process_cpu_ns"]:
            share = delta["probes_cost_ns"] / delta["process_cpu_ns"]
    return len(off), share


class Edge:
    """What was used and answered until now."""

    def __init__(self, subject, clients):
        self.time, self.asked, self.used = time.time(), clients.asked, cpu_seconds(subject.pid)


def for_each(subject, begin, end):
    """CPU seconds for each request that was answered between the two."""
    answered = subject.answered(begin.time, end.time)
    return (end.used - begin.used) / max(1, end.asked - begin.asked if answered is None else answered)


def server(subject, functions, seconds):
    """CPU seconds for a request: in the first moments, while probes come off, and in those that follow."""
    with Agent() as agent:
        if functions:
            agent.request("start_recording", timeout=300, pid=subject.pid, probes=probes_of(functions), budget_ppm=BUDGET_PPM)
        began = time.monotonic()
        clients = servers.Clients(2, subject.ask)
        try:
            edges = []
            for edge in EDGES:
                time.sleep(max(0, began + edge * seconds - time.monotonic()))
                edges.append(Edge(subject, clients))
        finally:
            problems = clients.end()
        off = (0, 0)
        if functions:
            try:
                agent.request("stop_recording", timeout=60)
            except AgentError as error:
                if error.code != "BAD_REQUEST":
                    raise
            agent.wait("recording_ended", 60)
            off = came_off(agent)
        if problems:
            raise RuntimeError("; ".join(problems))
    return [for_each(subject, begin, end) for begin, end in zip(edges, edges[1:])] + [for_each(subject, edges[0], edges[-1])], off


def measure(kind, arguments, find_all, sample):
    if not kind.server:
        return
    folder = tempfile.mkdtemp(prefix="kview-slowdown-")
    os.chmod(folder, 0o755)
    subject = kind.__new__(kind)
    try:
        try:
            subject.__init__(folder)
        except subjects.Missing as missing:
            print("skipped slowdown, %s: %s is not here" % (kind.name, missing), flush=True)
            return
        chosen = sample(find_all(subject.binaries)[0], kind.hot, min(arguments.functions, subject.at_once), arguments.seed)
        server(subject, [], arguments.seconds)
        ratios, shares, offs = [], [], []
        for _ in range(arguments.rounds):
            without = server(subject, [], arguments.seconds)[0][-1]
            windows, (off, share) = server(subject, chosen, arguments.seconds)
            ratios.append([window / without for window in windows])
            shares.append(share)
            offs.append(off)
        print("# slowdown, %s: CPU time a request with probes of %d functions and a budget of 5 %%, of that without: %s; "
              "by the agent's count %.1f %% of all its CPU time; %d to %d functions came off" % (
                  kind.name, len(chosen), ", ".join("%.2f (%.2f to %.2f) from %g to %g s" % (
                      statistics.median(w), min(w), max(w), begin * arguments.seconds, end * arguments.seconds)
                      for w, begin, end in zip(zip(*ratios), EDGES[:-1], EDGES[1:])), 100 * statistics.median(shares), min(offs), max(offs)), flush=True)
    finally:
        subject.close()
        shutil.rmtree(folder, ignore_errors=True)
