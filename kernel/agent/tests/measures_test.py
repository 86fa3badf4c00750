# SPDX-License-Identifier: GPL-2.0
"""What is counted within calls beside their time is what the kernel's account of the thread says of the same calls."""
import os
import tempfile

from checks import *

FAULTS, IO = (os.path.join(BUILD, "traced", p) for p in ("faults", "io"))
CALLS = 200
FILE_BYTES = 4 << 20


class Quantity:
    def __init__(self):
        self.count = self.total = self.max = 0
        self.buckets = {}

    def add(self, figures):
        self.count += figures["count"]
        self.total += figures["total_ns"]
        self.max = figures["max_ns"]
        for index, count in zip(figures["bucket_index"], figures["bucket_count"]):
            self.buckets[index] = self.buckets.get(index, 0) + count


def quantities_of(agent, functions):
    """By function's name and quantity."""
    found = {f["name"]: {} for f in functions}
    for delta in agent.all("histogram_delta"):
        for f in delta["functions"]:
            for quantity in f["quantities"]:
                found[functions[f["function_id"]]["name"]].setdefault(quantity["id"], Quantity()).add(quantity["figures"])
    return found


def recorded(name, program, patterns, measures, env=None, **options):
    with Agent(env=env) as agent:
        functions, reply = agent.run(program, patterns, measures=measures, **options)
        agent.wait("recording_ended")
        invariants(name, agent, functions)
        found = quantities_of(agent, functions)
        for function, quantities in found.items():
            for quantity, sums in quantities.items():
                equal("%s: %s of %s has each call in a bucket" % (name, quantity, function), sum(sums.buckets.values()), sums.count)
        return found, truth_of(agent.output()), reply, agent.figures(functions), agent.losses()["healed_switches"]


def total(found, function, quantity):
    return found[function][quantity].total if quantity in found[function] else 0


def of_deeper(most):
    """Faults of calls that each touch a page and call themselves, inclusive: of each level what lies within."""
    return sum(range(1, most + 2))


