# SPDX-License-Identifier: GPL-2.0
"""Events: the trace that comes out, and that none is lost untold."""
import os
import re
import signal
import tempfile
import time

from agent import status_of, wait_until
from checks import *
from linked import LinkedAgent
from machine import ahead_of_all, stolen_ns
from traces import check_packets, read_trace, write_trace

CALLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../workloads/build/kview-calls")
CROWD = os.path.join(os.path.dirname(PLAIN), "crowd")


def all_kinds():
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        functions, reply = agent.run([PLAIN, "sleep", "50"], ["f_sleep", "f_empty"], events=True)
        figures = invariants("with events", agent, functions)
        equal("no drops", check_packets(agent), agent.losses()["events_dropped"])
        write_trace(agent, reply, folder)
        names, complaints, text = read_trace(folder)
        equal("babeltrace2 has no complaint", complaints, [])
        equal("packets say how many events they hold",
              sum(packet["events"] for packet in agent.all("event_packet")), sum(names.values()))
        equal("an entry and an exit for each call", (names["call_entry"], names["call_exit"]),
              (figures["f_sleep"].calls,) * 2)
        # What the kernel did not report on a busy host is healed, and counted.  The kernel says how often the thread gave up
        # its CPU: a call whose time was over before did not sleep.
        causes = re.findall(r'kview:switch_out: .*"(\w+)"', text)
        healed, slept, truly = agent.losses()["healed_switches"], causes.count("sleep"), truth_of(agent.output())["f_sleep.left"]
        left = len(causes) - causes.count("preempted") - causes.count("throttled")
        say(len(causes) == names["switch_out"] and slept <= truly <= left + healed and truly > 0 and
            abs(names["switch_in"] - names["switch_out"]) <= 1 + healed and
            names["wakeup"] >= slept - 2 * healed and names["thread_exit"] == 1,
            "scheduling events", "%s, %d asleep, %d of %d by itself, %d healed" % (dict(names), slept, left, truly, healed))
        named = re.findall(r"kview:thread: .*", text)
        say(len(named) == 1 and '"plain"' in named[0],
            "the thread is named once", named)
        exits = re.findall(r"call_exit:.*", text)
        say("SLEEP" in text.upper() and "f_sleep" in text, "names of functions and causes",
            exits[0][:160] if exits else "")


def renamed():
    """A name that a thread got after its first event stands at the end."""
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=[PLAIN, "renamed"])["pid"]
        functions = agent.find(pid, "", "f_empty")
        reply = agent.record(pid, functions, events=True)
        agent.request("resume", pid=pid)
        agent.wait("event_packet")
        os.kill(pid, signal.SIGUSR1)
        wait_until(lambda: open("/proc/%d/comm" % pid).read() == "other-name\n")
        agent.stop()
        check_packets(agent)
        write_trace(agent, reply, folder)
        _, complaints, text = read_trace(folder)
        equal("babeltrace2 has no complaint of names", complaints, [])
        names = re.findall(r'kview:thread: .*\{ (\d+), (\d+), \d+, "(.*)" \}', text)
        equal("both names of a thread", names, [(str(pid), str(pid), "plain"), (str(pid), str(pid), "other-name")])


def provenance():
    with Agent() as agent:
        equal("the machine is named", (bool(agent.hello["cpu_model"]) or os.uname().machine != "x86_64",
                                       agent.hello["boot_id"]),
              (True, open("/proc/sys/kernel/random/boot_id").read().strip()))
        pid = agent.request("launch", arguments=[PLAIN, "sleep", "5"])["pid"]
        functions = agent.find(pid, "", "f_sleep")
        reply = agent.record(pid, functions)
        found = [line.split(":")[-1].strip() for line in
                 os.popen("readelf -n %s" % PLAIN) if "Build ID" in line]
        equal("the binary and its build-id", [(b["path"], b["build_id"]) for b in reply["binaries"]],
              [(functions[0]["binary"], found[0] if found else "")])
        equal("the process", (reply["process"]["pid"], reply["process"]["executable"],
                              reply["process"]["start_time_ns"] > 0), (pid, os.path.realpath(PLAIN), True))
        agent.request("end_program", pid=pid, force=True)
        agent.wait("recording_ended")


def waited_seconds(pid):
    """How long its threads had to wait for a CPU so far, by the scheduler's own account."""
    waited_ns = 0
    for thread in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/schedstat" % (pid, thread)) as file:
            waited_ns += int(file.read().split()[1])
    return waited_ns / 1e9


def lost_seconds(*pids):
    return sum(map(waited_seconds, pids)) + stolen_ns() / 1e9


