# SPDX-License-Identifier: GPL-2.0
"""Names that stand for other code: chosen when it is loaded, in a library that is not loaded yet."""
import subprocess

from checks import *

CHOSEN = os.path.join(BUILD, "traced", "chosen")


class Program:
    """One that says when it is ready, and goes on when it is told."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid
        self.process.stdout.readline()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def go(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()


def chosen_at_load():
    for kind, library in (("chosen", "libc.so.6"), ("chosen-now", "libc.so.6"), ("chosen-static", "")):
        path = os.path.join(BUILD, "traced", kind)
        with Agent() as agent, Program(path) as program:
            (theirs,), (own,) = agent.find(program.pid, library, "strcspn"), agent.find(program.pid, "", "own_choice")
            say(theirs["probeable"] and theirs["name"].startswith("strcspn (") and theirs["symbol"] == "strcspn",
                kind + ": a library's function is what this process uses", theirs["name"])
            equal(kind + ": so is the program's own", own["name"], "own_choice (own_second)")
            second, = agent.find(program.pid, "", "own_second")
            equal(kind + ": at the place of that code", own["file_offset"], second["file_offset"])
            agent.record(program.pid, [theirs, own])
            program.go()
            agent.wait("process_exited")
            figures = invariants(kind, agent, [theirs, own])
            counts = [figures[name].calls for name in ("strcspn ", "own_choice ")]
            equal(kind + ": its calls are counted", counts, [1000, 1000])
    with Agent() as agent, Program(CHOSEN) as program:
        every = agent.find(program.pid, "libc.so.6", "*cpy")
        places = [f["file_offset"] for f in every if f["probeable"]]
        equal("code that stands for several is found once", len(places), len(set(places)))
        both = [f for f in every if {"memcpy", "memmove"} <= {f["symbol"], *f.get("aliases", [])}]
        say(both, "and has all their names", [(f["name"], f.get("aliases")) for f in every if "mem" in f["name"]])
        time_, = agent.find(program.pid, "libc.so.6", "time")
        say(not time_["probeable"] and "kernel" in time_["reason"], "the kernel's code is not in the file", time_["reason"])
        unused, = agent.find(0, CHOSEN, "own_choice")
        say(not unused["probeable"] and "process" in unused["reason"], "without a process nothing is chosen", unused["reason"])


def loaded_later():
    plugin, late = os.path.join(BUILD, "traced/plugins/libkviewplugin.so"), os.path.join(BUILD, "traced/libkviewlate.so")
    for kind, library, by in (("by the program's RUNPATH", plugin, os.path.basename(plugin)),
                              ("beside what it maps", late, os.path.basename(late)), ("by its path", late, late)):
        for comes in (True, False):
            with Agent() as agent, Program(os.path.join(BUILD, "traced/loads"), library if comes else "none") as program:
                found = agent.request("find_functions", pid=program.pid, binary=by, pattern="f_late")
                say(found["not_loaded"] and os.path.samefile(found["binary"], library),
                    "a library that is not loaded yet is found " + kind, found["binary"])
                agent.record(program.pid, found["functions"])
                program.go()
                agent.wait("process_exited")
                figures = invariants("loaded later, " + kind, agent, found["functions"])
                equal("its calls from the first on are counted", figures["f_late"].calls, 1000 if comes else 0)
                told = [f["never_loaded"] for d in agent.all("histogram_delta") if d["last"] for f in d["functions"]]
                equal("it is told whether it was loaded", told, [not comes])
    with Agent() as agent, Program(os.path.join(BUILD, "traced/loads"), late) as program:
        refused("a library that is nowhere", "NO_SUCH_BINARY", lambda: agent.find(program.pid, "libkviewnowhere.so", "f_late"))
        found = agent.request("find_functions", pid=program.pid, binary="libc.so.6", pattern="strcspn")
        say(not found["not_loaded"], "what is mapped does not wait")
    # What it executes next is loaded later as well.
    with Agent() as agent, Program("sh", "-c", "echo ready; read x; exec " + os.path.join(BUILD, "traced/loads") + " " + late,
                                   ) as program:
        functions = agent.find(program.pid, late, "f_late")
        agent.record(program.pid, functions)
        program.go()
        program.process.stdout.readline()
        program.go()
        agent.wait("process_exited")
        equal("also by another program that it executes", agent.figures(functions)["f_late"].calls, 1000)


run_tests(chosen_at_load, loaded_later)
