# SPDX-License-Identifier: GPL-2.0
"""Every way in which calls begin, nest and end."""
import os
import subprocess
import time

from agent import wait_until
from checks import *


def recorded(name, arguments, patterns, expect_losses=False, **options):
    with Agent() as agent:
        functions, reply = agent.run(arguments, patterns, **options)
        figures = invariants(name, agent, functions, expect_losses)
        return agent, functions, reply, figures


def counts(f):
    return f.calls, f.count("WALL"), f.abandoned, f.unfinished


def recursion():
    agent, functions, _, f = recorded("recursion 50", [PLAIN, "recurse", "50"], ["f_recurse"])
    equal("plain C uses return probes", functions[0]["exit_kind"], "EXIT_URETPROBE")
    equal("recursion 50", counts(f["f_recurse"]), (500, 500, 0, 0))
    agent, _, _, f = recorded("recursion 200 by return probes", [PLAIN, "recurse", "200"],
                              ["f_recurse"], expect_losses=True)
    equal("deeper than the kernel's 64", counts(f["f_recurse"]), (2000, 640, 0, 0))
    equal("counts overflows", agent.losses()["depth_overflows"], 1360)
    agent, functions, _, f = recorded("recursion 300 by return sites", [JUMPS, "recurse", "300"],
                                      ["f_recurse"], expect_losses=True)
    equal("jumping C uses return sites", functions[0]["exit_kind"], "EXIT_RETURN_SITES")
    equal("deeper than 128", counts(f["f_recurse"]), (3000, 1280, 0, 0))
    equal("counts overflows, and no return as early",
          (agent.losses()["depth_overflows"], agent.losses()["early_returns"]), (1720, 0))


def subtracts(name):
    """Right figures of short and of nesting calls: what is left of their probes is inside the stated bound."""
    def recording():
        with Agent() as agent:
            functions, reply = agent.run([PLAIN, "nested-busy", "1000"], ["f_busy_outer", "f_empty"])
            ended = agent.wait("recording_ended")
            f, truth = invariants(name, agent, functions), truth_of(agent.output())
        outer, inner = f["f_busy_outer"], f["f_empty"]
        equal(name + ": calls", (outer.calls, inner.calls), (20, 20000))
        cost = reply["probes"][1]["call_cost_ns"]
        say(0 < cost and len(reply["probes"]) == 2, name + ": was calibrated", "%d ns; %s" % (cost, ended["calibration_note"]))
        # Each computes for 2 ms, and as many empty calls without probes were timed.
        left = outer.total("ON_CPU") - truth["outer.cpu"], inner.total("ON_CPU") - truth["inner.cpu"]
        # What was stolen the kernel may have charged to the clock by which they compute: of that the figures have less.
        judged = {name + what: (-figure.total("STEAL") <= ns + figure.uncertain_ns + 0.01 * figure.total("ON_CPU") and
                                ns <= figure.uncertain_ns + 0.01 * figure.total("ON_CPU"),
                                "%.3f ms left of %d calls, %.3f removed, stated bound %.3f, stolen %.3f" % (
            ns / 1e6, inner.calls, figure.removed_ns / 1e6, figure.uncertain_ns / 1e6, figure.total("STEAL") / 1e6)) for what, ns, figure in (
                (": probes within a call are subtracted from it", left[0], outer), (": an empty call reads next to nothing", left[1], inner))}
        # That bound is wide on a busy machine.  Neighbours seldom disturb three of four calls; but the calibration, which says so.
        early, removed = outer.quantile("ON_CPU", 0.25) - truth["outer.cpu"] / 20, outer.removed_ns / 20
        judged[name + ": most of it is subtracted, and no more"] = (
            abs(early) < (0.5 if ended["calibration_note"] else 0.25) * removed, "%.3f ms left in the lower quarter of calls, %.3f removed of each" % (early / 1e6, removed / 1e6))
        return judged
    say_by_most(recording)


def nesting():
    subtracts("nested calls")


def disturbed_calibration():
    """Somebody else computes on every CPU."""
    loops = [subprocess.Popen([PLAIN, "compute"], preexec_fn=lambda cpu=cpu: os.sched_setaffinity(0, {cpu}))
             for cpu in os.sched_getaffinity(0)]
    try:
        subtracts("with every CPU busy")
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def longjmps():
    _, _, _, f = recorded("longjmp", [JUMPS, "longjmp", "50"], ["f_jumper", "f_leaf"])
    # Where stacks may be switched a call is known to be left once its place is used again: the
    # last ones may still count as running when the thread ends.
    f_jumper = f["f_jumper"]
    equal("longjmp leaves 5 calls each time", (f_jumper.calls, f_jumper.count("WALL"),
          f_jumper.abandoned + f_jumper.unfinished), (250, 0, 250))
    say(f_jumper.unfinished <= 5, "all but the last 5 are seen to be left", counts(f_jumper))
    equal("and what is called then returns", counts(f["f_leaf"]), (50, 50, 0, 0))


def tail_calls():
    _, _, _, f = recorded("tail calls", [JUMPS, "tail", "40"],
                          ["f_tail", "f_tail_if", "f_tail_reg", "f_leaf"])
    equal("tail calls end the caller", [counts(f[n]) for n in ("f_tail", "f_tail_if", "f_tail_reg")],
          [(40, 40, 0, 0)] * 3)
    equal("and begin what is jumped to", counts(f["f_leaf"]), (100, 100, 0, 0))


