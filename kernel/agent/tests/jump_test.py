# SPDX-License-Identifier: GPL-2.0
"""Recordings whose functions are measured by jumps."""
import json
import os
import signal
import subprocess

from agent import AgentError, of_nobody
from by_jumps import *
from checks import *
from tree import Tree

SPIN_NS = 2000000
# What the machine and other processes do to a thread, whatever it is in; and what has no cause of its own, as locks of the kernel's.
BY_OTHERS = ("RUN_QUEUE", "PREEMPTED", "STEAL", "THROTTLED", "OTHER")
# What functions of the bundled program wait for; the others compute.
DEMO_WAITS = {"poll_queue": "SLEEP", "price_basket": "LOCK", "flush_cache": "BLOCK_IO", "fetch_rates": "NETWORK"}
DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../workloads/build/kview-demo")


def launched(agent, arguments, patterns, **options):
    """Records a program from its first to its last instruction."""
    pid = agent.request("launch", arguments=arguments)["pid"]
    functions = agent.find(pid, "", *patterns)
    reply = by_jumps(agent, pid, functions, **options)
    agent.request("resume", pid=pid)
    agent.exited = agent.wait("process_exited", where=lambda b: b["pid"] == pid)
    agent.wait("recording_ended")
    return functions, reply


def recorded(name, arguments, patterns, expect_losses=False):
    with Agent() as agent:
        functions, reply = launched(agent, arguments, patterns)
        say(set(mechanisms(reply)) == {"JUMP"}, name + " is measured by jumps", reply["waits_note"])
        figures = invariants(name, agent, functions, expect_losses)
        return agent, reply, figures


def exact():
    _, reply, f = recorded("many short calls", [PLAIN, "empty", "1000000"], ["f_empty"])
    equal("each of a million calls is counted", counts(f["f_empty"]), (1000000, 1000000, 0, 0))
    cost = reply["probes"][0]
    say(0 < cost["inner_cost_ns"] < cost["call_cost_ns"], "what a call costs was measured", cost)
    _, _, f = recorded("four threads", [PLAIN, "threads", "4", "100000"], ["f_empty"])
    equal("each of four threads' calls is counted", counts(f["f_empty"]), (400000, 400000, 0, 0))
    _, _, f = recorded("recursion", [JUMPS, "recurse", "300"], ["f_recurse"])
    equal("deeper than traps can follow", counts(f["f_recurse"]), (3000, 3000, 0, 0))
    _, _, f = recorded("longjmp", [JUMPS, "longjmp", "50"], ["f_jumper", "f_leaf"])
    equal("longjmp leaves 5 calls each time", counts(f["f_jumper"]), (250, 0, 250, 0))
    equal("and what is called then returns", counts(f["f_leaf"]), (50, 50, 0, 0))
    with Agent() as agent:
        functions, reply = launched(agent, [THROWS, "100"], ["f_inner", "f_middle", "f_catcher"])
        f = invariants("exceptions", agent, functions)
        say("JUMP" in mechanisms(reply), "exceptions leave calls that are measured by jumps", reply["waits_note"])
        equal("and are counted so", [counts(f[n]) for n in ("f_inner", "f_middle", "f_catcher")],
              [(100, 50, 50, 0), (100, 50, 50, 0), (100, 100, 0, 0)])


def another_program():
    """What the process executes has no jumps, and nobody looks for it there."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "exec", "3", PLAIN, "ticks"])["pid"]
        functions = agent.find(pid, "", "f_empty")
        by_jumps(agent, pid, functions)
        agent.request("resume", pid=pid)
        ended = agent.wait("recording_ended")
        say(ended["reason"] == "FAILED" and "another program" in ended["message"], "the recording ends as the process executes another program", ended["message"])
        equal("with what was counted", counts(invariants("before that", agent, functions)["f_empty"]), (3, 3, 0, 0))
        agent.wait("process_output")
        say(agent.find(pid, "", "f_empty"), "the other program goes on")


def about(name, got, least, most, uncertain):
    """
    Times on CPUs are the scheduler's account, which leaves out interrupts until it is brought up to date: docs/jump-probes.md
    has by how much sums are off.
    """
    say(0.9 * least <= got + uncertain and got <= 1.1 * most + uncertain, name, "%d ns, between %d and %d" % (got, least, most))


def times():
    """A program's own clocks around its calls tell as much; the calls are within them, whatever else the machine does."""
    agent, _, f = recorded("calls that compute", [PLAIN, "spin", "100"], ["f_spin"])
    spins, truth = f["f_spin"], truth_of(agent.output())
    about("they ran on a CPU", spins.total("ON_CPU"), 100 * SPIN_NS, truth["f_spin.cpu"], spins.uncertain_ns)
    say(100 * SPIN_NS <= spins.total("WALL") <= truth["f_spin.wall"], "and took no longer than the program saw",
        "%d of %d ns" % (spins.total("WALL"), truth["f_spin.wall"]))


