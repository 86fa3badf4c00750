# SPDX-License-Identifier: GPL-2.0
"""Recordings of what calls waited for, of programs that know it."""
import ctypes

from checks import *

NR_BPF, NR_PIDFD_OPEN, NR_PIDFD_GETFD = {"x86_64": (321, 434, 438), "aarch64": (280, 434, 438)}[os.uname().machine]
MAP_UPDATE = 2


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


def map_of(agent, entries, value_bytes):
    """The agent's map of that size, for this process as well."""
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    for fd in os.listdir("/proc/%d/fdinfo" % agent.pid):
        with open("/proc/%d/fdinfo/%s" % (agent.pid, fd)) as info:
            told = dict(line.split(":", 1) for line in info if ":" in line)
        if (int(told.get("value_size", 0)), int(told.get("max_entries", 0))) == (value_bytes, entries):
            process = syscall(NR_PIDFD_OPEN, agent.pid, 0)
            try:
                return syscall(NR_PIDFD_GETFD, process, int(fd), 0)
            finally:
                os.close(process)
    return -1


class Update(ctypes.Structure):
    _fields_ = [("map", ctypes.c_uint32), ("key", ctypes.c_uint64), ("value", ctypes.c_uint64), ("flags", ctypes.c_uint64)]


def fill_map(agent, entries, value_bytes):
    """Others came before: as many as there is room for."""
    fd, key, value = map_of(agent, entries, value_bytes), ctypes.c_uint64(), ctypes.create_string_buffer(value_bytes)
    update = Update(fd, ctypes.addressof(key), ctypes.addressof(value), 0)
    for number in range(entries):
        key.value = 2 + number
        if ctypes.CDLL(None).syscall(NR_BPF, MAP_UPDATE, ctypes.byref(update), ctypes.sizeof(update)):
            raise OSError("the map takes no more than %d" % number)
    os.close(fd)


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
