# SPDX-License-Identifier: GPL-2.0
"""Conditions: exactly the calls that one is true of are measured, all others are counted, and nothing else is of them."""
import tempfile

from checks import *
from traces import read_trace, write_trace

PROGRAM, WITH_SITES = (os.path.join(BUILD, "traced", p) for p in ("conditions", "conditions-jumps"))
CALLS = 1000
MATCHES, DIFFERS = 32, 33
ALL_BITS = (1 << 64) - 1


def test(field, comparison, value=0, then=MATCHES, otherwise=DIFFERS, argument=0, bits=64, sign="SIGNED", mask=ALL_BITS):
    return dict(field=field, argument=argument, bits=bits, sign=sign, mask=mask, comparison=comparison,
                value=value & ALL_BITS, if_true=then, if_false=otherwise)


def argument(number, comparison, value, **more):
    return test("ARGUMENT", comparison, value, argument=number, **more)


def returned(comparison, value, **more):
    return test("RETURNED", comparison, value, **more)


def named(name, comparison="EQUAL", **more):
    return dict(test("THREAD_NAME", comparison, **more), thread_name=name)


def recorded(name, conditions, patterns=None, program=PROGRAM, **options):
    with Agent() as agent:
        functions, reply = agent.run([program, str(CALLS)], patterns or list(conditions), conditions=conditions, **options)
        agent.wait("recording_ended")
        figures = invariants(name, agent, functions)
        losses = agent.losses()
        equal(name + ": no return is told as one of a call that was not seen", losses["unmatched_returns"], 0)
        # Else the budget takes them for free.
        say("failed" not in reply["calibration_note"] and all(p["call_cost_ns"] > 0 for p in reply["probes"]),
            name + ": what its probes cost is known", reply["calibration_note"])
        return figures, reply, agent


def is_measured(name, figure, matching, all_calls):
    equal(name, (figure.calls, figure.count("WALL"), figure.unmatched), (matching, matching, all_calls - matching))


def count(condition, calls=CALLS):
    return sum(1 for i in range(calls) if condition(i))


def int_returned(x):
    return x if x % 3 else -1


def long_returned(x):
    return x << 33 if x % 4 else -x - 1


# What they are called with, as they see it: i, -i, i & 0xff, i << 32, the upper half and i, i % 10.
SIX = [
    ("greater", [argument(0, "GREATER", 899)], lambda i: i > 899),
    ("less than nothing", [argument(1, "LESS", -500)], lambda i: -i < -500),
    ("what is negative is large without a sign", [argument(1, "GREATER", 1 << 40, sign="UNSIGNED")], lambda i: i > 0),
    ("a mask", [argument(2, "DIFFERENT", 0, mask=0x80)], lambda i: i & 0x80),
    ("64 bits", [argument(3, "GREATER_OR_EQUAL", 990 << 32)], lambda i: i >= 990),
    ("32 bits of it", [argument(3, "EQUAL", 0, bits=32)], lambda i: True),
    ("32 bits whose upper half is not theirs", [argument(4, "LESS_OR_EQUAL", 9, bits=32)], lambda i: i <= 9),
    ("8 bits with a sign", [argument(0, "LESS", 0, bits=8)], lambda i: i & 0x80),
    ("16 bits", [argument(1, "EQUAL", 0xffff, bits=16, sign="UNSIGNED")], lambda i: i == 1),
    ("the last register", [argument(5, "EQUAL", 7)], lambda i: i % 10 == 7),
    ("both", [argument(5, "EQUAL", 7, then=1), argument(0, "LESS", 100)], lambda i: i % 10 == 7 and i < 100),
    ("either", [argument(5, "EQUAL", 7, otherwise=1), argument(0, "LESS", 100)], lambda i: i % 10 == 7 or i < 100),
    ("all that there may be", [argument(0, "DIFFERENT", 7 * k, then=k + 1 if k < 31 else MATCHES) for k in range(32)],
     lambda i: i % 7 or i >= 224),
    ("none", [argument(0, "EQUAL", -1)], lambda i: False),
]


