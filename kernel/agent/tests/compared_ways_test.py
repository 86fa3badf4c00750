# SPDX-License-Identifier: GPL-2.0
"""What ways of measuring cost, side by side: two processes of the agent's own, of which one is recorded."""
import resource
import subprocess
import threading

from agent import of_nobody, wait_until
from checks import *
from children_of import children_of

READ, SWITCH = "read() of /dev/zero", "context switch, with a write and a read of pipes"
PHASES = "before_ns", "during_ns", "after_ns"
BATCHES = 6


def measured(agent, way):
    return agent.request("measure_way", way="WAY_" + way)


def median(values):
    return sorted(values)[len(values) // 2]


def more_ns(agent, way, whose, times=3):
    """How much longer the call takes each, by the median of all rounds of some trials."""
    rounds = [r for trial in range(times) for r in measured(agent, way)[whose] if r["name"] == READ]
    during = [ns / r["operations"] for r in rounds for ns in r["during_ns"]]
    around = [ns / r["operations"] for r in rounds for ns in r["before_ns"] + r["after_ns"]]
    return median(during) - median(around)


def rounds_are_whole(name, reply):
    for whose in "traced", "others":
        equal("%s: the call and a switch are tried of %s" % (name, whose), [r["name"] for r in reply[whose]], [READ, SWITCH])
        say(all(len(r[phase]) >= 3 and all(r[phase]) and r["operations"] for r in reply[whose] for phase in PHASES),
            "%s: in each phase there are rounds of %s" % (name, whose), [{p: len(r[p]) for p in PHASES} for r in reply[whose]])


def sees_calls():
    """Each way that can be had sees the calls of the one that is recorded; who has no calls seen would cost nothing."""
    with Agent() as agent:
        for way in "CALL_VIEW", "CALL_IN", "CALL_POST", "FUNCTION_VIEW", "FUNCTION_MULTI", "FUNCTION_SINGLE":
            reply = measured(agent, way)
            if reply["missing"]:
                say(reply["missing"].endswith(".") and not reply["traced"], "%s can't be had here, and why is a sentence" % way,
                    reply["missing"])
                if "VIEW" in way:
                    say("kview module" in reply["missing"], way + ": a view takes the module, which is said", reply["missing"])
                    say("--filter" not in reply["missing"], way + ": nobody is advised how to record", reply["missing"])
                else:
                    say("FUNCTION" in way, way + ": each kernel lets system calls be seen")
                continue
            rounds_are_whole(way, reply)
            made = BATCHES * len(reply["traced"][0]["during_ns"]) * reply["traced"][0]["operations"]
            equal(way + ": the calls of the rounds are counted", reply["calls_made"], made)
            say(reply["calls_seen"] >= made or reply["not_told"], way + ": and seen", (reply["calls_seen"], made))
            equal(way + ": others pass it, or do not", bool(reply["attached_ns"]), "VIEW" not in way)
            equal("nothing of it goes on", children_of(agent.pid), [])


def filters_afterwards():
    """Without a filter in the kernel others are told of as well, and pay for it."""
    with Agent() as agent:
        reply = measured(agent, "CALL_POST")
        others = sum(BATCHES * len(r["during_ns"]) * r["operations"] for r in reply["others"] if r["name"] == READ)
        say(reply["told"] + reply["not_told"] >= 2 * (reply["calls_made"] + others), "calls of both are told, at both ends",
            (reply["told"], reply["not_told"], reply["calls_made"], others))
        costs = {(way, whose): more_ns(agent, way, whose) for way in ("CALL_IN", "CALL_POST") for whose in ("traced", "others")}
        say(all(ns > 0 for ns in costs.values()), "each way costs something", costs)
        say(costs["CALL_IN", "traced"] > costs["CALL_IN", "others"], "who is recorded pays more than who is filtered out", costs)


def refusals():
    with Agent() as agent:
        for way in 0, 7, 99:
            refused("no way has the number %d" % way, "BAD_REQUEST", lambda: agent.request("measure_way", way=way))
        traced = subprocess.Popen(["/bin/sleep", "1000"])
        try:
            agent.request("start_recording", pid=traced.pid, probes=[dict(function_id=0, system_call=dict(name="getpid"))])
            refused("not while something is recorded", "BUSY", lambda: measured(agent, "CALL_IN"))
            equal("which goes on", agent.stop()["reason"], "REQUESTED")
        finally:
            traced.kill()
            traced.wait()
    with Agent(**of_nobody()) as agent:
        try:
            say(measured(agent, "CALL_POST")["missing"].endswith("."), "an agent without rights says so")
        except AgentError as error:
            say(str(error).endswith("."), "an agent without rights says so", error)


def not_attached():
    """A way that can be loaded and not attached is missing, with the reason: the other ways can be compared all the same."""
    with Agent() as agent:
        measured(agent, "CALL_POST")
        files = len(os.listdir("/proc/%d/fd" % agent.pid))
        refusals = []
        for more in range(100):
            resource.prlimit(agent.pid, resource.RLIMIT_NOFILE, (files + more, resource.prlimit(agent.pid, resource.RLIMIT_NOFILE)[1]))
            try:
                reply = measured(agent, "CALL_POST")
            except AgentError as error:
                if "was not measured" not in str(error):
                    say(False, "too few files end no comparison", error)
                    return
                continue
            if not reply["missing"]:
                break
            refusals.append(reply)
        say(any("tracepoint of system calls" in reply["missing"] for reply in refusals), "what can't be attached is missing",
            [reply["missing"] for reply in refusals])
        equal("and has no figures", [reply for reply in refusals if reply["traced"] or reply["others"]], [])
        equal("with files enough it can be had", reply["missing"], "")


def killed():
    """Whatever it is in: nothing is left of it."""
    with Agent() as agent:
        asked = threading.Thread(target=lambda: expect_lost(agent), daemon=True)
        asked.start()
        # Of the child that answers.
        children = lambda: [child for answering in children_of(agent.pid) for child in gone_or(children_of, answering)]
        say(wait_until(lambda: len(children()) == 2), "there are two processes for it")
        children = children_of(agent.pid) + children()
        agent.process.kill()
        agent.process.wait()
        say(wait_until(lambda: not any(os.path.exists("/proc/%d" % child) for child in children)), "they end as the agent is killed")
        asked.join(20)


def gone_or(ask, pid):
    try:
        return ask(pid)
    except OSError:
        return []


def expect_lost(agent):
    try:
        for i in range(1000):
            measured(agent, "CALL_POST")
    except (AgentError, OSError, EOFError, AssertionError, ValueError):
        pass


run_tests(sees_calls, filters_afterwards, refusals, not_attached, killed)
