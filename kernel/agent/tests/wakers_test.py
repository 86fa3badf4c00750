# SPDX-License-Identifier: GPL-2.0
"""For what calls waited, and who woke them: of a program that knows it."""
from checks import *

WAKERS = os.path.join(BUILD, "traced", "wakers")
FUNCTIONS = ["f_wait", "f_outer", "f_read", "f_sleep"]


def recorded(agent, rounds, locks=0, **options):
    """The process is there until its figures were told: names of what lies in its memory are had while it lives."""
    pid = agent.request("launch", arguments=[WAKERS, str(rounds), str(locks)])["pid"]
    functions = agent.find(pid, "", *FUNCTIONS)
    reply = agent.record(pid, functions, **options)
    agent.request("resume", pid=pid)
    agent.wait("process_output", where=lambda output: b"done" in output["data"])
    agent.stop()
    agent.request("end_program", pid=pid, force=True)
    waits = {}
    for delta in agent.all("histogram_delta"):
        for function in delta["functions"]:
            waits[functions[function["function_id"]]["name"]] = function["waits"]
    numbers = dict(line.split() for line in agent.output().decode().splitlines())
    return pid, reply, agent.figures(functions), waits, {name: int(number) for name, number in numbers.items()}


def told(waits, metric):
    """How many, by who woke it and by the lock."""
    return {(w["waker"], w["waker_tid"], w["waker_pid"], w["waker_name"], w["lock_name"]): w["waits"]
            for w in waits if w["metric"] == metric}


def exact():
    rounds = 60
    with Agent() as agent:
        pid, reply, figures, waits, numbers = recorded(agent, rounds, waits=True)
        healed = agent.losses()["healed_switches"]
    equal("the start says that waits are told", {p["waits"] for p in reply["probes"]}, {True})
    if healed:
        print("# %d switches were not reported: not judged" % healed, flush=True)
        return
    a = ("THREAD", numbers["waker-a"], pid, "waker-a", "cache+0x28")
    b = ("THREAD", numbers["waker-b"], pid, "waker-b", "cache+0x28")
    equal("waits by who released the lock, and which it is", told(waits["f_wait"], "LOCK"), {a: 2 * rounds - rounds // 3, b: rounds // 3})
    equal("those within another function are its own as well", told(waits["f_outer"], "LOCK"), {a: rounds})
    equal("another process wakes who reads from a pipe", told(waits["f_read"], "NETWORK"),
          {("THREAD", numbers["writer"], numbers["writer"], "writer", ""): rounds})
    equal("a timer is no thread", told(waits["f_sleep"], "SLEEP"), {("INTERRUPT", 0, 0, "", ""): rounds})
    for name, metric in (("f_wait", "LOCK"), ("f_outer", "LOCK"), ("f_read", "NETWORK"), ("f_sleep", "SLEEP")):
        figure = figures[name]
        if figure.inconsistent:
            print("# %s: calls were shortened, not judged" % name, flush=True)
            continue
        equal("%s: the sum of waits is the cause's time, in ns" % name,
              sum(w["time_ns"] for w in waits[name] if w["metric"] == metric), figure.total(metric))


def too_many():
    locks = 5000
    with Agent() as agent:
        _, _, figures, waits, _ = recorded(agent, 0, locks, waits=True)
        healed = agent.losses()["healed_switches"]
    if healed:
        print("# %d switches were not reported: not judged" % healed, flush=True)
        return
    waits = [w for w in waits["f_wait"] if w["metric"] == "LOCK"]
    others = [w for w in waits if w["waker"] == "OTHERS"]
    say(len(others) == 1 and 0 < others[0]["waits"] < locks, "what finds no place is told as others", others)
    equal("no wait is lost", sum(w["waits"] for w in waits), locks)
    equal("nor its time", sum(w["time_ns"] for w in waits), figures["f_wait"].total("LOCK"))


def not_asked():
    with Agent() as agent:
        _, reply, _, waits, _ = recorded(agent, 3)
    equal("without it nothing is told", ({p["waits"] for p in reply["probes"]}, [w for w in waits.values() if w]), ({False}, []))


run_tests(exact, too_many, not_asked)