def arguments():
    for program in PROGRAM, WITH_SITES:
        figures, reply, _ = recorded("arguments", {"six_%d" % i: condition for i, (_, condition, _) in enumerate(SIX)}, program=program)
        for i, (name, _, holds) in enumerate(SIX):
            is_measured("%s, with %s" % (name, reply["probes"][i]["exit_kind"]), figures["six_%d" % i], count(holds), CALLS)
        say(all(p["conditional"] for p in reply["probes"]), "it is told that there is a condition")


def results():
    for program in PROGRAM, WITH_SITES:
        f, reply, _ = recorded("results", dict(
            f_int=[returned("LESS", 0, sign="SIGNED_INT")], f_long=[returned("LESS", 0, sign="SIGNED_INT")],
            f_deep=[returned("GREATER", 5)], f_left=[returned("LESS", 0)],
            f_six=[argument(5, "EQUAL", 3, then=1, otherwise=1), returned("GREATER", 500, bits=32)]), program=program)
        kind = reply["probes"][0]["exit_kind"]
        ints = 23 * CALLS  # the first loop's, two threads', and those within f_outer
        matching = 3 * count(lambda i: int_returned(i) < 0) + 20 * count(lambda i: int_returned(i) < 0)
        is_measured("an int below 0, with " + kind, f["f_int"], matching, ints)
        is_measured("a long below 0", f["f_long"], count(lambda i: long_returned(i) < 0), CALLS)
        # Of depth d are d + 1 calls, which return 1 to d + 1.
        is_measured("of calls within each other", f["f_deep"], sum(max(0, d - 4) for d in range(10)), 55)
        is_measured("by what is left of a call that is left", f["f_left"], 50 if program == WITH_SITES else 100, 100)
        is_measured("after an argument", f["f_six"], count(lambda i: i > 500), CALLS)


def arguments_and_results():
    both = [argument(0, "GREATER", 99, then=1), returned("EQUAL", -1, bits=32)]
    either = [argument(0, "LESS", 10, bits=32, otherwise=1), returned("EQUAL", -1, bits=32)]
    for condition, holds in ((both, lambda i: i > 99 and int_returned(i) == -1), (either, lambda i: i < 10 or int_returned(i) == -1)):
        for program in PROGRAM, WITH_SITES:
            f, _, _ = recorded("arguments and results", dict(f_int=condition), program=program)
            is_measured("decided at the beginning or at the end", f["f_int"], 23 * count(holds), 23 * CALLS)


def threads():
    for condition, threads in (([named("worker-1")], 1), ([named("worker-1", "DIFFERENT")], 22), ([named("worker-1", otherwise=1),
                               named("worker-2")], 2), ([named("worker")], 0)):
        f, _, _ = recorded("by name", dict(f_int=condition))
        is_measured("calls of %d of all threads' loops" % threads, f["f_int"], threads * CALLS, 23 * CALLS)
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PROGRAM, str(CALLS)])["pid"]
        functions = agent.find(pid, "", "f_int")
        agent.record(pid, functions, conditions=dict(f_int=[test("TID", "EQUAL", pid)]))
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f = invariants("by number", agent, functions)
        is_measured("calls of the first thread", f["f_int"], 21 * CALLS, 23 * CALLS)


def jumps_to_others():
    """A call that goes on in another function ends there, and returns what that returns."""
    for conditions, rest, after in ((dict(f_rest=[argument(0, "LESS", 100)]), 100, CALLS),
                                    (dict(f_rest=[returned("LESS_OR_EQUAL", -900)]), 101, CALLS),
                                    (dict(f_rest=[argument(0, "LESS", 100)], f_after=[argument(0, "GREATER", 950)]), 100, 50),
                                    (dict(f_after=[returned("GREATER", -11)]), CALLS, 10)):
        for program in PROGRAM, WITH_SITES:
            f, _, _ = recorded("tail calls", conditions, ["f_rest", "f_after"], program=program)
            is_measured("what jumps", f["f_rest"], rest, CALLS)
            is_measured("what is jumped to", f["f_after"], after, CALLS)


def too_deep():
    """Of calls that are nested too deep to be followed, those that it is not true of are counted as such, and are no loss."""
    for program in PROGRAM, WITH_SITES:
        f, reply, _ = recorded("nested deeper than is followed", dict(f_deeper=[argument(0, "EQUAL", 299)]), program=program)
        is_measured("the outermost call, with " + reply["probes"][0]["exit_kind"], f["f_deeper"], 1, 300)


