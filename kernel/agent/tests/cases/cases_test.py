# SPDX-License-Identifier: GPL-2.0
"""Small programs, each with one thing that real programs do and probes could get wrong; those that judge times are in times_test.py."""
import contextlib
import os
import subprocess
import tempfile

from judged import *
from agent import Agent, AgentError, wait_until  # noqa: E402
from policies import dispatched, filtered, filtered_from_elsewhere, forced, policies  # noqa: E402
from truth import run_plain, truth_of  # noqa: E402
from waiting import goes_on_waiting, stopped, throttled, waits  # noqa: E402


def coroutines():
    for way, binary in (("hand", "coroutines-by-hand"), ("hand", "coroutines"), ("libc", "coroutines")):
        for size in ("16384", "1048576"):
            name = "%s by %s, stacks of %s" % (binary, way, size)
            # A call that waits on a stack that was left may be lost, and is told then.
            judge(name, Run([program(binary), way, size, "500"], {"": ["f_*"]}), all_timed=False)


def signals():
    for where in ("above", "below", "same"):
        for binary, how in (("signals-no-jump", "return"), ("signals", "return"), ("signals", "jump")):
            judge("%s on a stack %s, by %s" % (binary, where, how),
                  Run([program(binary), where, how, "100"], {"": ["f_*"]}))


def stepped():
    """No probe where the program would see that an instruction is single-stepped."""
    run = judge("instructions that show the step", Run([program("stepped"), "100"], {"": ["f_*"]}))
    equal("instructions that show the step: have no probes", [f["name"] for f in run.functions], ["f_plain"])


def sequences():
    """What would be lost if a sequence that lost its CPU were not restarted is in the output."""
    if run_plain([program("sequences"), "0"]).returncode == 77:
        print("skipped restartable sequences: the C library has registered none", flush=True)
    else:
        judge("restartable sequences", Run([program("sequences"), "10000"], {"": ["f_add"]}))


def migrates():
    """What ends on another thread than it began on is never taken for another call's end."""
    run = Run([program("migrates"), "900"], {"": ["f_*"]})
    say(not run.harm(), "migrates: unharmed", run.harm())
    handle, whole = run.figures["f_handle"], run.figures["f_whole"]
    same, same_ns = run.truth["f_handle.same_thread"], run.truth["f_handle.same_thread_ns"]
    equal("migrates: calls that did not", (whole.calls, whole.count("WALL")), (900, 900))
    equal("migrates: those that end on their own thread are timed", (handle.calls, handle.count("WALL")), (900, same))
    equal("migrates: the others are told as lost", sum(handle.lost.values()) + handle.abandoned, 900 - same)
    say(handle.total("WALL") <= same_ns, "migrates: no time is another call's",
        "%.2f ms of %.2f" % (handle.total("WALL") / 1e6, same_ns / 1e6))
    equal("migrates: nothing is unaccounted for", run.losses["unaccounted_calls"], 0)


def shared_limit():
    """Two recordings of one process: the kernel's limit of return probes is for both together."""
    other, odd = Agent(), []

    def also(agent, pid):
        odd.extend(other.find(pid, "", "f_odd"))
        other.record(pid, odd)
    with other:
        run = Run([program("deep"), "50", "80"], {"": ["f_even"]}, before_it_runs=also)
        other.wait("recording_ended")
        figures = run.figures | other.figures(odd)
    say(not run.harm(), "two recordings: unharmed", run.harm())
    if any(p["exit_kind"] != "EXIT_URETPROBE" for p in run.reply["probes"]):
        return say(True, "two recordings: skipped, no return addresses are replaced here")
    for name, f in sorted(figures.items()):
        returned = run.truth[name + ".returned"]
        equal("two recordings: calls of %s" % name, f.calls, returned)
        equal("two recordings: %s is timed where the kernel has room" % name, f.count("WALL"), 50 * 32)
        equal("two recordings: the rest of %s is nested too deep" % name,
              (f.lost.get("too_deep", 0), f.abandoned), (returned - 50 * 32, 0))


def ends():
    """Both shares of the time and, where a cache's worth of memory is touched between two calls, a mean."""
    for name, arguments, probes in (
            ("mixed-push", ["mixed-push", "20", "50"], {"": ["f_outer", "f_push", "f_leaf"]}),
            ("mixed-step", ["mixed-step", "20", "50"], {"": ["f_outer", "f_step", "f_leaf"]}),
            ("conditional", ["conditional", "20", "2"], {"": ["f_outer", "f_loop"]}),
            ("tail", ["tail", "10", "5000"], {"": ["f_handle", "f_process"]}),
            ("tail, its target not probed", ["tail", "10", "5000"], {"": ["f_handle"]}),
            ("qsort", ["qsort", "5", "200000"], {"libc.so.6": ["qsort"]}),
            ("nested and cold", ["nested", "40", "50"], {"": ["f_cold_outer", "f_cold_inner"]})):
        plain = run_plain([program("ends")] + arguments)
        say_by_most(lambda: times_of("ends, " + name, judge(
            "ends, " + name, Run([program("ends")] + arguments, probes, plain=plain), times=False)))


