#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Context switches that a process's own events tell of: of all its threads, those that follow each other on a CPU as well, and of
nobody else. What its figures are, accuracy_test.py tests in both ways.
"""
import os
import subprocess
import sys
import time

from agent import Agent, AgentError, wait_until
from checks import run_tests, say

# Pairs of threads on one CPU hand a byte to and fro: those of one pair follow each other there all the time, and so the kernel
# leaves the events where they are, if it knows that they are alike. Threads are started by threads.
PAIRS = """
import os, sys, threading, time
rounds = int(sys.argv[1])
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
def side(source, sink, first, told):
    before = time.thread_time_ns()
    if first:
        os.write(sink, b"x")
    for _ in range(rounds):
        os.read(source, 1)
        os.write(sink, b"x")
    told.append(time.thread_time_ns() - before)
def pair(told):
    one, other = os.pipe(), os.pipe()
    threads = [threading.Thread(target=side, args=a) for a in ((one[0], other[1], True, told), (other[0], one[1], False, told))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
sys.stdin.readline()
told = []
makers = [threading.Thread(target=pair, args=(told,)) for _ in range(2)]
begin = time.monotonic_ns()
for maker in makers:
    maker.start()
for maker in makers:
    maker.join()
print(time.monotonic_ns() - begin, sum(told), flush=True)
sys.stdin.readline()
"""


def start(program, *arguments):
    return subprocess.Popen([sys.executable, "-c", program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def end(process):
    process.kill()
    process.communicate()


def threads_in_turn():
    """All four threads begin within the recording. What they are on the CPU in read() is a part of what their own clocks say."""
    rounds = 4000
    process = start(PAIRS, str(rounds))
    try:
        with Agent() as agent:
            functions = agent.find(process.pid, "libc.so.6", "read")[:1]
            reply = agent.record(process.pid, functions, budget_ppm=0, switches="SWITCHES_PROCESS")
            say("own context-switch events" in reply["filter_note"], "threads in turn: its own events tell of its switches",
                reply["filter_note"])
            process.stdin.write(b"\n")
            process.stdin.flush()
            wall, cpu = map(int, process.stdout.readline().split())
            agent.stop()
            f, losses = agent.figures(functions)["read"], agent.losses()
        say(f.calls >= 4 * rounds, "threads in turn: all calls", f.calls)
        say(losses["healed_switches"] <= 8, "threads in turn: no switch went unseen", losses["healed_switches"])
        say(f.total("WALL") == f.total("ON_CPU") + sum(f.off_cpu().values()), "threads in turn: times add up")
        say(f.total("ON_CPU") <= 1.05 * cpu, "threads in turn: not longer on the CPU than by their own clocks",
            "%d us of %d us" % (f.total("ON_CPU") // 1000, cpu // 1000))
        # Two pairs in turn: of each thread's time, three quarters at least belong to the other ones.
        say(f.total("ON_CPU") + sum(f.off_cpu().values()) >= 0.3 * 4 * wall, "threads in turn: and the rest of the time off it",
            "%d us of %d us" % (f.total("WALL") // 1000, 4 * wall // 1000))
    finally:
        end(process)


def note_of(pid, **options):
    with Agent() as agent:
        reply = agent.record(pid, agent.find(pid, "libc.so.6", "read")[:1], **options)
        agent.stop()
    return reply["filter_note"]


def chosen():
    process = start("import sys; sys.stdin.readline()")
    try:
        wait_until(lambda: b"libc.so" in open("/proc/%d/maps" % process.pid, "rb").read())
        note = note_of(process.pid, switches="SWITCHES_HOST")
        say("own context-switch events" not in note and "0.2 µs" in note, "all switches of the host, where it is asked for", note)
        try:
            note_of(process.pid, switches="SWITCHES_PROCESS", events=True)
            say(False, "refused together with events")
        except AgentError as error:
            say("events tell of them" in str(error), "refused together with events", error)
    finally:
        end(process)


def opened(pid):
    """Events of the kernel that a process holds."""
    folder = "/proc/%d/fd" % pid
    return sum(os.readlink(os.path.join(folder, fd)) == "anon_inode:[perf_event]" for fd in os.listdir(folder))


def threads_that_are_there():
    """An event for each that there is, as long as the recording takes."""
    process = start("""
import sys, threading
for _ in range(20):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print(1, flush=True)
sys.stdin.readline()
""")
    try:
        process.stdout.readline()
        with Agent() as agent:
            functions = agent.find(process.pid, "libc.so.6", "read")[:1]
            before = opened(agent.process.pid)
            agent.record(process.pid, functions, switches="SWITCHES_PROCESS")
            links = opened(agent.process.pid) - before
            agent.stop()
            say(links == 21, "threads that are there: an event for each", links)
            say(opened(agent.process.pid) == before, "threads that are there: none is left")
    finally:
        end(process)


run_tests(threads_in_turn, chosen, threads_that_are_there)