def exceptions():
    agent, functions, _, f = recorded("exceptions", [THROWS, "100"],
                                      ["f_inner", "f_middle", "f_catcher"])
    equal("C++ uses return sites", {x["exit_kind"] for x in functions}, {"EXIT_RETURN_SITES"})
    equal("the program is unharmed", (agent.exited["status"], agent.output()), (0, b"caught 50\n"))
    equal("calls left by exceptions", [counts(f[n]) for n in ("f_inner", "f_middle", "f_catcher")],
          [(100, 50, 50, 0), (100, 50, 50, 0), (100, 100, 0, 0)])


def alternate_stack():
    for where, arguments in (("another stack", []), ("a stack above", ["above"])):
        _, _, _, f = recorded("alternate stack", [JUMPS, "altstack", "50"] + arguments,
                              ["f_interrupted", "f_handler", "f_leaf"])
        equal("a handler on %s prunes nothing" % where, counts(f["f_handler"])[:2], (100, 100))
        # The last one is left for ever: nothing that comes later tells.
        equal("half of the interrupted calls are left", counts(f["f_interrupted"]), (100, 50, 49, 1))


def threads():
    agent, _, _, f = recorded("200 threads", [PLAIN, "threads", "200", "500"], ["f_empty"])
    equal("200 threads", counts(f["f_empty"]), (100000, 100000, 0, 0))
    _, _, _, f = recorded("thread exit", [JUMPS, "thread-exit", "20"], ["f_exiter"])
    # By unwinding the stack: whether the call was left or still ran is a matter of words.
    calls, _, abandoned, unfinished = counts(f["f_exiter"])
    equal("threads that end inside a call", (calls, abandoned + unfinished), (20, 20))


def processes():
    _, _, _, f = recorded("fork", [PLAIN_FORKING, "fork"], ["f_empty"])
    equal("a child's calls are not counted", counts(f["f_empty"]), (2, 2, 0, 0))
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "exit-inside"])["pid"]
        functions = agent.find(pid, "", "f_forever")
        agent.record(pid, functions, interval_ms=50)
        agent.request("resume", pid=pid)
        wait_until(lambda: agent.figures(functions)["f_forever"].calls)
        agent.stop()
        f = invariants("still running", agent, functions)
        equal("a call that still runs is unfinished", counts(f["f_forever"]), (1, 0, 0, 1))
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "exit-inside"])["pid"]
        agent.request("resume", pid=pid)
        time.sleep(0.1)
        functions = agent.find(pid, "", "f_forever")
        agent.record(pid, functions)
        os.kill(pid, 9)
        agent.wait("recording_ended")
        exited = agent.wait("process_exited")
        equal("kill -9 of the target", (exited["signalled"], exited["status"],
              agent.wait("recording_ended")["reason"]), (True, 9, "PROCESS_ENDED"))
        invariants("killed", agent, functions)


def links_of(pid):
    """What keeps its eBPF programs attached: links, and perf events of such as are set one by one."""
    descriptors = [os.readlink("/proc/%d/fd/%s" % (pid, fd)) for fd in os.listdir("/proc/%d/fd" % pid)]
    return sum(d in ("anon_inode:bpf_link", "anon_inode:bpf-link", "anon_inode:[perf_event]") for d in descriptors)


def many_functions():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "many", "20"])["pid"]
        functions = agent.find(pid, "", "g_*")
        equal("functions found", len(functions), 100)
        reply = agent.record(pid, functions)
        links = links_of(agent.pid)
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        figures = invariants("100 functions", agent, functions)
        equal("100 functions, each called 20 times", {f.calls for f in figures.values()}, {20})
        ended = agent.wait("recording_ended")
        # One by one each place would take the kernel a tenth of a second to take off.
        say(links < 20 or os.environ.get("KVIEW_AGENT_PROBES") == "single", "100 functions are attached together",
            "%d links; %.1f ms, and %.1f to detach them" % (links, reply["attach_ns"] / 1e6, ended["detach_ns"] / 1e6))
        say(ended["agent_peak_rss_bytes"] < 20 << 20, "resident set of the agent",
            "%.1f MB" % (ended["agent_peak_rss_bytes"] / 1e6))


def early_returns():
    """Attaching to a call that is under way."""
    with Agent() as agent:
        process = subprocess.Popen([PLAIN, "sleep", "1000000"], stdout=subprocess.DEVNULL)
        time.sleep(0.2)
        functions = agent.find(process.pid, "", "f_sleep")
        agent.record(process.pid, functions, interval_ms=50)
        wait_until(lambda: agent.figures(functions)["f_sleep"].count("WALL") > 50)
        agent.stop()
        f = invariants("attached in the middle", agent, functions)["f_sleep"]
        say(f.count("WALL") > 50 and f.abandoned == 0 and agent.losses()["early_returns"] <= 1,
            "attached in the middle", "%s, early %d" % (counts(f), agent.losses()["early_returns"]))
        process.kill()
        process.wait()


run_tests(recursion, nesting, disturbed_calibration, longjmps, tail_calls, exceptions, alternate_stack,
          threads, processes, many_functions, early_returns)