def children():
    run = Run([program("children"), "20000"], {"": ["f_work"]})
    judge("a child of the process", run)
    plain = truth_of(run.plain.stderr)
    say(not run.truth["child_is_trapped"] and not plain["child_was_trapped"], "a child of the process: has no probe any more",
        "breakpoints as it began: %d; %d ns a call, %d without probes" % (
            run.truth["child_was_trapped"], run.truth["child_ns"], plain["child_ns"]))


def wrapped():
    """A shell script that becomes a program that throws through what is probed."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper = os.path.join(folder, "wrapper")
        with open(wrapper, "w") as file:
            file.write("#!/bin/sh\nexec %s\n" % program("throws"))
        os.chmod(wrapper, 0o755)
        run = Run([wrapper], {program("throws"): ["f_through"]})
        judge("a script that becomes the program", run, all_timed=False)


def loaded_later():
    run = Run([program("loads"), program("libloaded.so")], {"": ["f_callback"]})
    judge("a library that throws, loaded later", run)


def nested():
    """What figures are held against: calls within others, and how much time there was."""
    threads = 3
    run = judge("nested", Run([program("nested"), "200", str(threads)], {"": ["f_outer", "f_inner", "f_again"]}))
    outer, inner, again = (run.figures[name] for name in ("f_outer", "f_inner", "f_again"))
    # Each call of f_inner is in one of f_outer or in a chain of f_again, of which each holds the next.
    within = again.inner_ns - (inner.total("WALL") - outer.inner_ns)
    say(outer.inner_ns > 0 and inner.inner_ns == 0 and 0 <= within <= again.total("WALL"),
        "nested: what lies within is known", "%d ns of f_inner's %d in f_outer, the rest in f_again, and %d of its own" %
        (outer.inner_ns, inner.total("WALL"), within))
    equal("nested: a thread is in f_outer once", outer.most_wall_ns, outer.most_cost_ns)
    equal("nested: a thread is in f_again up to five times", again.most_wall_ns, 5 * again.most_cost_ns)
    equal("nested: and in f_inner beneath", inner.most_wall_ns, 6 * inner.most_cost_ns)
    length = run.ended["end_ns"] - run.reply["start_ns"]
    say(0 < outer.most_cost_ns <= threads * length, "nested: a thread has the recording's length",
        "%d ns of %d" % (outer.most_cost_ns, threads * length))
    for name, f in run.figures.items():
        say(f.total("WALL") <= f.most_wall_ns, "nested: %s had time for its calls" % name,
            "%.1f of %.1f ms" % (f.total("WALL") / 1e6, f.most_wall_ns / 1e6))


def addresses():
    """Programs to which it matters what their calls return to."""
    for what in ("OWN", "CALLERS", "NAMES", "CONTEXT", "COPIES"):
        run = judge("addresses, " + what, Run([program("addresses-" + what)], {"": ["f_*"]}), all_timed=False)
        equal("addresses, %s: none is replaced" % what, {p["exit_kind"] for p in run.reply["probes"]}, {"EXIT_RETURN_SITES"})


@contextlib.contextmanager
def character_set():
    """A folder with a character set's module, which throws through what is probed at once."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program("converting.so"), os.path.join(folder, "converting.so"))
        with open(os.path.join(folder, "gconv-modules"), "w") as file:
            file.write("module KVIEWTEST// INTERNAL converting 1\nmodule INTERNAL KVIEWTEST// converting 1\n")
        yield folder


def other_code_in_children():
    """In a child the kernel replaces return addresses without asking, so there must be nothing to replace them."""
    with character_set() as folder:
        run, name = Run([program("converts-forking"), folder, "fork"], {"": ["f_callback"]}), "children that load what throws"
        say(not run.harm(), name + ": unharmed", run.harm() or run.output[-100:])
        equal(name + ": none is replaced", run.reply["probes"][0]["exit_kind"], "EXIT_RETURN_SITES")
        equal(name + ": calls of their parent", run.figures["f_callback"].calls, 100)