def demo():
    """The bundled program waits in many ways, which are told apart."""
    with Agent() as agent:
        functions, reply = launched(agent, [DEMO, "--seconds", "2", "--truth", "-"], [
            "render_page", "poll_queue", "price_basket", "flush_cache", "build_index", "fetch_rates", "walk_tree", "lookup_price"])
        figures = invariants("demo", agent, functions)
        truths = {t["name"]: t for t in json.loads(agent.output())["functions"]}
    equal("all of it is measured by jumps", set(mechanisms(reply)), {"JUMP"})
    for name, f in figures.items():
        truth = truths[name]
        equal(name + ": calls", counts(f), (truth["calls"], truth["calls"], 0, 0))
        say(f.total("WALL") <= truth["wall_total_ns"], name + ": took no longer than the program saw",
            "%d of %d ns" % (f.total("WALL"), truth["wall_total_ns"]))
        off = f.off_cpu()
        own, cause = sum(ns for m, ns in off.items() if m not in BY_OTHERS), DEMO_WAITS.get(name)
        if cause:
            say(off.get(cause, 0) >= 0.9 * own > 0, name + ": waits for " + cause.lower(), off)
        else:
            say(not {"SLEEP", "LOCK", "NETWORK"} & set(off), name + ": waits for nothing", off)
    sleeps, computes = figures["poll_queue"], figures["render_page"]
    say(sleeps.total("SLEEP") + sleeps.uncertain_ns >= 0.9 * 3e6 * sleeps.calls, "who sleeps is off the CPU", sleeps.total("SLEEP"))
    about("who computes is on one", computes.total("ON_CPU"), 2e6 * computes.calls, truths["render_page"]["on_cpu_total_ns"],
          computes.uncertain_ns)
    recurses = figures["walk_tree"]
    say(recurses.removed_ns > recurses.calls * 2 * reply["probes"][0]["inner_cost_ns"],
        "what calls within calls cost is taken off the outer ones", recurses.removed_ns)


def mixed():
    """What can't be measured by jumps is measured by traps, in one recording, and named."""
    with Agent() as agent:
        functions, reply = launched(agent, [JUMPS, "tail", "4000"], ["f_leaf", "f_tail", "f_tail_reg"])
        f = invariants("traps and jumps", agent, functions)
        ways = dict(zip((x["name"] for x in functions), mechanisms(reply)))
        equal("one of them has no room for a jump", ways, {"f_leaf": "JUMP", "f_tail": "TRAP", "f_tail_reg": "JUMP"})
        say("f_tail (" in reply["waits_note"] and "f_leaf (" not in reply["waits_note"], "it is named, and why", reply["waits_note"])
        equal("all are counted", [counts(f[n]) for n in ("f_leaf", "f_tail", "f_tail_reg")],
              [(10000, 10000, 0, 0), (4000, 4000, 0, 0), (4000, 4000, 0, 0)])


