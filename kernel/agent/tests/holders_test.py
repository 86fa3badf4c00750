# SPDX-License-Identifier: GPL-2.0
"""Who held the locks that calls waited for, and where in the program they waited: of a program that knows it."""
from checks import *
from recorded_waits import *  # noqa: E402

HOLDERS = os.path.join(BUILD, "traced", "holders")
ROUNDS = 12
# As mechanism/bpf/waits.h has them.
STACKS, STACK_BYTES = 512, 8 * (17 + 1 + 1 + 2 * 8 + 512)
# By function: who holds its lock, and whether that is known.
HELD = {"f_other": "in", "f_recursive": "out", "f_robust": "out", "f_inherits": "in", "f_timed": "out", "f_shared": "child",
        "f_write": "in", "f_read": "out", "f_outer": "out", "f_write_behind_reader": None, "f_condition": None, "f_decoy": None}
NAMES = {"in": "in-function", "out": "outside", "child": "child"}
FUNCTIONS = ["f_holds", "f_mutex", "f_condition_and_mutex", *HELD]


def holder(wait):
    return (wait["holder_tid"], wait["holder_pid"], wait["holder_name"], wait["holder_function"]) if wait["holder_tid"] else None


def held(waits):
    """How many waits for locks, by who held them."""
    told = {}
    for wait in waits:
        if wait["metric"] == "LOCK":
            told[holder(wait)] = told.get(holder(wait), 0) + wait["waits"]
    return told


def truth(pid, numbers):
    who = {name: (numbers[name], numbers[name] if name == "child" else pid, NAMES[name], "f_holds" if name == "in" else "") for name in NAMES}
    expected = {name: {who.get(by): ROUNDS} for name, by in HELD.items()}
    outside = (ROUNDS + 2) // 3
    expected["f_mutex"] = {who["out"]: outside + ROUNDS, who["in"]: ROUNDS - outside}
    expected["f_condition_and_mutex"] = {None: ROUNDS, who["out"]: ROUNDS}
    return expected


def is_bounded(pid, waits, numbers, healed):
    """Of those of which a switch was not told nobody knows, but none is told of another one."""
    wrong = {}
    for name, expected in truth(pid, numbers).items():
        got = held(waits[name])
        if any(by and count > expected.get(by, 0) for by, count in got.items()):
            wrong[name] = got
    return wrong


def nested(force):
    """However the ends of calls are seen: return addresses may be replaced."""
    name = "with replaced return addresses" if force else "with probes on returns"
    found = undisturbed(lambda agent: recorded_of(agent, [HOLDERS, "3"], ["f_mutex", "f_outer", "f_holds"], waits=True, force_return_probes=force),
                        lambda pid, waits, numbers, healed: None)
    if not found:
        return
    reply, waits = found[1], found[3]
    kinds = {probe["exit_kind"] for probe in reply["probes"]}
    equal("%s: that is how they end" % name, kinds, {"EXIT_URETPROBE" if force else "EXIT_RETURN_SITES"})
    stacks = {(w["in_program"][-3:], w["is_whole"]) for w in waits["f_outer"] if w["metric"] == "LOCK"}
    equal("%s: the functions up to the outermost measured one" % name, stacks, {(("f_mutex", "in_between", "f_outer"), True)})
    stacks = {w["in_program"][-1] for w in waits["f_mutex"] if w["metric"] == "LOCK"}
    equal("%s: calls by different ways are told apart" % name, stacks, {"f_mutex", "f_outer"})


def nested_functions():
    nested(False)
    nested(True)


def each():
    found = undisturbed(lambda agent: recorded_of(agent, [HOLDERS, str(ROUNDS)], FUNCTIONS, waits=True), is_bounded)
    if not found:
        return
    pid, _, _, waits, numbers = found
    for name, expected in truth(pid, numbers).items():
        if name == "f_timed" and held(waits[name]) == {None: ROUNDS}:
            say(True, "%s: without symbols for debugging nobody knows that it waits for a mutex" % name)
            continue
        equal("%s: who held its lock" % name, held(waits[name]), expected)
    stacks = {(w["in_program"], w["is_whole"]) for w in waits["f_outer"] if w["metric"] == "LOCK"}
    say(len(stacks) == 1, "one place in the program is told as one", stacks)
    for stack, is_whole in stacks:
        equal("the functions from that on to the outermost measured one", (stack[-3:], is_whole), (("f_mutex", "in_between", "f_outer"), True))
        say(any(name.lstrip("_").startswith("pthread_mutex_lock") for name in stack[:-3]), "and those of the C library", stack)


def apart():
    """A holder in another PID namespace is number 2 there, as somebody else is here."""
    found = undisturbed(lambda agent: recorded_of(agent, [HOLDERS, "3", "apart"], ["f_shared", "f_robust"], waits=True),
                        lambda pid, waits, numbers, healed: None)
    if found:
        pid, waits, numbers = found[0], found[3], found[4]
        equal("its number there", numbers["child"], 2)
        equal("nobody else is told to hold its lock", held(waits["f_shared"]), {None: 3})
        equal("who holds locks here is told", held(waits["f_robust"]), {(numbers["out"], pid, NAMES["out"], ""): 3})


def no_room():
    """What finds no room for its stack is counted, and nothing is proven of it."""
    rounds = 3
    found = undisturbed(lambda agent: recorded_of(agent, [HOLDERS, str(rounds)], ["f_inherits", "f_recursive"],
                                                  prepare=lambda agent: fill_map(agent, STACKS, STACK_BYTES), waits=True),
                        lambda pid, waits, numbers, healed: None)
    if not found:
        return
    pid, waits, numbers = found[0], found[3], found[4]
    for name, by in (("f_inherits", (numbers["in"], pid, NAMES["in"], "")), ("f_recursive", None)):
        equal("%s: without room for stacks the kernel's word alone is told" % name, held(waits[name]), {by: rounds})
        equal("%s: that there was none is said" % name, {w["user_stack_of_many"] for w in waits[name] if w["metric"] == "LOCK"}, {True})


run_tests(no_room, each, apart, nested_functions)