def other_code():
    """Code that comes while return addresses are replaced, and throws through what is probed at once."""
    with character_set() as folder:
        stay = os.path.join(folder, "stay")

        def leave():
            if os.path.exists(stay):
                os.unlink(stay)

        def until_off(agent, pid):
            """Where they are not replaced, or the program was harmed, nothing comes off."""
            wait_until(lambda: agent.all("process_exited") or b"caught" in agent.output() and any(
                f["probes_off"] for d in agent.all("histogram_delta") for f in d["functions"]))
            leave()
        for what, name, told in (("load", "a module that the C library loads", "loaded code"),
                                 ("exec", "executed by env, with a library before it", "another program")):
            arguments = [program("converts"), folder, what]
            plain = run_plain(arguments)
            open(stay, "w").close()
            try:
                run = Run(arguments, {"": ["f_callback"]}, plain=plain, while_it_runs=until_off)
            finally:
                leave()
            f, harm = run.figures["f_callback"], run.harm()
            say(not harm, name + ": unharmed", harm or run.output)
            if run.reply["probes"][0]["exit_kind"] != "EXIT_URETPROBE":
                # As on kernels that don't ask at each entry; that this one does is for returns_test.
                continue
            say(told in f.off, name + ": the probes came off", f.off)
            say(f.count("WALL") == 100 and not f.unaccounted(), name + ": calls before it are timed",
                (f.calls, f.count("WALL"), f.lost))


class Waiting:
    """A program of changed.c that waits for a line before its calls."""

    def __init__(self, name, how, calls):
        self.process = subprocess.Popen([program(name), how, str(calls)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid
        self.hears()

    def hears(self):
        return self.process.stdout.readline()

    def goes_on(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def changed_code():
    """The kernel runs the file's instruction under a probe: no probe where the process has another one."""
    calls = 100
    for name, how, reason in (("changed", "patched", "is not that of the file"), ("changed", "moved", "moved to"),
                              ("relocated", "as-is", "text relocations"), ("changed", "as-is", None)):
        case, plain = "code that is %s" % (how if reason != "text relocations" else name), Waiting(name, how, calls)
        with plain:
            plain.goes_on()
            expected = plain.hears()
        with Waiting(name, how, calls) as waiting, Agent() as agent:
            found = {f["name"]: f for f in agent.find(waiting.pid, "", "f_*")}
            f = found["f_changed"]
            say(reason in f["reason"] if reason else f["probeable"], case + ": has no probe, and why",
                f["reason"] or "has one")
            functions = [f for f in found.values() if f["probeable"]]
            if functions:
                agent.record(waiting.pid, functions)
            waiting.goes_on()
            equal(case + ": unharmed", waiting.hears(), expected)
            equal(case + ": ends as without probes", waiting.process.wait(300), 0)
            if functions:
                agent.wait("recording_ended")
                figures = agent.figures(functions)
                for f in functions:
                    equal(case + ": %s is counted" % f["name"], figures[f["name"]].calls, calls)
            if name == "changed":
                equal(case + ": functions that have probes", [f["name"] for f in functions],
                      ["f_plain"] if how == "moved" else ["f_beside", "f_plain"] if reason else
                      ["f_beside", "f_changed", "f_plain"])


def code_changed_since():
    """It is looked at once more as the recording starts."""
    with Waiting("changed", "late", 10) as waiting, Agent() as agent:
        functions = agent.find(waiting.pid, "", "f_changed", "f_plain")
        say(all(f["probeable"] for f in functions), "code that is patched later: can be probed before")
        waiting.goes_on()
        waiting.hears()
        try:
            agent.record(waiting.pid, functions)
            say(False, "code that is patched later: is refused")
        except AgentError as error:
            say(error.code == "NOT_PROBEABLE" and "f_changed" in str(error) and "not that of the file" in str(error),
                "code that is patched later: is refused", error)
        waiting.goes_on()
        say(b"sum" in waiting.hears(), "code that is patched later: unharmed")


def code_with_probes():
    """Breakpoints are no change: of another recording, here."""
    with Waiting("changed", "as-is", 100) as waiting, Agent() as first, Agent() as second:
        ours = [a.find(waiting.pid, "", "f_*") for a in (first, second)]
        first.record(waiting.pid, ours[0])
        again = second.find(waiting.pid, "", "f_*")
        say(again == ours[1] and all(f["probeable"] for f in again), "probed by two: both find the same")
        second.record(waiting.pid, again)
        waiting.goes_on()
        waiting.process.wait(300)
        for agent, functions, name in ((first, ours[0], "first"), (second, again, "second")):
            agent.wait("recording_ended")
            equal("probed by two: the %s counts" % name,
                  {n: f.calls for n, f in agent.figures(functions).items()}, dict.fromkeys(("f_beside", "f_changed", "f_plain"), 100))


if __name__ == "__main__":
    run_tests(coroutines, signals, wrapped, loaded_later, dispatched, filtered, filtered_from_elsewhere, forced, policies,
              stepped, sequences, migrates, shared_limit, waits, stopped, throttled, goes_on_waiting, children, nested, changed_code, code_changed_since, code_with_probes, addresses, other_code, other_code_in_children)