def with_system_calls():
    """And so are system calls; what their probes cost within the functions is in these functions' error bound."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "sleep", "100"])["pid"]
        (main,) = agent.find(pid, "", "main")
        probes = [dict(function_id=0, binary=main["binary"], symbol="main", file_offset=main["file_offset"], user_function={}),
                  dict(function_id=1, system_call=dict(name="clock_nanosleep"))]
        reply = agent.request("start_recording", pid=pid, probes=probes, probe_way="PROBE_WAY_JUMP")
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        agent.wait("recording_ended")
        f = agent.figures([dict(name="main"), dict(name="sleep")])
        equal("a function by jumps and a system call", mechanisms(reply), ["JUMP", "TRACEPOINT"])
        equal("are counted", (f["main"].calls, f["sleep"].calls), (1, 100))
        say(f["main"].uncertain_ns >= f["sleep"].cost_ns > 0, "the function may be too long by what the system calls' probes took",
            "%d %d" % (f["main"].uncertain_ns, f["sleep"].cost_ns))


def beyond_the_budget():
    """What costs too much comes off alone, and what was counted stays."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "nested-busy", "1000000"])["pid"]
        functions = agent.find(pid, "", "f_busy_outer", "f_empty")
        before = text_of(pid)
        by_jumps(agent, pid, functions, budget_ppm=50000)
        put = text_of(pid)
        agent.request("resume", pid=pid)
        off = agent.wait("histogram_delta", where=lambda d: any(f["probes_off_ns"] for f in d["functions"]))
        equal("the function whose jumps cost more comes off", [f["function_id"] for f in off["functions"] if f["probes_off_ns"]], [1])
        now = text_of(pid)
        say(now != before and now != put, "its code is restored, and the other's has its jumps")
        equal("the recording goes on", agent.stop()["reason"], "REQUESTED")
        f = invariants("until it came off", agent, functions, expect_losses=True)["f_empty"]
        say(0 < f.calls < 20000000, "its calls were counted up to then", f.calls)


def crowded(functions_wished):
    """
    Where a function calls many others, what their stamps cost is taken off it.  Where these are too many for the processor to
    have near what it needs, they cost more, which is in the stated bound.
    """
    def recording():
        with Agent() as agent:
            pid = agent.request("launch", arguments=[os.path.join(BUILD, "traced", "thousand"), "1000"])["pid"]
            functions = agent.find(pid, "", "f_caller", "f_1*")[:functions_wished + 1]
            reply = by_jumps(agent, pid, functions)
            agent.request("resume", pid=pid)
            agent.wait("recording_ended")
            equal("%d functions are measured by jumps" % len(functions), set(mechanisms(reply)), {"JUMP"})
            caller, truth = agent.figures(functions)["f_caller"], truth_of(agent.output())["t_caller.cpu"]
            error = caller.total("ON_CPU") - truth
        is_right = abs(error) <= caller.uncertain_ns
        text = "%.1f us a call for %.1f; %.1f removed, %.1f uncertain" % tuple(
            ns / 1e6 for ns in (caller.total("ON_CPU"), truth, caller.removed_ns, caller.uncertain_ns))
        return {"what %d functions' stamps cost is taken off their caller" % functions_wished: (is_right, text)}
    say_by_most(recording)


def few_in_turn():
    crowded(100)


def many_in_turn():
    crowded(1000)


def killed():
    """The agent is killed in the middle of a recording: the process goes on, and is restored."""
    program = subprocess.Popen([PLAIN, "ticks"], stdout=subprocess.PIPE)
    try:
        program.stdout.readline()
        before = text_of(program.pid)
        agent = Agent()
        functions = agent.find(program.pid, "", "f_empty")
        by_jumps(agent, program.pid, functions)
        agent.wait("histogram_delta", where=lambda d: any(f["calls"] for f in d["functions"]))
        say(text_of(program.pid) != before, "the code has jumps")
        os.kill(agent.pid, signal.SIGKILL)
        agent.close()
        say(all(program.stdout.readline() for _ in range(5)), "the process goes on without the agent")
        say(text_of(program.pid) != before, "and still has the jumps")
        with Agent() as other:
            found = other.find(program.pid, "", "f_empty")
            refused("it is not measured by traps, which would break it", "BUSY", lambda: other.record(program.pid, found))
            refused("nor by jumps", "BUSY", lambda: by_jumps(other, program.pid, found))
            say(other.request("clean", pid=program.pid)["restored"] >= 2, "they are taken out")
            equal("and it is as before", text_of(program.pid) == before, True)
            equal("once", other.request("clean", pid=program.pid)["restored"], 0)
            by_jumps(other, program.pid, found)
            other.wait("histogram_delta", where=lambda d: any(f["calls"] for f in d["functions"]))
            refused("not while it is recorded", "BUSY", lambda: other.request("clean", pid=program.pid))
            equal("it can be measured again", other.stop()["reason"], "REQUESTED")
            equal("and stays as it was", text_of(program.pid) == before, True)
        say(all(program.stdout.readline() for _ in range(5)), "it goes on")
    finally:
        program.kill()
        program.wait()


