# SPDX-License-Identifier: GPL-2.0
"""Figures by a value: each value's are exactly those of its calls, and together they are the function's."""
import collections
import functools
import tempfile

from checks import *
from traces import read_trace, write_trace

PROGRAM, WITH_SITES = (os.path.join(BUILD, "traced", p) for p in ("conditions", "conditions-jumps"))
CALLS = 1000
MATCHES, DIFFERS = 32, 33
ALL_BITS = (1 << 64) - 1
OF_ITS_OWN = 64


def by(field, argument=0, bits=64, sign="SIGNED", mask=ALL_BITS):
    return dict(field=field, argument=argument, bits=bits, sign=sign, mask=mask)


def argument(number, **more):
    return by("ARGUMENT", number, **more)


class Value:
    def __init__(self):
        self.metrics = collections.defaultdict(lambda: dict(count=0, total=0, max=0, buckets=collections.Counter()))
        self.uncertain_ns = 0

    def add(self, message):
        self.uncertain_ns = message["uncertain_ns"]
        for metric in message["metrics"]:
            sums = self.metrics[metric["metric"]]
            sums["count"] += metric["count"]
            sums["total"] += metric["total_ns"]
            sums["max"] = metric["max_ns"]
            sums["buckets"].update(dict(zip(metric["bucket_index"], metric["bucket_count"])))


def signed(number):
    return number - (1 << 64) if number >> 63 else number


def key_of(value):
    return {"NUMBER": signed(value["number"]), "THREAD_NAME": bytes(value["thread_name"]).decode(), "OTHERS": "others",
            "UNKNOWN": "unknown"}[value["which"]]


def values_of(agent, functions):
    """By function and value; that each function's are its values' together."""
    found = [collections.defaultdict(Value) for _ in functions]
    whole = [Value() for _ in functions]
    for delta in agent.all("histogram_delta"):
        for f in delta["functions"]:
            whole[f["function_id"]].add(f)
            for value in f["values"]:
                found[f["function_id"]][key_of(value)].add(value)
    for function, own, sums in zip(functions, whole, found):
        if not sums:
            continue
        for metric, all_of_it in own.metrics.items():
            together = dict(count=0, total=0, max=0, buckets=collections.Counter())
            for value in sums.values():
                if metric not in value.metrics:
                    continue
                part = value.metrics[metric]
                together = dict(count=together["count"] + part["count"], total=together["total"] + part["total"],
                                max=max(together["max"], part["max"]), buckets=together["buckets"] + part["buckets"])
            equal("%s: %s of all values is the function's" % (function["name"], metric), together, dict(all_of_it))
    return {f["name"]: {key: value.metrics["WALL"]["count"] for key, value in sums.items()} for f, sums in zip(functions, found)}, found


def recorded(name, splits, patterns=None, program=PROGRAM, **options):
    with Agent() as agent:
        functions, reply = agent.run([program, str(CALLS)], patterns or list(splits), splits=splits, **options)
        agent.wait("recording_ended")
        invariants(name, agent, functions)
        say("failed" not in reply["calibration_note"] and all(p["call_cost_ns"] > 0 for p in reply["probes"]),
            name + ": what its probes cost is known", reply["calibration_note"])
        return *values_of(agent, functions), reply, agent


def counted(name, found, calls):
    """found: calls by value; calls: the values of all of them."""
    truth = collections.Counter(calls)
    pooled = found.get("others", 0)
    equal(name + ": each value that has figures has all of its calls", {k: n for k, n in found.items() if k not in ("others", "unknown") and truth[k] != n}, {})
    equal(name + ": the others are the rest", pooled + sum(n for k, n in found.items() if k != "others"), sum(truth.values()))
    own = len([k for k in found if k not in ("others", "unknown", 0)])
    equal(name + ": so many have figures of their own", own, min(OF_ITS_OWN, len([k for k in truth if k])))


def int_returned(x):
    return x if x % 3 else -1


