# SPDX-License-Identifier: GPL-2.0
"""Functions and system calls in one recording: several mechanisms share its points."""
import re
import signal
import tempfile

from by_jumps import by_jumps, counts, jumps_can_be_used
from checks import *
from traces import check_packets, read_trace, write_trace

# As a user may ask for them, in no order of kinds.
NAMES = ["naps", "getppid", "computes", "asks", "clock_nanosleep", "read", "hands_over", "write", "fsync"]
FUNCTIONS = ["naps", "computes", "asks", "hands_over"]
# What each function makes, of what is measured.
MADE = {"naps": ["clock_nanosleep"], "asks": ["getppid"], "hands_over": ["read", "write"]}


def probes(found, names):
    """By name: functions that were found, and system calls."""
    by_name = {f["name"].split("(")[0]: f for f in found}
    return [dict(function_id=i, binary=by_name[n]["binary"], symbol=by_name[n]["symbol"],
                 file_offset=by_name[n]["file_offset"], user_function={}) if n in by_name
            else dict(function_id=i, system_call=dict(name=n)) for i, n in enumerate(names)]


def record(agent, program, arguments, functions, names, **options):
    pid = agent.request("launch", arguments=[os.path.join(BUILD, "traced", program)] + arguments)["pid"]
    reply = agent.request("start_recording", pid=pid, probes=probes(agent.find(pid, "", *functions), names), **options)
    agent.request("resume", pid=pid)
    return pid, reply


