# SPDX-License-Identifier: GPL-2.0
"""For what calls waited, where in the kernel, and who woke them: of a program that knows it."""
import ctypes
import tempfile

from checks import *

WAKERS = os.path.join(BUILD, "traced", "wakers")
FUNCTIONS = ["f_wait", "f_outer", "f_read", "f_receive", "f_sleep"]
# As mechanism/bpf/waits.h has them.
STACKS, STACK_BYTES = 1024, 32 * 8
NR_BPF, NR_PIDFD_OPEN, NR_PIDFD_GETFD = {"x86_64": (321, 434, 438), "aarch64": (280, 434, 438)}[os.uname().machine]
MAP_UPDATE = 2


def recorded(agent, rounds, locks=0, prepare=lambda agent: None, **options):
    """The process is there until its figures were told: names of what lies in its memory are had while it lives."""
    pid = agent.request("launch", arguments=[WAKERS, str(rounds), str(locks)])["pid"]
    functions = agent.find(pid, "", *FUNCTIONS)
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
                wait["at"] = stack["functions"][stack["place"]].split(".")[0] if stack else wait["place"]
            waits[functions[function["function_id"]]["name"]] = function["waits"]
    numbers = dict(line.split() for line in agent.output().decode().splitlines())
    return pid, reply, agent.figures(functions), waits, {name: int(number) for name, number in numbers.items()}


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
    one_of("where it waits for a lock", places(waits["f_wait"], "LOCK"),
           {"futex_do_wait", "futex_wait", "futex_wait_queue", "futex_wait_queue_me"})
    one_of("where it waits for a pipe", places(waits["f_read"], "NETWORK"), {"anon_pipe_read", "pipe_read"})
    one_of("where it waits for a socket, and not in what others wait in as well", places(waits["f_receive"], "NETWORK"),
           {"__unix_dgram_recvmsg", "unix_dgram_recvmsg"})
    one_of("where it sleeps", places(waits["f_sleep"], "SLEEP"), {"hrtimer_nanosleep", "common_nsleep"})
    stack = next(w["stack"] for w in waits["f_receive"] if w["metric"] == "NETWORK")
    say(stack[0].startswith("__skb_wait_for_more_packets") and "vfs_read" in stack[1:], "the whole stack is told, the innermost function first",
        stack)
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


def stacks_of(agent):
    """The map that keeps the stacks, for this process as well."""
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    for fd in os.listdir("/proc/%d/fdinfo" % agent.pid):
        with open("/proc/%d/fdinfo/%s" % (agent.pid, fd)) as info:
            told = dict(line.split(":", 1) for line in info if ":" in line)
        if (int(told.get("value_size", 0)), int(told.get("max_entries", 0))) == (STACK_BYTES, STACKS):
            process = syscall(NR_PIDFD_OPEN, agent.pid, 0)
            try:
                return syscall(NR_PIDFD_GETFD, process, int(fd), 0)
            finally:
                os.close(process)
    return -1


class Update(ctypes.Structure):
    _fields_ = [("map", ctypes.c_uint32), ("key", ctypes.c_uint64), ("value", ctypes.c_uint64), ("flags", ctypes.c_uint64)]


def fill_stacks(agent):
    """Other stacks came before: as many as there is room for."""
    fd, key, value = stacks_of(agent), ctypes.c_uint64(), ctypes.create_string_buffer(STACK_BYTES)
    update = Update(fd, ctypes.addressof(key), ctypes.addressof(value), 0)
    for number in range(STACKS):
        key.value = 2 + number
        if ctypes.CDLL(None).syscall(NR_BPF, MAP_UPDATE, ctypes.byref(update), ctypes.sizeof(update)):
            raise OSError("the map of stacks takes no more than %d" % number)
    os.close(fd)


def no_room():
    rounds = 6
    with Agent() as agent:
        _, _, figures, waits, _ = recorded(agent, rounds, prepare=fill_stacks, waits=True)
        healed = agent.losses()["healed_switches"]
    if healed:
        print("# %d switches were not reported: not judged" % healed, flush=True)
        return
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


run_tests(exact, too_many, not_asked, no_room, hidden_names)
