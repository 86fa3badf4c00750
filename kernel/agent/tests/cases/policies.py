# SPDX-License-Identifier: GPL-2.0
"""Cases of what a process forbids itself, or its launcher does: filters of system calls, and limits."""
import contextlib
import ctypes
import os
import subprocess

from judged import *
from agent import Agent  # noqa: E402
from truth import run_plain  # noqa: E402


def dispatched():
    run = judge("system calls are dispatched", Run([program("dispatched"), "200"], {"": ["f_*"]}))
    # Where a probe on a nop of five bytes becomes a system call; refused on all kernels.
    equal("system calls are dispatched: probed", [f["name"] for f in run.functions][-1:], ["f_work"])


def filtered():
    """Filters of system calls know nothing of those that the kernel makes for probes."""
    for how in ("kill", "error", "strict"):
        arguments = [program("filtered"), how, "200"]
        plain = run_plain(arguments)
        if plain.returncode == 77:
            return say(True, "filtered: skipped, the kernel has no filters")
        for judged in (False, True):
            name = "filtered, %s%s" % (how, ", where filters judge probes" if judged else "")
            with filters_judge(judged):
                run = judge(name, Run(arguments, {"": ["f_*"]}, plain=plain))
            ways = {p["exit_kind"] for p in run.reply["probes"]}
            say(not judged or ways == {"EXIT_RETURN_SITES"}, name + ": how ends are seen", ways)


def filtered_from_elsewhere():
    """By who sets a filter, and for which thread; nothing but how ends are seen is looked at."""
    def by_its_launcher():
        allows = (ctypes.c_uint64 * 1)(6 | 0x7fff0000 << 32)  # BPF_RET | BPF_K, SECCOMP_RET_ALLOW
        code = (ctypes.c_uint64 * 2)(1, ctypes.addressof(allows))
        prctl = ctypes.CDLL(None).prctl
        if prctl(38, 1, 0, 0, 0) or prctl(22, 2, code, 0, 0):  # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP
            os._exit(77)
    ways = {}
    for name, arguments, before, function in (
            ("none", [PLAIN, "ticks"], None, "f_empty"),
            ("its launcher's", [PLAIN, "ticks"], by_its_launcher, "f_empty"),
            ("a thread's", [program("filtered"), "waits", "10"], None, "f_work")):
        process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=before)
        try:
            for _ in range(2):
                process.stdout.readline()
            for judged in (False, True):
                with filters_judge(judged), Agent() as agent:
                    ways[name, judged] = [f["exit_kind"] for f in agent.find(process.pid, "", function)]
        finally:
            process.kill()
            process.communicate()
    if ways["none", False] != ["EXIT_URETPROBE"] or not all(ways.values()):
        return say(True, "filter: skipped, there are none or no replaced return addresses here")
    for name in ("none", "its launcher's", "a thread's"):
        equal("filter: %s, where filters judge the way back" % name, ways[name, True],
              ["EXIT_URETPROBE" if name == "none" else "EXIT_RETURN_SITES"])
    equal("filter: whose it is changes nothing", ways["a thread's", False], ways["its launcher's", False])


def forced():
    """Also where return addresses are to be replaced without a proof: what may end the process is refused."""
    for arguments, function, judged in (([program("filtered"), "kill", "200"], "f_work", True),
                                        # Its code is not read to the end, so it may set a filter.
                                        ([program("coroutines-by-hand"), "hand", "16384", "500"], "f_*", True),
                                        ([program("filtered"), "kill", "200"], "f_work", False), ([PLAIN, "ticks"], "f_empty", True)):
        with filters_judge(judged), Agent() as agent:
            pid = agent.request("launch", arguments=arguments)["pid"]
            functions = agent.find(pid, "", function)
            name = "forced return probes, %s%s" % (os.path.basename(arguments[0]), ", where filters judge" if judged else "")
            if function != "f_empty" and judged:
                refused(name, "NOT_PROBEABLE", lambda: agent.record(pid, functions, force_return_probes=True))
            else:
                kinds = [p["exit_kind"] for p in agent.record(pid, functions, force_return_probes=True)["probes"]]
                equal(name, kinds, ["EXIT_URETPROBE"])


@contextlib.contextmanager
def filters_judge(judged):
    """Agents that are started meanwhile take the kernel for one that has filters judge the way back."""
    if judged:
        os.environ["KVIEW_AGENT_FILTERS"] = "judge"
    try:
        yield
    finally:
        os.environ.pop("KVIEW_AGENT_FILTERS", None)


def policies():
    """What a program denies itself is no reason to be harmed by what the kernel does for probes."""
    for binary, how in (("policies", "memory"), ("policies", "locked"), ("policies", "no-gain"),
                        ("policies-code", "sealed"), ("policies-code", "execute-only")):
        plain = run_plain([program(binary), how, "200"])
        if plain.returncode == 77:
            say(True, "policy, %s: skipped, not on this kernel" % how)
            continue
        judge("policy, " + how, Run([program(binary), how, "200"], {"": ["f_*"]}, plain=plain))
