# SPDX-License-Identifier: GPL-2.0
"""
Hostile clients against the agent, which is the one with root's rights: mutated requests, see
requests/mutated.py, to an agent that is built to find mistakes of memory and arithmetic
(make sanitized), for root and for a user behind sudo in turn.

usage: requests_test.py BUILD [--requests 3200] [--seed 1] [--jobs 1]     4800 with KVIEW_AGENT_SAMPLES=all; a million: make requests-long

A client's agent mostly waits, for the kernel to let go of probes and for the search for leaks at its end: so with
several jobs as many clients are served at once, each by an agent of its own.  Ctrl-C ends it behind the clients
under way, with what was found until then.
"""
import argparse
import concurrent.futures
import hashlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "requests"))

from agent import BINARY, SCHEMA, Agent, wait_until
from checks import *
from mutated import Client

REQUESTS_A_CLIENT = 400
LOCK = threading.Lock()
NOBODY = 65534
SANITIZED = os.path.join(BUILD, "sanitized/kview-agent.debug")
# 86 is no status of the agent's.  Its own children are ended with it.
OPTIONS = dict(ASAN_OPTIONS="exitcode=86:detect_leaks=1:allocator_may_return_null=1:max_allocation_size_mb=2048",
               UBSAN_OPTIONS="print_stacktrace=1:exitcode=86")


class Victim:
    """The only process that is measured; of the user behind sudo, so that both may."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "victim")
        shutil.copy(PLAIN, self.path)
        os.chmod(folder, 0o755)
        self.process = subprocess.Popen([self.path, "ticks"], stdout=subprocess.DEVNULL, user=NOBODY, group=NOBODY,
                                        extra_groups=[])
        self.pid = self.process.pid
        wait_until(lambda: os.readlink("/proc/%d/exe" % self.pid) == self.path)
        with Agent(command=(BINARY,)) as agent:
            self.offset = agent.find(self.pid, "", "f_empty")[0]["file_offset"]


def answers(out):
    """
    How often each request was answered, how many recordings of system calls each one started, whether the
    last frame is whole: an agent whose client does not read for two seconds ends without; and how many surveys
    told something.  What is no frame of this schema raises.
    """
    found, started, surveys, at = {}, {}, 0, 0
    while at < len(out):
        length = int.from_bytes(out[at:at + 4], "little")
        message = out[at + 4:at + 4 + length]
        if not 0 < length <= 16 << 20:
            raise ValueError("a frame of %d bytes" % length)
        if len(message) != length:
            return found, started, False, surveys
        decoded = SCHEMA.decode("FromAgent", message)
        if "error" in decoded and not decoded["error"]["message"]:
            raise ValueError("an error without a message: %s" % decoded["error"])
        request = decoded["request_id"]
        if "system calls" in decoded.get("start_recording", {}).get("filter_note", ""):
            started[request] = started.get(request, 0) + 1
        surveys += "survey" in decoded
        if request:
            found[request] = found.get(request, 0) + 1
        at += 4 + length
    return found, started, True, surveys


def may_measure_system_calls(restricted):
    """An administrator may have allowed it to the user behind sudo."""
    try:
        with open("/etc/kview/agent.conf") as policy:
            return not restricted or "user nobody system-calls" in policy.read().splitlines()
    except FileNotFoundError:
        return not restricted


def serve(agent, client, restricted):
    """What is wrong with how a client was served (None: nothing), how many recordings of system calls it started, and surveys."""
    env = dict(os.environ, **OPTIONS)
    if restricted:
        env.update(SUDO_UID=str(NOBODY), SUDO_GID=str(NOBODY))
    process = subprocess.Popen([agent], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                               start_new_session=True)
    try:
        out, errors = process.communicate(b"".join(client.frames), timeout=600)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return "it hangs", 0, 0
    errors = errors.decode(errors="replace")
    if process.returncode not in (0, 1) or "Sanitizer" in errors or "runtime error" in errors:
        return "status %d: %s" % (process.returncode, errors[-6000:]), 0, 0
    if "Calibration failed" in errors:
        return errors[-6000:], 0, 0
    try:
        found, started, whole, surveys = answers(out)
    except Exception as error:  # whatever makes it no answer
        return "its output: %r" % error, 0, 0
    if client.plain and whole and process.returncode == 0 and found != client.expected:
        wrong = {i: (found.get(i, 0), n) for i, n in client.expected.items() if found.get(i, 0) != n}
        return "answers, and how many were due, by request: %s" % dict(list(wrong.items())[:5]), 0, 0
    if not may_measure_system_calls(restricted):
        return "system calls are measured for a user who may not: %s" % started if started else None, 0, surveys
    if client.plain and whole and process.returncode == 0:
        wrong = {i: (started.get(i, 0), n) for i, n in client.proper.items() if started.get(i, 0) < n}
        if wrong:
            return "recordings of system calls, and how many were due, by request: %s" % wrong, 0, 0
    return None, sum(started.values()), surveys


class Run:
    """The requests of one seed after the other, until enough were sent or something is wrong; by several threads."""

    def __init__(self, options, agent, victim):
        self.options, self.agent, self.victim = options, agent, victim
        self.seeds, self.sent, self.clients, self.bad, self.ended = itertools.count(options.seed), 0, 0, [], False
        self.asked = self.started = 0  # recordings of system calls, for those who may
        self.surveys = 0

    def is_over(self):
        return self.ended or self.sent >= self.options.requests or len(self.bad) >= 5

    def work(self):
        while not self.is_over():
            self.serve_one(next(self.seeds))

    def serve_one(self, seed):
        client = Client(SCHEMA, seed, self.victim).make(REQUESTS_A_CLIENT)
        restricted = seed % 2
        wrong, started, surveys = serve(self.agent, client, restricted)
        if wrong:
            self.bad.append(seed)
            kept = os.path.join(tempfile.gettempdir(), "kview-requests-%d.bin" % seed)
            with open(kept, "wb") as file:
                file.write(b"".join(client.frames))
            say(False, "the client of seed %d, kept as %s" % (seed, kept), wrong)
        asked = client.system_calls if may_measure_system_calls(restricted) else 0
        with LOCK:
            self.sent, self.clients = self.sent + len(client.frames), self.clients + 1
            self.asked, self.started = self.asked + asked, self.started + started
            self.surveys += surveys
            if self.options.requests > 100000 and self.clients % 100 == 0:
                print("# %d requests of %d clients" % (self.sent, self.clients), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--requests", type=int, default=4800 if "KVIEW_AGENT_SAMPLES" in os.environ else 3200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    agent = SANITIZED if os.path.exists(SANITIZED) else BINARY
    folder = tempfile.mkdtemp(prefix="kview-requests.")
    # Rights through sudo are refused in folders that others could change.
    agent = shutil.copy(agent, os.path.join(folder, "kview-agent"))
    with open(agent, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:16]
    victim = Victim(folder)
    run = Run(options, agent, victim)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: setattr(run, "ended", True))
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as jobs:
            for job in [jobs.submit(run.work) for _ in range(options.jobs)]:
                job.result()
    finally:
        victim.process.kill()
        victim.process.wait()
        shutil.rmtree(folder)
    say(not run.bad, "mutated requests", "%d of %d clients, to %s (%s)" % (
        run.sent, run.clients, "sanitizers" if os.path.exists(SANITIZED) else "no sanitizers", digest))
    say(run.started or run.clients < 8, "recordings of system calls begin", "%d of %d" % (run.started, run.asked))
    say(run.surveys or run.clients < 15, "surveys tell something", run.surveys)


main()
