# SPDX-License-Identifier: GPL-2.0
"""
Times and counts of real programs against those that they tell of themselves, of the same calls.

usage: own_clocks.py BUILD [--only NAME]

What a program measures lies around a function, or within it, and so do functions within each other.  So the figures and
what is told stand in a row, from the innermost to the outermost, and each must be at most the next one: however long the
thread waits in between, as it does on a busy machine, that widens the outer ones alone.  Where they are close together
that is no more than 2 % apart, no figure can be wrong by more, neither too small nor too large.

What is subtracted shows in a function that calls a probed one many times: its CPU time is compared with what the program
tells of the same without probes, just before and just after.  These programs are to spend about as much on the probes as on
that work: where nothing is subtracted the figure is twice as high, and near 0 where it is twice as much.
"""
import argparse
import contextlib
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from agent import Agent, AgentError  # noqa: E402
from checks import equal, run_tests, say_by_most  # noqa: E402
import subjects  # noqa: E402
import telling  # noqa: E402
from truth import SHARE  # noqa: E402

US, MS = 1000, 1000000
CHANCE = 0.1      # of CPU time from one run to the next, of a program that does the same
MOST_LEFT = 0.7   # of what the probes cost by the program's own clock
LEAST_LEFT = 0.3  # of what is told without probes
# What a thread loses to others, at any moment.
TO_OTHERS = ("PREEMPTED", "RUN_QUEUE", "STEAL", "THROTTLED")


class Row:
    """
    From the innermost to the outermost; what is told is named "told ...", and has a resolution, of all calls
    together.  Between functions that are not the same the thread may also wait for some causes.
    """

    def __init__(self, metric, *names, resolution_ns, waits=(), share=SHARE):
        self.metric, self.names, self.resolution_ns = metric, names, resolution_ns
        self.waits, self.share = TO_OTHERS + waits, share

    def functions(self):
        return [n for n in self.names if not n.startswith("told ")]

    def __str__(self):
        return "%s of %s" % (self.metric, " and ".join(self.functions()))


class Value:
    """
    In a row: how long, by how much that may be wrong, and what of a figure is not in it but may be in what is told: the time
    of probes, and of its CPU time that of others, which the kernel may charge it for.
    """

    def __init__(self, row, name, figures, told):
        self.name, self.figure = name, None
        if name.startswith("told "):
            self.ns, self.bound_ns, self.only_told_ns = told[name.removeprefix("told ")], row.resolution_ns, 0
        else:
            self.figure = figures[name]
            self.ns, self.bound_ns = self.figure.total(row.metric), self.figure.uncertain_ns
            self.only_told_ns = self.figure.removed_ns
            if row.metric == "ON_CPU":
                self.only_told_ns += sum(self.figure.total(w) for w in TO_OTHERS)

    def __str__(self):
        return "%s %.3f ms" % (self.name, self.ns / MS)


def own_time(figure, waits):
    """Without what the thread lost to others."""
    return figure.total("WALL") - sum(figure.total(w) for w in waits)


def judge(row, figures, told):
    """Whether the figures fit to what is told, and in words."""
    values = [Value(row, name, figures, told) for name in row.names]
    wrong = []
    for inner, outer in zip(values, values[1:]):
        only_told_ns = 0 if inner.figure else outer.only_told_ns
        if inner.ns > outer.ns + inner.bound_ns + outer.bound_ns + only_told_ns:
            wrong.append("%s is more than %s" % (inner.name, outer.name))
    inner, outer = values[0], values[-1]
    apart = outer.ns - inner.ns
    if inner.figure and outer.figure:
        apart = own_time(outer.figure, row.waits) - own_time(inner.figure, row.waits)
    bound = row.share * inner.ns + inner.bound_ns + outer.bound_ns + (0 if outer.figure else inner.only_told_ns)
    if apart > bound:
        wrong.append("they are %.3f ms apart, which is more than %.3f" % (apart / MS, bound / MS))
    return not wrong, "; ".join(wrong + [" <= ".join(map(str, values)), "%.3f ms apart, bound %.3f" % (apart / MS, bound / MS)])


