# SPDX-License-Identifier: GPL-2.0
"""The functions that a recording asks for are looked up as they were found before, or refused."""
import os
import shutil
import subprocess
import tempfile

from agent import wait_until
from checks import *


def bytes_read(agent):
    with open("/proc/%d/io" % agent.pid) as io:
        return int(next(line for line in io if line.startswith("rchar")).split()[1])


def reading(agent, call):
    before = bytes_read(agent)
    call()
    return bytes_read(agent) - before


def look_ups():
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "many", "20"])["pid"]
        functions = agent.find(pid, "", "g_*")
        others = [f for f in agent.find(pid, "libc.so.6", "str*") if f["probeable"]][:20]
        stale = dict(functions[1], file_offset=functions[1]["file_offset"] + 1)
        refused("a function that is elsewhere by now", "NO_SUCH_FUNCTION",
                lambda: agent.record(pid, [functions[0], stale]))
        refused("a name that is gone", "NO_SUCH_FUNCTION",
                lambda: agent.record(pid, [functions[0], dict(functions[1], symbol="g_gone")]))
        refused("a function that was chosen twice", "BAD_REQUEST",
                lambda: agent.record(pid, [functions[0], functions[1], functions[0]]))
        mixed = [f for pair in zip(functions, others) for f in pair]
        agent.record(pid, mixed)
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        figures = invariants("functions of two files in turn", agent, mixed)
        equal("functions of two files in turn: each has the calls of its own",
              {figures[f["name"]].calls for f in functions[:len(others)]}, {20})


def large_files():
    """What it takes to read a file's symbols is paid once, not for each function."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN, "sleep", "10"])["pid"]
        functions = [f for f in agent.find(pid, "libc.so.6", "*") if f["probeable"]]

        def record(chosen):
            agent.record(pid, chosen)
            agent.stop()
        record(functions[:1])
        one, many = reading(agent, lambda: record(functions[:1])), reading(agent, lambda: record(functions[:100]))
        say(many < 3 * one, "a hundred functions of a file are looked up at once",
            "%d bytes read for one, %d for 100" % (one, many))


def translated():
    """valgrind reads the probes in the code as instructions of the program's."""
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        preloaded = os.path.join(folder, "vgpreload_core-amd64-linux.so")
        subprocess.run(["gcc", "-shared", "-o", preloaded, "-xc", "/dev/null"], check=True)
        pid = agent.request("launch", arguments=[PLAIN, "sleep", "10"], environment=["LD_PRELOAD=" + preloaded])["pid"]
        refused("what valgrind preloads is mapped", "NOT_PROBEABLE", lambda: agent.find(pid, "", "g_*"))
        if not shutil.which("valgrind"):
            return say(True, "in valgrind: skipped, there is none")
        with subprocess.Popen(["valgrind", "-q", PLAIN, "sleep", "10"]) as process:
            wait_until(lambda: "vgpreload_core" in open("/proc/%d/maps" % process.pid).read())
            for binary, name in (("libc.so.6", "printf"), ("", "*")):
                refused("in valgrind: %s" % (binary or "the program"), "NOT_PROBEABLE",
                        lambda: agent.find(process.pid, binary, name))
            process.kill()


run_tests(look_ups, large_files, translated)