def others_without():
    """What has no condition is measured as ever."""
    f, reply, _ = recorded("one has none", dict(f_int=[argument(0, "EQUAL", 5)]), ["f_int", "f_long"])
    is_measured("with a condition", f["f_int"], 23, 23 * CALLS)
    is_measured("without one", f["f_long"], CALLS, CALLS)
    equal("which is told", sorted(p["conditional"] for p in reply["probes"]), [False, True])


def causes():
    f, reply, _ = recorded("waits", dict(f_waits=[argument(0, "GREATER_OR_EQUAL", 5000)]), waits=True)
    is_measured("calls that wait", f["f_waits"], 5, 10)
    sleep = f["f_waits"].metrics["SLEEP"]
    say(sleep["count"] == 5 and sleep["total"] >= 35000000, "only their sleep counts", sleep["total"])


def told_waits():
    """As many as calls slept; where the kernel did not report that a thread came to its CPU again, that sleep is in the cause's time alone."""
    for condition, told in (([argument(0, "GREATER_OR_EQUAL", 5000)], 5), ([returned("GREATER_OR_EQUAL", 5000)], 0)):
        f, reply, agent = recorded("told waits", dict(f_waits=condition), waits=True)
        waits = [w for d in agent.all("histogram_delta")[-1:] for told_of in d["functions"] for w in told_of["waits"]]
        healed = agent.losses()["healed_switches"]
        nr = sum(w["waits"] for w in waits if w["metric"] == "SLEEP")
        equal("whether waits are told", reply["probes"][0]["waits"], told > 0)
        equal("calls sleep", f["f_waits"].count("SLEEP"), 5)
        say(told - healed <= nr <= told, "and of which calls", "%d of %d, %d switches healed" % (nr, told, healed))


def nested():
    """Calls that are not measured cost what lies around them, which is taken off."""
    for program in PROGRAM, WITH_SITES:
        for value, matching in ((-5, 0), (CALLS - 10, 10), (-1, 0)):
            def recording():
                kinds = [argument(0, "GREATER_OR_EQUAL", value)] if value > 0 else \
                    [argument(0, "EQUAL", value)] if value == -5 else [returned("EQUAL", 1 << 20, bits=32)]
                with Agent() as agent:
                    functions, reply = agent.run([program, str(CALLS)], ["f_outer", "f_int"], conditions=dict(f_int=kinds))
                    ended = agent.wait("recording_ended")
                    f, truth = invariants("nested", agent, functions), truth_of(agent.output())
                outer, inner = f["f_outer"], f["f_int"]
                left = outer.total("ON_CPU") - truth["inner.cpu"] - 20 * 2000000
                is_measured("calls within others", inner, 23 * matching, 23 * CALLS)
                return {"calls that are not measured are taken off, %s, %s" % (kinds[0]["field"], reply["probes"][1]["exit_kind"]): (
                    abs(left) <= outer.uncertain_ns + 0.01 * outer.total("ON_CPU"),
                    "%.3f ms left, %.3f removed, stated bound %.3f; %s" % (left / 1e6, outer.removed_ns / 1e6,
                                                                     outer.uncertain_ns / 1e6, ended["calibration_note"]))}
            say_by_most(recording)


def system_calls():
    for condition, holds in (([argument(1, "GREATER_OR_EQUAL", 900)], lambda i: i >= 900), ([returned("LESS", 0)], lambda i: i % 4 == 0),
                             ([argument(1, "LESS", 500, then=1), returned("LESS", 0)], lambda i: i < 500 and i % 4 == 0),
                             ([argument(0, "EQUAL", -1, bits=32, otherwise=1), returned("GREATER", 989)], lambda i: i % 4 == 0 or i > 989),
                             ([named("worker-1")], lambda i: False)):
        with Agent() as agent:
            pid = agent.request("launch", arguments=[PROGRAM, str(CALLS)])["pid"]
            names = [dict(name="lseek"), dict(name="clock_nanosleep")]
            reply = agent.request("start_recording", pid=pid, events=condition[0]["field"] == "ARGUMENT" and len(condition) == 1, probes=[
                dict(function_id=0, system_call=names[0], condition=dict(tests=condition)), dict(function_id=1, system_call=names[1])])
            agent.request("resume", pid=pid)
            agent.wait("recording_ended")
            f = invariants("system calls", agent, names)
            is_measured("a system call", f["lseek"], count(holds), CALLS)
            failing = count(lambda i: holds(i) and i % 4 == 0)
            equal("errors are of those that match", f["lseek"].failed, {9: failing} if failing else {})
            equal("one without a condition is measured as ever", (f["clock_nanosleep"].calls, f["clock_nanosleep"].unmatched), (10, 0))
            equal("which is told", [p["conditional"] for p in reply["probes"]], [True, False])
            equal("no end is taken for another one's", agent.losses()["unmatched_returns"], 0)