def record_calls(what, program, name):
    """
    Events of a program's calls of one function: figures, events by kind, drops, calls/s, and how long the agent and its
    reader waited for a CPU, or may have lost one to the hypervisor.
    """
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=program)["pid"]
        functions = agent.find(pid, "", name)
        reply = agent.record(pid, functions, events=True)
        begin, before = time.monotonic(), lost_seconds(agent.pid, os.getpid())
        with ahead_of_all(agent.pid, os.getpid()):
            agent.request("resume", pid=pid)
            agent.wait("process_exited")
        seconds = time.monotonic() - begin
        waited = lost_seconds(agent.pid, os.getpid()) - before
        calls = invariants(what, agent, functions)[name].calls
        check_packets(agent)
        write_trace(agent, reply, folder)
        names, complaints, _ = read_trace(folder)
        dropped = agent.losses()["events_dropped"]
        if not dropped:
            equal(what + ": babeltrace2 has no complaint", complaints, [])
        ended = agent.wait("recording_ended")
        say(ended["agent_peak_rss_bytes"] < 20 << 20, what + ": resident set",
            "%.1f MB" % (ended["agent_peak_rss_bytes"] / 1e6))
        return calls, names, dropped, calls / seconds, waited


def rate():
    """Where the agent and its reader had no CPU for longer than the ring has room for, drops are the machine's: then it is tried again."""
    for _ in range(10):
        calls, names, dropped, _, waited = record_calls("100 000 calls a second", [CALLS, "--seconds", "2"], "counted_call")
        equal("so many calls", calls, 200000)
        missing = 2 * calls - names["call_entry"] - names["call_exit"]
        say(missing <= dropped, "every call is in the trace, or told", missing)
        text = "%d dropped; it and its reader had no CPU for %.3f s" % (dropped, waited)
        if waited < 0.25 or not dropped:
            break
        print("# whether the agent keeps up with that rate is not judged: " + text, flush=True)
    say(not dropped, "nothing is dropped at that rate while the agent has a CPU", text)

    # How fast this can be without a drop is the machine's affair; that it is told is not.
    calls, names, dropped, rate, _ = record_calls("as fast as can be", [PLAIN, "threads", "2", "400000"],
                                               "f_empty")
    missing = 2 * calls - names["call_entry"] - names["call_exit"]
    say(calls == 800000 and missing <= dropped, "what is missing at any rate was told",
        "%d missing, %d dropped of %d, %.0f calls/s" % (missing, dropped, 2 * calls, rate))


def crowd():
    """Very many threads want a CPU, and neither the agent's reader nor its client is preferred by anybody: nothing is lost."""
    with LinkedAgent() as agent, tempfile.TemporaryDirectory() as folder:
        precedence = next(c for c in agent.hello["capabilities"] if c["name"] == "precedence")
        pid = agent.request("launch", arguments=[CROWD, "500", "250000", "2"])["pid"]
        functions = agent.find(pid, "", "f_crowd")
        reply = agent.record(pid, functions, events=True)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        equal("calls of a crowd", invariants("a crowd", agent, functions)["f_crowd"].calls, 500000)
        dropped = agent.losses()["events_dropped"]
        equal("packets and losses agree on drops of a crowd", check_packets(agent), dropped)
        write_trace(agent, reply, folder)
        names, complaints, _ = read_trace(folder)
        missing = 1000000 - names["call_entry"] - names["call_exit"]
        if precedence["available"]:
            equal("nothing is dropped, and all is in the trace", (dropped, missing, complaints), (0, 0, []))
        else:
            say(missing <= dropped, "what is missing of a crowd was told", precedence["detail"])


def stalled_reader():
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=[PLAIN, "threads", "2", "200000"])["pid"]
        functions = agent.find(pid, "", "f_empty")
        reply = agent.record(pid, functions, events=True)
        agent.request("resume", pid=pid)
        agent.may_read.clear()
        # It makes its calls whoever reads.
        wait_until(lambda: status_of(pid) in (None, "Z"), 300)
        agent.may_read.set()
        agent.wait("process_exited")
        figures = invariants("stalled reader", agent, functions)
        told = check_packets(agent)
        dropped = agent.losses()["events_dropped"]
        equal("packets and losses agree on drops", told, dropped)
        write_trace(agent, reply, folder)
        names, complaints, _ = read_trace(folder)
        equal("babeltrace2 has no other complaint", complaints, [])
        say(dropped > 0, "the stall made drops", dropped)
        calls = figures["f_empty"].calls
        # Scheduling events are of unknown number: entries and exits bound what may be missing.
        missing = 2 * calls - names["call_entry"] - names["call_exit"]
        say(missing <= dropped <= missing + 100000, "calls that are missing were told",
            "%d missing, %d dropped of all kinds" % (missing, dropped))
        equal("the histogram has every call", calls, 400000)
        say(agent.wait("recording_ended")["agent_peak_rss_bytes"] < 20 << 20, "resident set of a stall",
            "%.1f MB" % (agent.wait("recording_ended")["agent_peak_rss_bytes"] / 1e6))


run_tests(all_kinds, renamed, provenance, rate, crowd, stalled_reader)
