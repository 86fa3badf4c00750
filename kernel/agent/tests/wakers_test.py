# SPDX-License-Identifier: GPL-2.0
"""For what calls waited, where in the kernel, and who woke them: of a program that knows it."""
import tempfile

from checks import *
from recorded_waits import *  # noqa: E402

WAKERS, REQUEUES = (os.path.join(BUILD, "traced", name) for name in ("wakers", "requeues"))
FUNCTIONS = ["f_wait", "f_outer", "f_read", "f_receive", "f_sleep"]
# As mechanism/bpf/waits.h has them.
STACKS, STACK_BYTES = 1024, 32 * 8


def recorded(agent, rounds, locks=0, **options):
    return recorded_of(agent, [WAKERS, str(rounds), str(locks)], FUNCTIONS, **options)


def told(waits, metric):
    """How many, by who woke it and by the lock."""
    told = {}
    for w in waits:
        if w["metric"] == metric:
            key = w["waker"], w["waker_tid"], w["waker_pid"], w["waker_name"], w["lock_name"]
            told[key] = told.get(key, 0) + w["waits"]
    return told


def places(waits, metric):
    return {w["at"] for w in waits if w["metric"] == metric}


def one_of(name, got, expected):
    """Of kernels of different versions each has one of these names."""
    say(len(got) == 1 and got <= expected, name, got)


# The wait's cause, by function.
CAUSES = (("f_wait", "LOCK"), ("f_outer", "LOCK"), ("f_read", "NETWORK"), ("f_receive", "NETWORK"), ("f_sleep", "SLEEP"))


def is_the_time(name, waits, figure, metric):
    """A call that is shorter than what its probes take is made to fit, and its cause's time with it."""
    ns, shortened = sum(w["time_ns"] for w in waits if w["metric"] == metric), figure.inconsistent
    say(ns >= figure.total(metric) if shortened else ns == figure.total(metric), name,
        "%d, of %d%s" % (ns, figure.total(metric), shortened and ", %d calls were shortened" % shortened or ""))