def events():
    """There are events of the calls that are measured, and of no others."""
    with Agent() as agent:
        functions, reply = agent.run([PROGRAM, str(CALLS)], ["f_six", "f_int"], events=True,
                                 conditions=dict(f_six=[argument(0, "LESS", 10)], f_int=[argument(0, "EQUAL", 5)]))
        agent.wait("recording_ended")
        figures = invariants("events", agent, functions)
        is_measured("with events", figures["f_six"], 10, CALLS)
        equal("none is told as lost", agent.losses()["events_dropped"], 0)
        with tempfile.TemporaryDirectory() as folder:
            write_trace(agent, reply, folder)
            names, complaints, _ = read_trace(folder)
        equal("of each there is one for the beginning, and one for the end",
              (names["call_entry"], names["call_exit"], complaints), (33, 33, []))


def refusals():
    wrong = dict(
        none=[], many=[argument(0, "EQUAL", 1, otherwise=min(k + 1, DIFFERS)) for k in range(33)],
        backwards=[argument(0, "EQUAL", 1, then=1), argument(0, "EQUAL", 1, then=0)],
        itself=[argument(0, "EQUAL", 1, then=0)], nowhere=[argument(0, "EQUAL", 1, then=7)], outside=[argument(0, "EQUAL", 1, then=300)],
        argument=[argument(6, "EQUAL", 1)], bits=[argument(0, "EQUAL", 1, bits=63)], no_bits=[argument(0, "EQUAL", 1, bits=0)],
        sign=[argument(0, "EQUAL", 1, sign=3)], comparison=[argument(0, 7, 1)], no_comparison=[argument(0, 0, 1)],
        field=[test(5, "EQUAL")], no_field=[test(0, "EQUAL")], name=[named("a-name-of-16-byt")], name_order=[named("a", "LESS")],
        too_late=[returned("EQUAL", 1, then=1), argument(0, "EQUAL", 1)])
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PROGRAM, "10"])["pid"]
        functions = agent.find(pid, "", "f_int")
        for name, condition in wrong.items():
            refused("a condition: " + name, "BAD_REQUEST", lambda c=condition: agent.record(pid, functions, conditions=dict(f_int=c)))
        good = [returned("LESS", 0, sign="SIGNED_INT")]
        refused("with events, of what calls return", "UNSUPPORTED",
                lambda: agent.record(pid, functions, conditions=dict(f_int=good), events=True))
        refused("by jumps", "UNSUPPORTED",
                lambda: agent.record(pid, functions, conditions=dict(f_int=good), probe_way="PROBE_WAY_JUMP"))
        for point in dict(tracepoint=dict(category="sched", name="sched_switch")), \
                dict(kernel_function=dict(name="vfs_read")):
            refused("of %s" % list(point)[0], "UNSUPPORTED", lambda p=point: agent.request(
                "start_recording", pid=pid, probes=[dict(function_id=0, condition=dict(tests=good), **p)]))
        say(any(c["name"] == "conditions" and c["available"] for c in agent.hello["capabilities"]), "the agent says that it has conditions")
        agent.record(pid, functions, conditions=dict(f_int=good))
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        is_measured("after refusals it records", agent.figures(functions)["f_int"], 23 * 4, 230)


if __name__ == "__main__":
    run_tests(arguments, results, arguments_and_results, threads, jumps_to_others, too_deep, others_without, causes, told_waits, system_calls, events, refusals,
              nested)