def truth_of_syscalls(f, truth):
    for name in "asks", "getppid", "hands_over", "computes", "read":
        equal(f"calls of {name}", (f[name].calls, f[name].count("WALL")), (truth["calls"], truth["calls"]))
    equal("writes, and one of the program's output", f["write"].calls, truth["calls"] + 1)
    for name in "naps", "clock_nanosleep":
        equal(f"calls of {name}", f[name].calls, truth["calls"] // 100)
    say(not f["fsync"].calls, "what is not called has no calls")
    for function, made in MADE.items():
        inner = sum(f[name].total("WALL") for name in made)
        if "write" in made:
            inner -= f["write"].max("WALL")     # of which one is the output's
        outer = f[function].total("WALL") + f[function].uncertain_ns
        say(outer >= inner, f"{function} takes no less than the system calls that it makes", f"{outer} {inner}")
    for name in NAMES:
        equal(f"all calls of {name} are accounted for", f[name].unaccounted(), 0)
    for name in FUNCTIONS:
        say("ON_CPU" in f[name].metrics, f"the time on a CPU is measured of {name}")
    for name in set(NAMES) - set(FUNCTIONS) - {"fsync"}:
        equal(f"and of {name}", f[name].count("ON_CPU"), f[name].count("WALL"))


def exact():
    """Each kind as if it were alone, in the order that was asked for."""
    with Agent() as agent:
        _, reply = record(agent, "syscalls", ["2000"], FUNCTIONS, NAMES)
        agent.wait("recording_ended")
        equal("each is measured as its kind is", [p["mechanism"] for p in reply["probes"]],
              ["MECHANISM_TRAP" if n in FUNCTIONS else "MECHANISM_TRACEPOINT" for n in NAMES])
        equal("in the order that was asked for", [p["function_id"] for p in reply["probes"]], list(range(len(NAMES))))
        say("context switches" in reply["filter_note"] and "system calls" in reply["filter_note"],
            "what others pay is told of both", reply["filter_note"])
        equal("files are those of the functions", len(reply["binaries"]), 1)
        truth_of_syscalls(agent.figures([dict(name=n) for n in NAMES]), truth_of(agent.output()))
        losses = {k: v for k, v in agent.losses().items() if v and k != "healed_switches"}
        equal("nothing was lost", losses, {})


def told_events():
    """Those of functions, by the ids that the recording has for them."""
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        _, reply = record(agent, "syscalls", ["300"], FUNCTIONS, NAMES, events=True)
        agent.wait("recording_ended")
        truth = truth_of(agent.output())
        write_trace(agent, reply, folder)
        check_packets(agent)
        _, complaints, text = read_trace(folder)
        equal("the trace is read without complaint", complaints, [])
        exits = re.findall(r'kview:call_exit:[^"]*"(\w+)', text)
        for name in "asks", "computes", "hands_over":
            equal(f"an event for each call of {name}", exits.count(name), truth["calls"])
        equal("and for none else", set(exits), set(FUNCTIONS))


def counted(agent, point):
    """So far."""
    return max((f["calls"] for d in agent.all("histogram_delta") for f in d["functions"] if f["function_id"] == point),
               default=0)


def one_kind_comes_off():
    """A function that is too dear comes off, and system calls are counted on: the other function makes few more."""
    names = ["f_hot", "clock_nanosleep", "f_kept"]
    with Agent() as agent:
        pid, _ = record(agent, "spender", ["1", "20000", "1000", "pause"], ["f_hot", "f_kept"], names,
                        interval_ms=50, budget_ppm=50000)
        agent.wait("histogram_delta", where=lambda d: any(f["probes_off"] for f in d["functions"]))
        before = counted(agent, 1)
        agent.wait("histogram_delta", where=lambda d: counted(agent, 1) > before + 20)
        os.kill(pid, signal.SIGUSR1)
        agent.wait("recording_ended")
        f, truth = agent.figures([dict(name=n) for n in names]), truth_of(agent.output())
        say(f["f_hot"].off and f["f_hot"].calls < truth["hot"], "the dear function comes off", f["f_hot"].off)
        equal("the other function stays", (f["f_kept"].calls, f["f_kept"].off), (truth["kept"], ""))
        equal("and so does the system call", (f["clock_nanosleep"].calls, f["clock_nanosleep"].off), (truth["kept"], ""))
        for name in names:
            equal(f"all calls of {name} are accounted for", f[name].unaccounted(), 0)


def dear_system_calls_end_nothing():
    """They come off, and go on as calls that are not measured, which cost as well: functions are measured on."""
    names = ["f_kept", "getppid", "fsync"]
    with Agent() as agent:
        pid, _ = record(agent, "spender", ["1", "20000", "500000", "ask"], ["f_kept"], names,
                        interval_ms=50, budget_ppm=50000)
        agent.wait("histogram_delta", where=lambda d: any(f["function_id"] == 1 and f["probes_off"] for f in d["functions"]))
        before = counted(agent, 0)
        agent.wait("histogram_delta", where=lambda d: counted(agent, 0) > before + 100)
        os.kill(pid, signal.SIGUSR1)
        ended = agent.wait("recording_ended")
        f, truth = agent.figures([dict(name=n) for n in names]), truth_of(agent.output())
        say(f["getppid"].off and f["getppid"].calls < truth["hot"], "the dear system call comes off", f["getppid"].off)
        equal("the function stays to the end", (f["f_kept"].calls, f["f_kept"].off), (truth["kept"], ""))
        say("budget" not in str(ended), "and the recording", ended)
        for name in names:
            equal(f"all calls of {name} are accounted for", f[name].unaccounted(), 0)


def jumps_are_no_compiler():
    """What jumps put into the process is not the process's own code, which would keep return addresses from being replaced."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "sleep", "300"])["pid"]
        found = sorted(agent.find(pid, "", "f_stays", "f_sleep"), key=lambda f: f["name"], reverse=True)
        reply = by_jumps(agent, pid, found, interval_ms=50)
        equal("one is measured by jumps, the other by a replaced return address",
              [(p["mechanism"], p["exit_kind"]) for p in reply["probes"]],
              [("MECHANISM_TRAP", "EXIT_URETPROBE"), ("MECHANISM_JUMP", "EXIT_RETURN_SITES")])
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f = agent.figures(found)
        for name, calls in (("f_sleep", 300), ("f_stays", 1)):
            equal(name + " keeps its probes to the end", (f[name].off, counts(f[name])), ("", (calls, calls, 0, 0)))


def refused_as_one():
    """What one mechanism refuses, no other measures."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[os.path.join(BUILD, "traced", "syscalls"), "10"])["pid"]
        found = agent.find(pid, "", *FUNCTIONS)
        for names, code, what in (["asks", "raed"], "NO_SUCH_FUNCTION", "a system call that there is none"), \
                                 (["getppid", "asks", "asks"], "BAD_REQUEST", "a function that was chosen twice"):
            refused(what, code, lambda: agent.request("start_recording", pid=pid, probes=probes(found, names)))
        unknown = probes(found, ["asks"]) + [dict(function_id=1)]
        refused("a kind of point that is not known", "UNSUPPORTED",
                lambda: agent.request("start_recording", pid=pid, probes=unknown))
        agent.request("start_recording", pid=pid, probes=probes(found, NAMES))
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        equal("what comes after it is measured", agent.figures([dict(name=n) for n in NAMES])["asks"].calls, 20)


run_tests(exact, told_events, one_kind_comes_off,
          dear_system_calls_end_nothing, refused_as_one, *[jumps_are_no_compiler] * jumps_can_be_used())