def exact():
    rounds = 60

    def expected(pid, numbers):
        a = ("THREAD", numbers["waker-a"], pid, "waker-a", "cache+0x28")
        b = ("THREAD", numbers["waker-b"], pid, "waker-b", "cache+0x28")
        writer = ("THREAD", numbers["writer"], numbers["writer"], "writer", "")
        shared = a[:-1] + ("[shared memory]",)
        return {"f_wait": {a: 2 * rounds - rounds // 3, b: rounds // 3, shared: 1}, "f_outer": {a: rounds},
                "f_read": {writer: rounds}, "f_receive": {writer: rounds},
                "f_sleep": {("INTERRUPT", 0, 0, "", ""): rounds}}

    def is_bounded(pid, waits, numbers, healed):
        """Nothing is told twice, or of another one; what is missing are waits of which the kernel did not tell a switch."""
        wrong = {}
        for name, metric in CAUSES:
            got, truth = told(waits[name], metric), expected(pid, numbers)[name]
            known = {waker: count for waker, count in got.items() if waker[0] != "UNKNOWN"}
            if any(count > truth.get(waker, 0) for waker, count in known.items()) or \
                    not sum(truth.values()) - healed <= sum(got.values()) <= sum(truth.values()) + healed:
                wrong[name] = got
        return wrong

    found = undisturbed(lambda agent: recorded(agent, rounds, waits=True), is_bounded)
    if not found:
        return
    pid, reply, figures, waits, numbers = found
    truth = expected(pid, numbers)
    equal("the start says that waits are told", {p["waits"] for p in reply["probes"]}, {True})
    equal("waits by who released the lock, and which it is", told(waits["f_wait"], "LOCK"), truth["f_wait"])
    equal("those within another function are its own as well", told(waits["f_outer"], "LOCK"), truth["f_outer"])
    equal("another process wakes who reads from a pipe", told(waits["f_read"], "NETWORK"), truth["f_read"])
    equal("or from a socket", told(waits["f_receive"], "NETWORK"), truth["f_receive"])
    equal("a timer is no thread", told(waits["f_sleep"], "SLEEP"), truth["f_sleep"])
    one_of("where it waits for a lock", places(waits["f_wait"], "LOCK"),
           {"futex_do_wait", "futex_wait", "futex_wait_queue", "futex_wait_queue_me"})
    one_of("where it waits for a pipe", places(waits["f_read"], "NETWORK"), {"anon_pipe_read", "pipe_read"})
    one_of("where it waits for a socket, and not in what others wait in as well", places(waits["f_receive"], "NETWORK"),
           {"__unix_dgram_recvmsg", "unix_dgram_recvmsg"})
    one_of("where it sleeps", places(waits["f_sleep"], "SLEEP"), {"hrtimer_nanosleep", "common_nsleep"})
    stack = next(w["stack"] for w in waits["f_receive"] if w["metric"] == "NETWORK")
    say(stack[0].startswith("__skb_wait_for_more_packets") and "vfs_read" in stack[1:], "the whole stack is told, the innermost function first",
        stack)
    for name, metric in CAUSES:
        is_the_time("%s: the sum of waits is the cause's time, in ns" % name, waits[name], figures[name], metric)


def which_futex():
    """Of a wait that another thread moves to another futex the one by which it began; of a wait for several none."""
    names = ["f_moved", "f_moved_to_lock", "f_several"]

    def is_bounded(pid, waits, numbers, healed):
        return [waits[name] for name in names if sum(w["waits"] for w in waits[name] if w["metric"] == "LOCK") > 1 + healed]

    found = undisturbed(lambda agent: recorded_of(agent, [REQUEUES], names, waits=True), is_bounded)
    if not found:
        return
    _, _, _, waits, results = found
    for name, result, lock in (("f_moved", "moved", "first"), ("f_moved_to_lock", "to_lock", "with_lock"), ("f_several", "several", "")):
        if results[result] >= 0:
            equal("%s: the lock that is told" % name, [(w["lock_name"], bool(w["lock_address"]), w["waits"]) for w in waits[name]],
                  [(lock, bool(lock), 1)])


def too_many():
    locks = 5000

    def is_bounded(pid, waits, numbers, healed):
        nr = sum(w["waits"] for w in waits["f_wait"] if w["metric"] == "LOCK")
        return None if locks - healed <= nr <= locks + healed else nr

    found = undisturbed(lambda agent: recorded(agent, 0, locks, waits=True), is_bounded)
    if not found:
        return
    _, _, figures, waits, _ = found
    waits = [w for w in waits["f_wait"] if w["metric"] == "LOCK"]
    others = [w for w in waits if w["waker"] == "OTHERS"]
    say(len(others) == 1 and 0 < others[0]["waits"] < locks, "what finds no place is told as others", others)
    equal("no wait is lost", sum(w["waits"] for w in waits), locks)
    is_the_time("nor its time", waits, figures["f_wait"], "LOCK")


def not_asked():
    with Agent() as agent:
        _, reply, _, waits, _ = recorded(agent, 3)
    equal("without it nothing is told", ({p["waits"] for p in reply["probes"]}, [w for w in waits.values() if w]), ({False}, []))


def no_room():
    rounds = 6

    def is_bounded(pid, waits, numbers, healed):
        nr = sum(w["waits"] for w in waits["f_receive"] if w["metric"] == "NETWORK")
        return None if rounds - healed <= nr <= rounds + healed else nr

    found = undisturbed(lambda agent: recorded(agent, rounds, prepare=lambda agent: fill_map(agent, STACKS, STACK_BYTES), waits=True), is_bounded)
    if not found:
        return
    waits = found[3]
    equal("a stack that finds no place is told as that", places(waits["f_receive"], "NETWORK"), {"PLACE_OTHERS"})
    equal("and its waits are counted", sum(w["waits"] for w in waits["f_receive"] if w["metric"] == "NETWORK"), rounds)


def hidden_names():
    with tempfile.NamedTemporaryFile("w") as names:
        names.write("0000000000000000 A fixed_percpu_data\n0000000000000000 T startup_64\n")
        names.flush()
        with Agent(command=("unshare", "-m", "sh", "-c", 'mount --bind "$1" /proc/kallsyms && exec "$0"',
                            os.environ["KVIEW_AGENT"], names.name)) as agent:
            _, _, _, waits, _ = recorded(agent, 3, waits=True)
    equal("where the kernel hides its names, that is told", places(waits["f_receive"], "NETWORK"), {"PLACE_HIDDEN"})
    say(all(not w["stack"] for w in waits["f_receive"]), "and no stack", waits["f_receive"])


run_tests(exact, which_futex, too_many, not_asked, no_room, hidden_names)