def faults():
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x" * FILE_BYTES)
        file.flush()
        for name, options in ("faults", {}), ("with events", dict(events=True)), ("by a value", dict(splits=dict(f_touch=dict(
                field="ARGUMENT", argument=1, bits=64, sign="SIGNED", mask=(1 << 64) - 1)))):
            found, truth, reply, figures, _ = recorded(name, [FAULTS, str(CALLS), file.name], ["f_*"], ["alloc"], **options)
            truth["f_touch.minor"] += sum(range(10))
            equal(name + ": those of all levels", truth["f_deep.minor"], sum(10 * i + 1 for i in range(10)))
            truth["f_deep.minor"] = sum(of_deeper(10 * i) for i in range(10))
            for function in "f_touch", "f_outer", "f_none", "f_deep", "f_read", "f_tail", "f_moves":
                for kind in "minor", "major":
                    equal("%s: %s of %s" % (name, kind, function), total(found, function, kind + "_faults"), truth["%s.%s" % (function, kind)])
            say(truth["f_read.major"] > 0 or truth["f_read.minor"] > 0, name + ": a mapped file has faults", (truth["f_read.major"], truth["f_read.minor"]))
            equal(name + ": a part of a call that went on is the other's as well", total(found, "f_after", "minor_faults"), truth["f_tail.minor"] // 2)
            equal(name + ": those that are left are not timed", (total(found, "f_left", "minor_faults"), figures["f_left"].count("WALL")), (0, 0))
            touched = found["f_touch"]["minor_faults"]
            calls = [i % 10 for i in range(CALLS)] * 2 + list(range(10))
            equal(name + ": a call without any is not counted", (touched.count, touched.max), (len([n for n in calls if n]), 9))
            equal(name + ": the others are in their buckets", touched.buckets, {n: calls.count(n) for n in range(1, 10)})
            equal(name + ": it is told what is counted", {tuple((q["id"], q["title"], q["unit"]) for q in probe["quantities"]) for probe in reply["probes"]},
                  {(("minor_faults", "minor page faults", "COUNT"), ("major_faults", "major page faults", "COUNT"))})


def with_conditions():
    """Of calls that no condition is true of nothing is counted."""
    more_than_7 = [dict(field="ARGUMENT", argument=1, bits=64, sign="SIGNED", mask=(1 << 64) - 1, comparison="GREATER", value=7, if_true=32, if_false=33)]
    found, _, _, figures, _ = recorded("with a condition", [FAULTS, str(CALLS)], ["f_touch"], ["alloc"], conditions=dict(f_touch=more_than_7))
    calls = [i % 10 for i in range(CALLS)] * 2 + list(range(10))
    equal("with a condition", (total(found, "f_touch", "minor_faults"), figures["f_touch"].count("WALL")),
          (sum(n for n in calls if n > 7), len([n for n in calls if n > 7])))


def block_io():
    """Past the page cache all bytes of a call are requests of its own."""
    blocks, block = 20, 64 << 10
    with tempfile.NamedTemporaryFile(dir=BUILD) as file:
        try:
            os.close(os.open(file.name, os.O_RDWR | os.O_DIRECT))
        except OSError as error:
            print("# I/O is not judged: %s is on no block device (%s)" % (BUILD, error))
            return
        for name, options in ("I/O", {}), ("I/O with events", dict(events=True)):
            found, _, reply, figures, _ = recorded(name, [IO, file.name, str(blocks)], ["f_*"], ["io", "alloc"], **options)
            # Beside a flush the file system may write what it knows of the file.
            of = {f: {q: (total(found, f, q), found[f][q].max if q in found[f] else 0) for q in ("io_read_bytes", "io_written_bytes")}
                  for f in found if f != "f_flush"}
            equal(name + ": bytes", of, dict(f_write=dict(io_read_bytes=(0, 0), io_written_bytes=(blocks * block, block)),
                                             f_read=dict(io_read_bytes=(3 * blocks * block, block), io_written_bytes=(0, 0)),
                                             f_twice=dict(io_read_bytes=(2 * blocks * block, 2 * block), io_written_bytes=(0, 0)),
                                             f_cached=dict(io_read_bytes=(0, 0), io_written_bytes=(0, 0)),
                                             **{f: dict(io_read_bytes=(0, 0), io_written_bytes=(0, 0)) for f in ("f_none", "f_left")}))
            equal(name + ": nothing is of a call that was left", (found["f_left"], figures["f_left"].abandoned), ({}, 1))
            # Where nothing has a cache there is nothing to flush.
            flushes = (("f_flush", 1),) if "io_requests" in found["f_flush"] else ()
            for function, least in ("f_write", blocks), ("f_read", 3 * blocks), ("f_twice", 2 * blocks), *flushes:
                requests = found[function]["io_requests"].total
                say(requests >= least, "%s: requests of %s" % (name, function), requests)
                device = found[function]["io_device_ns"]
                # This host does not report each event, of switches as of devices, and of one that is not seen to end nothing may be told.
                missing = requests - device.count - total(found, function, "io_untimed")
                say(0 <= missing <= 2, "%s: each request of %s has a time of the device" % (name, function), "%d, of %d" % (device.count, requests))
                # What a thread waits for ends after the device has, and begins before: but requests of one call may overlap.
                say(0 < device.max <= figures[function].max("WALL"), "%s: no request of %s takes longer than the longest call" % (name, function),
                    (device.max, figures[function].max("WALL")))
        # As a request is issued it has two entries for a moment, for which a map of one has no room.
        found, _, _, _, _ = recorded("I/O in a map without room", [IO, file.name, str(blocks)], ["f_*"], ["io"], env=dict(os.environ, KVIEW_AGENT_IO_REQUESTS="1"))
        for function in "f_write", "f_read", "f_twice":
            untimed, requests = (total(found, function, quantity) for quantity in ("io_untimed", "io_requests"))
            say(requests - 2 <= untimed <= requests and "io_device_ns" not in found[function], "requests of %s that find no room are counted" % function, (untimed, requests))
        equal("of what the device's time is told", {(q["id"], q["unit"], q["of"]) for q in reply["probes"][0]["quantities"] if q["id"].startswith("io")},
              {("io_requests", "COUNT", ""), ("io_read_bytes", "BYTES", ""), ("io_written_bytes", "BYTES", ""), ("io_device_ns", "NANOSECONDS", "requests"), ("io_untimed", "COUNT", "requests")})
        say("each request to a block device" in reply["filter_note"], "it is told what others pay", reply["filter_note"])


# Counters that each kernel has, of the same interface as the processor's: an agent with this counts them in their place.
SOFTWARE = dict(cycles="minor page faults", instructions="major page faults", cache_misses="page faults")


def counters():
    """What a CPU counts is the thread's that it runs, wherever that goes on, and however often others run there meanwhile."""
    env, judged = dict(os.environ, KVIEW_AGENT_COUNTERS="software"), set()
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x" * FILE_BYTES)
        file.flush()
        for name, options in ("counters", {}), ("counters by two probes", dict(env=dict(env, KVIEW_AGENT_PROBES="multi"))), ("counters with events", dict(events=True)):
            found, truth, reply, _, healed = recorded(name, [FAULTS, str(CALLS), file.name], ["f_*"], ["alloc", "counters"], **dict(dict(env=env), **options))
            truth["f_touch.minor"] += sum(range(10))
            truth["f_deep.minor"] = sum(of_deeper(10 * i) for i in range(10))
            for function in "f_touch", "f_outer", "f_none", "f_deep", "f_read", "f_tail", "f_moves":
                minor, major = (truth["%s.%s" % (function, kind)] for kind in ("minor", "major"))
                got, true = [total(found, function, quantity) for quantity in SOFTWARE], [minor, major, minor + major]
                what = "%s: %s of %s" % (name, ", ".join(SOFTWARE.values()), function)
                if not total(found, function, "counters_unread"):
                    judged.add(function)
                    equal(what, got, true)
                else:
                    # A switch was not reported, as this host may: then the calls around it are left out, and nothing is made up for them.
                    say(healed > 0 and all(g <= t for g, t in zip(got, true)), what + ", but for calls with a switch that was not reported",
                        (got, true, found[function]["counters_unread"].count, healed))
            equal(name + ": those that are left are not counted", total(found, "f_left", "cache_misses"), 0)
            equal(name + ": it is told what is counted", {q["id"] for q in reply["probes"][0]["quantities"]},
                  {"minor_faults", "major_faults", "cycles", "instructions", "cache_misses", "counters_unread"})
            say("each context switch" in reply["filter_note"], name + ": it is told what others pay", reply["filter_note"])
    equal("counters of all functions could be judged", judged, {"f_touch", "f_outer", "f_none", "f_deep", "f_read", "f_tail", "f_moves"})


def counters_of_this_host():
    """Where the processor's are not there, as in most virtual machines, it is said why, and nothing else is counted for them."""
    with Agent() as agent:
        told = next(c for c in agent.hello["capabilities"] if c["name"] == "measure-counters")
        pid = agent.request("launch", arguments=[FAULTS, "1"])["pid"]
        functions = agent.find(pid, "", "f_touch")
        if not told["available"]:
            say("not counted here: " in told["detail"], "the agent says why it has no counters", told["detail"])
            refused("counters where there are none", "UNSUPPORTED", lambda: agent.record(pid, functions, measures=["counters"]))
            return
    found, _, _, _, _ = recorded("the processor's", [FAULTS, str(CALLS)], ["f_touch"], ["counters"])
    # Of calls that touch no page or some: at least the loop's instructions, and a cycle for some of them.
    say(total(found, "f_touch", "instructions") >= 2 * CALLS and total(found, "f_touch", "cycles") > 0, "the processor's counters", found["f_touch"])


def not_asked_for():
    found, _, reply, _, _ = recorded("without", [FAULTS, str(CALLS)], ["f_touch"], [])
    equal("nothing is told where it was not asked for", (found, reply["probes"][0]["quantities"]), ({"f_touch": {}}, []))


def what_is_refused():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[FAULTS, "1"])["pid"]
        functions = agent.find(pid, "", "f_touch")
        read = [dict(function_id=0, binary="", symbol="", file_offset=0, system_call=dict(name="read"))]
        refused("what there is not", "UNSUPPORTED", lambda: agent.record(pid, functions, measures=["alloc", "moons"]))
        refused("by jumps", "UNSUPPORTED", lambda: agent.record(pid, functions, measures=["alloc"], probe_way="PROBE_WAY_JUMP"))
        refused("of a system call", "UNSUPPORTED", lambda: agent.request("start_recording", pid=pid, probes=read, measures=["alloc"]))
        say(any(c["name"] == "measure-alloc" and c["available"] for c in agent.hello["capabilities"]), "the agent says what it measures")


run_tests(faults, with_conditions, counters, counters_of_this_host, block_io, not_asked_for, what_is_refused)