def count(title, function, figure, told):
    equal("%scalls of %s, and of them timed" % (title, function), (figure.calls, figure.count("WALL")), (told["calls"],) * 2)


class Program:
    """
    What is compared of one, and the function whose calls it counts; and a function that calls another one many times,
    with the one of them whose calls it counts then.
    """

    def __init__(self, kind, *rows, counted, many=None):
        self.kind, self.rows, self.counted, self.many = kind, rows, counted, many
        self.functions = sorted({f for row in rows for f in row.functions()})


IMMEDIATES = "node::Environment::CheckImmediate*"
# Of Java 17, and of Java 25.
COLLECTION, VM_THREAD = "VM_GenCollectFull::doit*|VM_SerialGCCollect::doit*", "VMThread::inner_execute*"
BACKEND, COMPILER = "clang::EmitBackendOutput*", "clang::ExecuteCompilerInvocation*"
CODEGEN = "*LlvmCodegenBackend*codegen_crate"
PROGRAMS = [
    # Its CPU time is that of the main thread, which also reads and answers.
    Program(telling.TellingRedis,
            Row("WALL", "sortCommand", "told wall", "call", resolution_ns=10 * US),
            Row("ON_CPU", "sortCommand", "told cpu", resolution_ns=4 * US, share=0.1),
            counted="sortCommand", many=("evalCommand", "createStringObject", "evalCommand")),
    Program(telling.TellingNginx,
            Row("WALL", "ngx_http_process_request", "told wall", "ngx_process_events_and_timers", resolution_ns=8 * MS,
                waits=("NETWORK",)),
            counted="ngx_http_process_request"),
    Program(telling.TellingPostgres,
            Row("WALL", "ExecutorRun", "told wall", "PortalRun", resolution_ns=US),
            # It sleeps once, and may run for long: there what the kernel does on its way to the next thread is in the figures alone.
            Row("ON_CPU", "ExecutorRun", "told cpu", "PortalRun", resolution_ns=100 * US),
            counted="ExecutorRun", many=("ExecutorRun", "md5_text", "md5_text")),
    # Its CPU time is that of all its threads.
    Program(telling.TellingNode,
            Row("WALL", "PKCS5_PBKDF2_HMAC", "told wall", IMMEDIATES, resolution_ns=0),
            Row("ON_CPU", "PKCS5_PBKDF2_HMAC", "told cpu", resolution_ns=2 * US, share=0.1),
            counted="PKCS5_PBKDF2_HMAC", many=(IMMEDIATES, "PKCS5_PBKDF2_HMAC", "PKCS5_PBKDF2_HMAC")),
    # Between the two that are told it may wait.
    Program(telling.TellingJvm,
            Row("WALL", "told pause", COLLECTION, "told wall", resolution_ns=8 * US, share=float("inf")),
            Row("WALL", COLLECTION, "told wall", VM_THREAD, resolution_ns=0),
            counted=COLLECTION),
    Program(telling.TellingClang,
            Row("WALL", "told wall", BACKEND, resolution_ns=2 * US),
            Row("ON_CPU", "told cpu", BACKEND, resolution_ns=200 * US),
            Row("WALL", COMPILER, "told whole", resolution_ns=2 * US),
            counted=BACKEND),
    Program(telling.TellingRust,
            Row("WALL", CODEGEN, "told wall", resolution_ns=0),
            counted=CODEGEN),
]


def find(agent, pid, binary, patterns):
    """The first function of the first pattern that has any."""
    first, _, rest = patterns.partition("|")
    try:
        return agent.find(pid, binary, first)[0]
    except AgentError as error:
        if error.code != "NO_SUCH_FUNCTION" or not rest:
            raise
    return find(agent, pid, binary, rest)


