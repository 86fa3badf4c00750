# SPDX-License-Identifier: GPL-2.0
"""Recordings by jumps of a process that maps memory where jumps are to lead."""
from by_jumps import *
from checks import *
from running import Running

GRABS = os.path.join(BUILD, "traced", "grabs")
DEEP = os.path.join(BUILD, "traced", "deep_stack")
NAMES = ["f_one", "f_two", "f_three"]
CALLS = [3000, 1000, 1000]


def recorded(program, agent, while_it_begins=lambda: 0):
    """The ways in which they were measured, what was said of it, and what the program answers as the recording has begun."""
    functions = agent.find(program.pid, "", *NAMES)
    reply = by_jumps(agent, program.pid, functions)
    answer = while_it_begins()
    equal("the program calls", program.say("c"), ["1000"])
    agent.stop()
    figures = invariants("a process with other memory there", agent, functions)
    equal("all calls are counted", [counts(figures[n]) for n in NAMES], [(n, n, 0, 0) for n in CALLS])
    return dict(zip((f["name"] for f in functions), mechanisms(reply))), reply["waits_note"], answer


def noted(program):
    """The program knows where springboards were."""
    with Agent() as agent:
        ways, note, nr = recorded(program, agent, lambda: int(program.say("n")[0]))
        say(nr and set(ways.values()) == {"JUMP"}, "with nothing else there all are measured by jumps", "%d places; %s" % (nr, note))


def mapped_before():
    """What is there is known before: there are other places, or traps."""
    with Running(GRABS) as program:
        before = text_of(program.pid)
        noted(program)
        places = program.say("m")
        with Agent() as agent:
            ways, note, _ = recorded(program, agent)
        equal("who is left to traps is told", [n in note for n in NAMES], [ways[n] == "TRAP" for n in NAMES])
        equal("what the program mapped is still there", program.say("u"), places)
        equal("and its code is as before", text_of(program.pid) == before, True)


def mapped_meanwhile():
    """It maps it as memory for jumps is being mapped: then these functions are left to traps, and the recording begins all the same."""
    with Running(GRABS) as program:
        before = text_of(program.pid)
        noted(program)
        for _ in range(20):
            program.say("g")
            with Agent() as agent:
                ways, note, taken = recorded(program, agent, lambda: int(program.say("e")[0]))
            equal("what the program mapped is still there", int(program.say("u")[0]), taken)
            if taken:
                break
        say(taken and "TRAP" in ways.values(), "the program was faster", "%d places; %s" % (taken, ways))
        equal("who is left to traps is told", [n in note for n in NAMES], [ways[n] == "TRAP" for n in NAMES])
        say("mapped memory where jumps to them were to lead" in note and note.endswith("f_three."), "and why", note)
        equal("and its code is as before", text_of(program.pid) == before, True)


def workers(pid):
    return sum("iou-wrk" in open("/proc/%d/task/%s/comm" % (pid, tid)).read() for tid in os.listdir("/proc/%d/task" % pid))


def looked_through():
    """What a thread with much of its stack in use, and a worker of the kernel's, which has none, do not lead back to is taken away."""
    with Running(DEEP) as program, Agent() as agent:
        print("# workers of io_uring: %d" % workers(program.pid))
        functions = agent.find(program.pid, "", "f_work")
        before, maps = text_of(program.pid), code_without_file(program.pid)
        for turn in ("once", "once more"):
            equal("it is measured by jumps, " + turn, mechanisms(by_jumps(agent, program.pid, functions)), ["JUMP"])
            program.say("\n")
            equal("nothing is left", (agent.stop()["calibration_note"], text_of(program.pid) == before, code_without_file(program.pid)), ("", True, maps))


def code_without_file(pid):
    return [line.split()[0] for line in mappings(pid) if line.split()[1][2] == "x" and line.split()[4] == "0"]


if jumps_can_be_used():
    run_tests(mapped_before, mapped_meanwhile, looked_through)
