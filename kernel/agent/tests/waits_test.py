# SPDX-License-Identifier: GPL-2.0
"""
Whether waits within probes can be told from a function's own, and are surely the probes': where not, the start's
reply says so.  Of kernels that are not at hand the agent reads here what they would tell, in a mount namespace of its
own.
"""
import contextlib
import re
import subprocess
import tempfile

from checks import *

COSTS = os.path.join(BUILD, "traced", "costs")
ENTRIES = ("asm_exc_int3", "asm_exc_debug", "entry_SYSCALL_64_after_hwframe")
AT_ONCE = "mount -t tmpfs none /sys/kernel/debug && mkdir /sys/kernel/debug/sched && echo 'none (full) lazy' >/sys/kernel/debug/sched/preempt"
LAZY = AT_ONCE.replace("(full) lazy", "full (lazy)")


@contextlib.contextmanager
def host(*commands):
    yield Agent(command=("unshare", "-m", "sh", "-c", " && ".join(commands + ('exec "$0"',)), os.environ["KVIEW_AGENT"]))


def symbols(change):
    """The kernel's symbols, with their addresses changed by one of their names: mounted over the real ones."""
    file = tempfile.NamedTemporaryFile("w")
    with open("/proc/kallsyms") as kernel:
        for line in kernel:
            address, kind, name = line.split()[:3]
            file.write("%016x %s %s\n" % (change(int(address, 16), name), kind, name))
    file.flush()
    return file, "mount --bind %s /proc/kallsyms" % file.name


def recorded(agent, arguments, name, prepare=lambda pid: None):
    with agent:
        pid = agent.request("launch", arguments=arguments)["pid"]
        functions = agent.find(pid, "", name)
        reply = agent.record(pid, functions)
        prepare(pid)
        agent.request("resume", pid=pid)
        agent.wait("process_exited", where=lambda b: b["pid"] == pid)
        agent.wait("recording_ended")
        return agent.figures(functions)[name], reply["waits_note"]


def noted(name, pattern, *commands):
    with host(*commands) as agent:
        note = recorded(agent, [PLAIN, "spin", "20"], "f_spin")[1]
        return say(re.fullmatch(pattern, note), name, note or "no note")


def ways_in():
    knows = os.uname().machine == "x86_64"
    noted("waits are told apart", "" if knows else ".*on x86-64 alone.*", AT_ONCE)
    hidden, command = symbols(lambda address, name: 0)
    with hidden:
        noted("symbols that are hidden are noted", "Waits .*because the kernel hides .*", AT_ONCE, command)
    # As where the CPU has other ways in (FRED): the symbols are there, and nobody comes by them.
    other, command = symbols(lambda address, name: address + (1 << 20) * (name in ENTRIES))
    with other:
        noted("ways in that nobody takes are noted", "Waits .*because threads enter this kernel .*" if knows else ".*x86-64.*", AT_ONCE, command)


def lazy():
    noted("lazy preemption is noted", ".*This kernel preempts lazily: .*", LAZY)
    cpu = {min(os.sched_getaffinity(0))}

    def behind_others(pid):
        """It waits for many times as long as its probes take."""
        os.sched_setaffinity(pid, cpu)
        os.setpriority(os.PRIO_PROCESS, pid, 10)

    loop = subprocess.Popen([PLAIN, "compute"], preexec_fn=lambda: os.sched_setaffinity(0, cpu))
    try:
        with host(LAZY) as agent:
            f = recorded(agent, [COSTS, "cold", "1", "100000", "0"], "f_inner", behind_others)[0]
    finally:
        loop.kill()
        loop.wait()
    say(f.uncertain_ns >= f.waited_ns > 0, "there waits are uncertain in full",
        "%.1f ms, %.1f ms are uncertain" % (f.waited_ns / 1e6, f.uncertain_ns / 1e6))


run_tests(ways_in, lazy)