# What f_six is called with is in conditions_test.py.
SIX = [("few", argument(5), lambda i: i % 10), ("many", argument(0), lambda i: i), ("below 0", argument(1, mask=ALL_BITS), lambda i: -i),
       ("with a mask", argument(2, mask=0x83), lambda i: i & 0x83), ("32 bits", argument(4, bits=32), lambda i: i), ("8 bits with a sign", argument(0, bits=8),
       lambda i: (i & 0xff) - (0x100 if i & 0x80 else 0)), ("of an int", argument(1, sign="SIGNED_INT"), lambda i: -i),
       ("all the same", argument(3, bits=32), lambda i: 0)]


def arguments():
    for i, (name, split, value) in enumerate(SIX):
        for program in (PROGRAM, WITH_SITES) if i < 2 else (PROGRAM,):
            found, _, reply, _ = recorded(name, dict(f_six=split), program=program)
            counted("%s, with %s" % (name, reply["probes"][0]["exit_kind"]), found["f_six"], [value(i) for i in range(CALLS)])
    say(reply["probes"][0]["split"], "it is told that figures are split")
    equal("the first ones have figures of their own", [k for k in found["f_six"]], [0])


def the_first_ones_stay():
    found, _, _, _ = recorded("more than there are places", dict(f_six=argument(0)))
    equal("0 to 64 have figures of their own", sorted(k for k in found["f_six"] if k != "others"), list(range(OF_ITS_OWN + 1)))
    equal("and what comes later has none", found["f_six"]["others"], CALLS - OF_ITS_OWN - 1)


def results():
    for program in PROGRAM, WITH_SITES:
        found, _, reply, _ = recorded("results", dict(f_int=by("RETURNED", sign="SIGNED_INT"), f_deep=by("RETURNED"), f_six=argument(5)),
                                      ["f_int", "f_deep", "f_six", "f_long"], program=program)
        kind = reply["probes"][0]["exit_kind"]
        counted("an int, with " + kind, found["f_int"], 23 * [int_returned(i) for i in range(CALLS)])
        counted("of calls within each other", found["f_deep"], [r for d in range(10) for r in range(1, d + 2)])
        counted("beside", found["f_six"], [i % 10 for i in range(CALLS)])
        equal("one without has none", found["f_long"], {})
        equal("which is told", sorted(p["split"] for p in reply["probes"]), [False, True, True, True])


def threads():
    found, _, _, _ = recorded("by name", dict(f_int=by("THREAD_NAME")))
    names = {name: n for name, n in found["f_int"].items()}
    equal("by the thread's name", names, {"worker-1": CALLS, "worker-2": CALLS, "conditions": 21 * CALLS})
    found, _, _, _ = recorded("by number", dict(f_int=by("TID", bits=32)))
    equal("by its number", sorted(found["f_int"].values()), [CALLS, CALLS, 21 * CALLS])


def jumps_to_others():
    """A call that goes on in another function ends there, and returns what that returns."""
    for program in PROGRAM, WITH_SITES:
        found, _, _, _ = recorded("tail calls", dict(f_rest=by("RETURNED"), f_after=argument(0, mask=3)), program=program)
        counted("what jumps", found["f_rest"], [-(x + 1) for x in range(CALLS)])
        counted("what is jumped to", found["f_after"], [(x + 1) & 3 for x in range(CALLS)])


def causes():
    found, figures, _, _ = recorded("waits", dict(f_waits=argument(0)))
    counted("calls that wait", found["f_waits"], [i * 1000 for i in range(10)])
    for value, sums in figures[0].items():
        sleep = sums.metrics["SLEEP"]
        say(sleep["total"] >= value * 1000, "each has its own sleep", (value, sleep["total"]))
    with Agent() as agent:
        functions, reply = agent.run([PROGRAM, str(CALLS)], ["f_waits"], splits=dict(f_waits=argument(0)), events=True)
        agent.wait("recording_ended")
        counted("with events", values_of(agent, functions)[0]["f_waits"], [i * 1000 for i in range(10)])
        with tempfile.TemporaryDirectory() as folder:
            write_trace(agent, reply, folder)
            names, complaints, _ = read_trace(folder)
        equal("these are as ever", (names["call_entry"], names["call_exit"], complaints), (10, 10, []))


