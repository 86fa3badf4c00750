# SPDX-License-Identifier: GPL-2.0
"""Recordings of what calls waited for, of programs that know it."""
from checks import *


def recorded_of(agent, arguments, names, prepare=lambda agent: None, **options):
    """The process is there until its figures were told: names of what lies in its memory are had while it lives."""
    pid = agent.request("launch", arguments=arguments)["pid"]
    functions = agent.find(pid, "", *names)
    reply = agent.record(pid, functions, **options)
    prepare(agent)
    agent.request("resume", pid=pid)
    agent.wait("process_output", where=lambda output: b"done" in output["data"])
    agent.stop()
    agent.request("end_program", pid=pid, force=True)
    waits = {}
    for delta in agent.all("histogram_delta"):
        for function in delta["functions"]:
            for wait in function["waits"]:
                stack = function["kernel_stacks"][wait["kernel_stack"]] if wait["place"] == "PLACE_STACK" else None
                wait["stack"] = stack["functions"] if stack else []
                wait["opened"] = function["open_files"][wait["open_file"] - 1] if wait["open_file"] else None
                program = function["user_stacks"][wait["user_stack"] - 1] if wait["user_stack"] else None
                wait["in_program"], wait["is_whole"] = (tuple(program["functions"]), program["is_whole"]) if program else ((), False)
                wait["at"] = stack["functions"][stack["place"]].split(".")[0] if stack else wait["place"]
            waits[functions[function["function_id"]]["name"]] = function["waits"]
    numbers = dict(line.split() for line in agent.output().decode().splitlines())
    return pid, reply, agent.figures(functions), waits, {name: int(number) for name, number in numbers.items()}


ATTEMPTS = 10


def undisturbed(record, is_bounded):
    """
    The first recording in which the kernel reported each switch and wake-up: that one is judged exactly, and every other one
    by what holds for it as well.
    """
    for _ in range(ATTEMPTS):
        with Agent() as agent:
            pid, reply, figures, waits, numbers = record(agent)
            healed = agent.losses()["healed_switches"]
        unknown = sum(w["waits"] for told_of in waits.values() for w in told_of if w["waker"] == "UNKNOWN")
        if not healed and not unknown:
            return pid, reply, figures, waits, numbers
        wrong = is_bounded(pid, waits, numbers, healed)
        if wrong:
            say(False, "what a disturbed recording tells is true", wrong)
        print("# %d switches were healed, of %d waits the end was not seen: again" % (healed, unknown), flush=True)
    say(False, "one of %d recordings is undisturbed" % ATTEMPTS)
    return None
