# SPDX-License-Identifier: GPL-2.0
"""Pairs of static probes (USDT): what is between a begin and an end of one thread is measured as a function's call is."""
import tempfile

from checks import *
from traces import read_trace, write_trace

PROGRAM, STATICS = (os.path.join(BUILD, "traced", name) for name in ("pairs", "statics-pie"))
ROUNDS, DEEP, PLACES = 300, 200, 128
PAIRS = dict(work=("work__start", "work__done"), other=("other__start", "other__done"), handed=("handed__start", "handed__done"),
             deep=("deep__start", "deep__done"), failing=("failing__start", "failing__done"), first=("first__start", "first__done"),
             second=("second__start", "second__done"))


def pair(number, begins, ends, provider="pairs", binary=""):
    return dict(function_id=number, binary=binary, static_pair=dict(provider=provider, begins=begins, ends=ends))


def recorded(names=tuple(PAIRS), env=None, **options):
    with Agent(**(dict(env=env) if env else {})) as agent:
        pid = agent.request("launch", arguments=[PROGRAM, str(ROUNDS)])["pid"]
        reply = agent.request("start_recording", pid=pid, probes=[pair(i, *PAIRS[name]) for i, name in enumerate(names)], **options)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f = invariants("pairs", agent, [dict(name=name) for name in names])
        told = dict(line.split() for line in agent.output().decode().splitlines())
        return f, reply, agent, {name: int(number) for name, number in told.items()}


def counted(f):
    return dict(calls=f.calls, timed=f.count("WALL"), abandoned=f.abandoned, unfinished=f.unfinished)