def surveyed():
    """Samples that come in stamps and copies are of the functions that these are of, with their callers."""
    with Agent() as agent, Agent() as other:
        pid = agent.request("launch", arguments=[os.path.join(BUILD, "traced", "thousand"), "100000000"])["pid"]
        by_jumps(agent, pid, agent.find(pid, "", "f_caller", "f_1*"))
        agent.request("resume", pid=pid)
        tree = Tree(other.request("survey", pid=pid, duration_ms=500, samples_per_second=4999))
        whole, quality = sum(t["time_ns"] for t in tree.times(None, ("ON_CPU",))), tree.reply["quality"]
        shares = {name: tree.inclusive(name, None, ("ON_CPU",)) / max(1, whole) for name in ("main", "f_caller", "t_caller")}
        in_functions = sum(t["time_ns"] for t in tree.times(None, ("ON_CPU",))
                           if any(name.startswith("f_1") for name in tree.path(t["node"]))) / max(1, whole)
        say(quality["stacks"] > 100 and quality["complete_stacks"] >= 0.98 * quality["stacks"], "stacks of what is measured by jumps are whole", quality)
        say(shares["main"] > 0.98 and shares["f_caller"] + shares["t_caller"] > 0.9 and in_functions > 0.9 * shares["f_caller"] > 0.4,
            "and samples in stamps are of their functions", "%s, %.3f" % (shares, in_functions))
        os.kill(pid, signal.SIGKILL)
        agent.wait("recording_ended")


def refusals():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "ticks"])["pid"]
        functions = agent.find(pid, "", "f_empty")
        refused("none can be measured so", "NOT_PROBEABLE", lambda: by_jumps(agent, pid, agent.find(pid, "libc.so.6", "getppid")))
        refused("none is chosen twice", "NOT_PROBEABLE", lambda: by_jumps(agent, pid, functions * 2))
        many = [dict(function_id=i, binary=functions[0]["binary"], symbol="f%d" % i, file_offset=i, user_function={}) for i in range(2000)]
        refused("nor are 2 000 functions at once", "TOO_MANY", lambda: agent.request("start_recording", pid=pid, probes=many, probe_way="PROBE_WAY_JUMP"))
        sleeps = agent.find(pid, "libc.so.6", "getppid")
        for times, words in ((1, "This function can't be measured by jumps: "), (2, "None of these functions can be measured by jumps: ")):
            try:
                by_jumps(agent, pid, sleeps * times)
            except AgentError as error:
                say(words in str(error), "which is said in words", error)
        reply = agent.record(pid, functions, probe_way="PROBE_WAY_TRAP")
        equal("who asks for traps gets them", mechanisms(reply), ["TRAP"])
        agent.stop()
        reply = agent.record(pid, functions)
        equal("and so does who asks for nothing", mechanisms(reply), ["TRAP"])
        agent.stop()
        with Agent(**of_nobody()) as other:
            jump = next(c for c in other.hello["capabilities"] if c["name"] == "jump")
            say(not jump["available"] and "CAP_CHECKPOINT_RESTORE" in jump["detail"], "an agent without rights says that it puts none", jump["detail"])
        refused("nothing is to be taken out of what is not there", "NO_SUCH_PROCESS", lambda: agent.request("clean", pid=1 << 22))


if jumps_can_be_used():
    run_tests(exact, another_program, times, demo, mixed, with_system_calls, few_in_turn, many_in_turn, beyond_the_budget, killed, surveyed, refusals)
else:
    print("ok jumps: skipped, they can't be used here")