def with_conditions():
    """Values of calls that no condition is true of take no place."""
    late = [dict(field="RETURNED", bits=32, sign="SIGNED", mask=ALL_BITS, comparison="GREATER", value=989, if_true=MATCHES, if_false=DIFFERS)]
    early = [dict(late[0], field="ARGUMENT", argument=0)]
    for condition in late, early:
        for program in PROGRAM, WITH_SITES:
            found, _, _, _ = recorded("with a condition", dict(f_six=argument(0)), conditions=dict(f_six=condition), program=program)
            counted("of those that match", found["f_six"], range(990, CALLS))


def system_calls():
    for split, truth in ((by("RETURNED"), [-9 if i % 4 == 0 else i for i in range(CALLS)]), (argument(1, mask=7), [i & 7 for i in range(CALLS)]),
                         (by("THREAD_NAME"), ["conditions"] * CALLS)):
        with Agent() as agent:
            pid = agent.request("launch", arguments=[PROGRAM, str(CALLS)])["pid"]
            names = [dict(name="lseek"), dict(name="clock_nanosleep")]
            agent.request("start_recording", pid=pid, probes=[dict(function_id=0, system_call=names[0], split=split), dict(function_id=1, system_call=names[1])])
            agent.request("resume", pid=pid)
            agent.wait("recording_ended")
            invariants("system calls", agent, names)
            found, _ = values_of(agent, names)
            counted("a system call", found["lseek"], truth)
            equal("one without has none", found["clock_nanosleep"], {})


def nested():
    """What splitting costs the calls around is taken off them."""
    for split in argument(0), by("THREAD_NAME"):
        def recording():
            with Agent() as agent:
                functions, _ = agent.run([WITH_SITES, str(CALLS)], ["f_outer", "f_int"], splits=dict(f_int=split))
                ended = agent.wait("recording_ended")
                outer, truth = invariants("nested", agent, functions)["f_outer"], truth_of(agent.output())
            left = outer.total("ON_CPU") - truth["inner.cpu"] - 20 * 2000000
            return {"what calls cost that are split is taken off, by %s" % split["field"]: (
                abs(left) <= outer.uncertain_ns + 0.01 * outer.total("ON_CPU"),
                "%.3f ms left, %.3f removed, stated bound %.3f; %s" % (left / 1e6, outer.removed_ns / 1e6, outer.uncertain_ns / 1e6,
                                                                     ended["calibration_note"]))}
        say_by_most(recording)


def refusals():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PROGRAM, "10"])["pid"]
        functions = agent.find(pid, "", "f_int")
        for name, split in dict(argument=argument(6), bits=argument(0, bits=63), sign=argument(0, sign=3), field=by(5), no_field=by(0)).items():
            refused("a split: " + name, "BAD_REQUEST", lambda s=split: agent.record(pid, functions, splits=dict(f_int=s)))
        refused("by jumps", "UNSUPPORTED", lambda: agent.record(pid, functions, splits=dict(f_int=argument(0)), probe_way="PROBE_WAY_JUMP"))
        for point in dict(tracepoint=dict(category="sched", name="sched_switch")), dict(kernel_function=dict(name="vfs_read")):
            refused("of %s" % list(point)[0], "UNSUPPORTED", lambda p=point: agent.request(
                "start_recording", pid=pid, probes=[dict(function_id=0, split=argument(0), **p)]))
        many = agent.find(pid, "", "f_*")
        refused("of too many", "TOO_MANY", lambda: agent.record(pid, many, splits=collections.defaultdict(functools.partial(argument, 0), {
            f["symbol"]: argument(0) for f in many})))
        say(len(many) > 8 and any(c["name"] == "splits" and c["available"] for c in agent.hello["capabilities"]), "the agent says that it has them")
        agent.record(pid, functions, splits=dict(f_int=argument(0)))
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        counted("after refusals it records", values_of(agent, functions)[0]["f_int"], 23 * list(range(10)))


if __name__ == "__main__":
    run_tests(arguments, the_first_ones_stay, results, threads, jumps_to_others, causes, with_conditions, system_calls, refusals, nested)