def each_kind():
    f, _, agent, told = recorded()
    equal("work is timed from any of its begins to its end", counted(f["work"]), dict(calls=ROUNDS + 2, timed=ROUNDS + 2, abandoned=0, unfinished=0))
    equal("what goes across it as well", counted(f["other"]), dict(calls=ROUNDS, timed=ROUNDS, abandoned=0, unfinished=0))
    # The last two are one within the other: 20 ms each.
    wall, nested = f["work"].total("WALL"), 40000000
    doubt = f["work"].uncertain_ns + (ROUNDS + 2) * 2000
    say(told["least"] + nested - doubt <= wall, "no less than the program slept by its own clock", (told, wall, doubt))
    sleep = f["work"].metrics["SLEEP"]
    equal("each sleeps", (sleep["count"], f["other"].count("SLEEP")), (ROUNDS + 2, ROUNDS))
    say(sleep["total"] >= ROUNDS * 1000000 + nested, "and for as long as was asked", sleep["total"])
    equal("a begin on one thread and an end on another one are no call", counted(f["handed"]),
          dict(calls=ROUNDS, timed=0, abandoned=ROUNDS - 1, unfinished=1))
    equal("what begins again where it has not ended was left without an end", counted(f["failing"]),
          dict(calls=ROUNDS, timed=ROUNDS // 2, abandoned=ROUNDS // 2, unfinished=0))
    for name in "first", "second":
        equal("one that ends, or begins, at the instruction of another's probe: " + name, counted(f[name]),
              dict(calls=ROUNDS, timed=ROUNDS, abandoned=0, unfinished=0))
    # Of each 129th begin on the 64 outermost are given up.
    given_up = (DEEP - PLACES + PLACES // 2 - 1) // (PLACES // 2) * (PLACES // 2)
    equal("the outermost of a deep nest are given up", counted(f["deep"]), dict(calls=DEEP, timed=DEEP - given_up, abandoned=given_up, unfinished=0))
    equal("ends without begins are told", agent.losses()["unmatched_returns"], ROUNDS + given_up + 3)


def at_one_instruction():
    """Hits of two static probes at one instruction are each one's own."""
    names = ["pairs:first__done", "pairs:second__start", "pairs:second__done"]
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PROGRAM, str(ROUNDS)])["pid"]
        agent.request("start_recording", pid=pid, probes=[dict(function_id=i, binary="", static_probe=dict(zip(("provider", "name"), name.split(":"))))
                                                          for i, name in enumerate(names)])
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        equal("of two static probes at one instruction", {name: f.calls for name, f in agent.figures([dict(name=n) for n in names]).items()},
              dict.fromkeys(names, ROUNDS))


def one_by_one():
    """By perf's events, as older kernels have them."""
    f, _, agent, _ = recorded(["work", "handed"], dict(os.environ, KVIEW_AGENT_PROBES="single"))
    equal("by single probes", (counted(f["work"]), agent.losses()["unmatched_returns"]),
          (dict(calls=ROUNDS + 2, timed=ROUNDS + 2, abandoned=0, unfinished=0), ROUNDS))


def most_of_it():
    """No more than was between two looks at the clock around it: which another program decides as well, so most recordings judge."""
    def recording():
        f, _, _, told = recorded(["work"])
        wall = f["work"].total("WALL") - 40000000
        doubt = f["work"].uncertain_ns + f["work"].removed_ns + (ROUNDS + 2) * 2000
        return {"no more than around it": (wall <= told["most"] + doubt + 40000000, "%d of %d, %d in doubt" % (wall, told["most"], doubt))}
    say_by_most(recording)


def with_all_else():
    """Events, waits, a system call and hits of static probes beside it."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PROGRAM, str(ROUNDS)])["pid"]
        probes = [pair(0, *PAIRS["work"]), dict(function_id=1, system_call=dict(name="clock_nanosleep"))]
        reply = agent.request("start_recording", pid=pid, probes=probes, events=True, waits=True)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f = invariants("with events", agent, [dict(name="work"), dict(name="sleep")])
        equal("calls", (f["work"].count("WALL"), f["sleep"].calls), (ROUNDS + 2, 3 * ROUNDS + 1))
        waits = [w for d in agent.all("histogram_delta")[-1:] for told in d["functions"] if told["function_id"] == 0 for w in told["waits"]]
        healed, nr = agent.losses()["healed_switches"], sum(w["waits"] for w in waits if w["metric"] == "SLEEP")
        say(ROUNDS + 2 - healed <= nr <= ROUNDS + 2, "it is told what they wait in", "%d, %d switches healed" % (nr, healed))
        equal("and by which call", {w["system_call"] for w in waits if w["metric"] == "SLEEP"}, {"clock_nanosleep"})
        equal("no event is lost", agent.losses()["events_dropped"], 0)
        with tempfile.TemporaryDirectory() as folder:
            write_trace(agent, reply, folder)
            names, complaints, _ = read_trace(folder)
        equal("each call has two events", (names["call_entry"], names["call_exit"], complaints), (ROUNDS + 2, ROUNDS + 2, []))


def what_can_not_be():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PROGRAM, "3"])["pid"]
        statics = agent.request("launch", arguments=[STATICS, "3"])["pid"]

        def start(*probes, process=pid, **options):
            return agent.request("start_recording", pid=process, probes=list(probes), **options)
        work = pair(0, *PAIRS["work"])
        refused("an end that there is not", "NO_SUCH_FUNCTION", lambda: start(pair(0, "work__start", "work__end")))
        refused("one that is both", "BAD_REQUEST", lambda: start(pair(0, "work__start", "work__start")))
        refused("one twice", "BAD_REQUEST", lambda: start(work, dict(work, function_id=1)))
        refused("a nop whose cost is not known", "NOT_PROBEABLE", lambda: start(pair(0, "places", "fast", "traced"), process=statics))
        refused("in a kernel view", "UNSUPPORTED", lambda: start(work, filter="FILTER_VIEW"))
        function = agent.find(pid, "", "begin_work")[0]
        refused("with functions", "UNSUPPORTED", lambda: start(work, dict(
            function_id=1, binary=function["binary"], symbol=function["symbol"], file_offset=function["file_offset"], user_function={})))
        start(work)
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        equal("after all that", agent.figures([dict(name="work")])["work"].count("WALL"), 5)


def collections_of_python():
    """Debian's own collects garbage as often as it is told, for as long as it sees itself."""
    python = "/usr/bin/python3.11"
    if not os.path.exists(python):
        return say(True, "there is no python3.11 here")
    script = "import gc, time\ngc.disable()\nkept = [[] for _ in range(100000)]\nt = time.perf_counter_ns()\nfor _ in range(20): gc.collect()\n" \
        "print('took', time.perf_counter_ns() - t)\ngc.enable()\n"
    with Agent() as agent:
        pid = agent.request("launch", arguments=[python, "-S", "-c", script])["pid"]
        agent.request("start_recording", pid=pid, probes=[pair(0, "gc__start", "gc__done", "python", python)])
        agent.request("resume", pid=pid)
        agent.wait("recording_ended")
        f = invariants("python", agent, [dict(name="gc")])["gc"]
        took = int(agent.output().split()[1])
        say(f.count("WALL") == f.calls >= 20, "each collection is timed", counted(f))
        say(f.total("WALL") >= 0.9 * took - f.uncertain_ns, "and most of the time around them is theirs", (f.total("WALL"), took))
        equal("and none ends twice", agent.losses()["unmatched_returns"], 0)


run_tests(each_kind, at_one_instruction, one_by_one, most_of_it, with_all_else, what_can_not_be, collections_of_python)