def record(agent, pid, subject, patterns):
    """One function of each."""
    binary = os.path.realpath(subject.binaries[0])
    functions = [find(agent, pid, binary, pattern) for pattern in patterns]
    agent.record(pid, functions)
    return functions


def figures_of(agent, patterns, functions):
    return dict(zip(patterns, agent.figures(functions).values()))


def recorded(subject, patterns, work):
    """The figures of some functions while it works, and what it tells of that."""
    with Agent() as agent:
        functions = record(agent, subject.pid, subject, patterns)
        told = work()
        agent.stop()
        return figures_of(agent, patterns, functions), told


def compiled(subject, patterns):
    """The same, of what runs once from its first to its last instruction."""
    with Agent() as agent:
        pid = agent.request("launch", arguments=subject.arguments, environment=subject.environment)["pid"]
        functions = record(agent, pid, subject, patterns)
        agent.request("resume", pid=pid)
        agent.wait("process_exited", 300, lambda b: b["pid"] == pid)
        agent.wait("recording_ended")
        told = subject.told(agent.output().decode(), agent.output(error_stream=True).decode())
        return figures_of(agent, patterns, functions), told


def subtraction(title, subject, outer, inner, counted):
    # It is to lose its CPU seldom: what it then waits within probes widens the bound of its CPU time as well.
    with contextlib.suppress(OSError):
        os.sched_setscheduler(subject.pid, os.SCHED_FIFO, os.sched_param(1))
    before = subject.few_us()["cpu"]
    figures, told = recorded(subject, [outer, inner], subject.few_us)
    after = subject.few_us()["cpu"]
    count(title, counted, figures[counted], told)
    figure, plain = figures[outer], (before + after) / 2
    error, cost = figure.total("ON_CPU") - plain, told["cpu"] - plain
    bound = figure.uncertain_ns + CHANCE * plain + abs(before - after)
    wrong = ["beyond the bound"] if abs(error) > bound else []
    # The bound is wide on a busy machine; these are not.
    if error > MOST_LEFT * cost:
        wrong.append("most of it was not subtracted")
    if figure.total("ON_CPU") < LEAST_LEFT * min(before, after):
        wrong.append("too much was subtracted")
    return {"%sON_CPU of %s, without probes of %s" % (title, outer, inner): (not wrong, "; ".join(wrong + [
        "%.3f ms, told without %.3f and %.3f, with %.3f; %d calls, removed %.3f, of it waits %.3f; bound %.3f" % (tuple(
            ns / MS for ns in (figure.total("ON_CPU"), before, after, told["cpu"])) + (figures[inner].calls,) + tuple(
                ns / MS for ns in (figure.removed_ns, figure.waited_ns, bound)))]))}


def rows(title, program, subject):
    """What is stated holds for 99 of 100, and the hypervisor may take a CPU just then: of a row that is wrong others are recorded."""
    figures, told = recorded(subject, program.functions, subject.work) if subject.server else compiled(subject, program.functions)
    count(title, program.counted, figures[program.counted], told)
    return {title + str(row): judge(row, figures, told) for row in program.rows}


def examine(program):
    kind = program.kind
    folder = tempfile.mkdtemp(prefix="kview-own-")
    os.chmod(folder, 0o755)
    title = "by its own clock, %s: " % kind.name
    subject = kind.__new__(kind)
    try:
        subject.__init__(folder)
        say_by_most(lambda: rows(title, program, subject))
        if program.many:
            say_by_most(lambda: subtraction(title, subject, *program.many))
    except subjects.Missing as missing:
        print("skipped %s%s is not here" % (title, missing), flush=True)
    finally:
        subject.close()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("build")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    tests = []
    for program in PROGRAMS:
        if arguments.only in (None, program.kind.name):
            def test(program=program):
                examine(program)
            test.__name__ = "by its own clock, " + program.kind.name
            tests.append(test)
    run_tests(*tests)


if __name__ == "__main__":
    main()
