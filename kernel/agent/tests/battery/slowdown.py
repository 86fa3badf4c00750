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
WINDOWS = 3
TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / TICK


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


def server(subject, functions, seconds):
    """CPU seconds for a request: in the first seconds, while probes come off, and in those that follow."""
    with Agent() as agent:
        if functions:
            agent.request("start_recording", timeout=300, pid=subject.pid, probes=probes_of(functions), budget_ppm=BUDGET_PPM)
        clients = servers.Clients(2, subject.ask)
        try:
            windows = []
            for _ in range(WINDOWS):
                asked, used = clients.asked, cpu_seconds(subject.pid)
                time.sleep(seconds)
                windows.append((cpu_seconds(subject.pid) - used) / max(1, clients.asked - asked))
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
    return windows, off


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
            without = statistics.mean(server(subject, [], arguments.seconds)[0])
            windows, (off, share) = server(subject, chosen, arguments.seconds)
            ratios.append([window / without for window in windows])
            shares.append(share)
            offs.append(off)
        print("# slowdown, %s: CPU time a request with probes of %d functions and a budget of 5 %%, of that without: %s; "
              "by the agent's count %.1f %% of all its CPU time; %d to %d functions came off" % (
                  kind.name, len(chosen), ", ".join("%.2f (%.2f to %.2f) from %.0f to %.0f s" % (
                      statistics.median(w), min(w), max(w), i * arguments.seconds, (i + 1) * arguments.seconds)
                      for i, w in enumerate(zip(*ratios))), 100 * statistics.median(shares), min(offs), max(offs)), flush=True)
    finally:
        subject.close()
        shutil.rmtree(folder, ignore_errors=True)
