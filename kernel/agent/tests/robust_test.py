# SPDX-License-Identifier: GPL-2.0
"""What goes wrong: clients, targets, requests, and the agent's own end."""
import contextlib
import ctypes
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from agent import BINARY, SCHEMA, of_nobody, status_of, wait_until
from checks import *
from wire import frame


def links():
    """Ids of the eBPF links of this host: what is attached."""
    out = subprocess.run(["bpftool", "-j", "link"], capture_output=True, text=True).stdout
    # One that goes while it is listed comes as an error, without an id.
    return {link["id"] for link in json.loads(out or "[]") if "id" in link}


def links_of(agent):
    """Those that an agent holds."""
    folder = "/proc/%d/fdinfo" % agent.pid
    text = "".join(open(os.path.join(folder, fd)).read() for fd in os.listdir(folder))
    return {int(n) for n in re.findall(r"^link_id:\s*(\d+)", text, re.M)}


def talk(data):
    """What an agent makes of some bytes: status and standard error."""
    run = subprocess.run([BINARY], input=data, capture_output=True, timeout=120)
    return run.returncode, run.stderr.decode().strip(), run.stdout


def bad_frames():
    for name, data in (("length 0", struct.pack("<I", 0)),
                       ("more than 16 MiB", struct.pack("<I", (16 << 20) + 1)),
                       ("no protobuf", frame(b"\xff\xff\xff\xff\xff")),
                       ("cut short", struct.pack("<I", 10) + b"abc")):
        status, errors, _ = talk(data)
        say(status == 1 and errors.count("\n") == 0 and errors, "a frame of " + name, errors)
    status, errors, _ = talk(b"")
    equal("an empty connection ends in peace", (status, errors), (0, ""))
    status, _, out = talk(frame(SCHEMA.encode("ToAgent", {"request_id": 1, "hello": {"protocol_version": 9}})))
    error = SCHEMA.decode("FromAgent", out[4:])
    say(error.get("error", {}).get("code") == "UNSUPPORTED", "another protocol version", error)


def without_btf():
    """The kernel's types hidden by an empty mount that this agent alone sees."""
    hide = "mount -t tmpfs none /sys/kernel/btf && exec " + BINARY
    requests = ({"request_id": 1, "hello": {"protocol_version": 1}}, {"request_id": 2, "calibrate": {}})
    run = subprocess.run(["unshare", "-m", "sh", "-c", hide], capture_output=True, timeout=120,
                         input=b"".join(frame(SCHEMA.encode("ToAgent", r)) for r in requests))
    hello = 4 + struct.unpack_from("<I", run.stdout)[0]
    error = SCHEMA.decode("FromAgent", run.stdout[hello + 4:]).get("error", {"code": None})
    say(error["code"] == "UNSUPPORTED" and "/sys/kernel/btf/vmlinux" in error["message"],
        "a kernel without BTF is told", error)


def bad_requests():
    with Agent() as agent:
        own = os.getpid()
        record = lambda **v: lambda: agent.request("start_recording", **v)
        probe = dict(function_id=0, binary="/bin/true", symbol="main", file_offset=0)
        refused("no probes", "BAD_REQUEST", record(pid=own))
        refused("no process", "NO_SUCH_PROCESS", record(pid=4000000, probes=[probe]))
        refused("a kernel thread", "NOT_PROBEABLE", record(pid=2, probes=[probe]))
        thread = max(int(t) for t in os.listdir("/proc/self/task"))
        refused("a thread", "BAD_REQUEST", record(pid=thread, probes=[probe]))
        refused("ids with gaps", "BAD_REQUEST", record(pid=own, probes=[dict(probe, function_id=1)]))
        refused("too many", "TOO_MANY", record(pid=own, probes=[dict(probe, function_id=i) for i in range(1025)]))
        process = lambda pid, **v: dict(process=dict(pid=pid, **v))
        for name, pid, scopes, code in (("two scopes", own, [process(own)] * 2, "UNSUPPORTED"),
                                        ("a scope of a kind of later versions", 0, [{}], "UNSUPPORTED"),
                                        ("a scope other than the process", own, [process(1)], "BAD_REQUEST"),
                                        ("a scope without the process", own, [process(0)], "BAD_REQUEST"),
                                        ("a scope that names none", 0, [process(0)], "BAD_REQUEST")):
            refused(name, code, record(pid=pid, probes=[probe], scopes=scopes))
        refused("a point of a kind of later versions", "UNSUPPORTED", record(pid=own, probes=[dict(function_id=0)]))
        refused("a view without module", "UNSUPPORTED", record(pid=own, probes=[dict(system_call=dict(name="read"))], filter="FILTER_VIEW"))
        refused("stop of nothing", "BAD_REQUEST", lambda: agent.request("stop_recording"))
        refused("resume of a stranger", "NO_SUCH_PROCESS", lambda: agent.request("resume", pid=own))
        refused("an unknown request", "BAD_REQUEST", lambda: agent.request("hello2"))


def bad_launches():
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        launch = lambda *arguments, **v: lambda: agent.request("launch", arguments=arguments, **v)
        text, script, lost = (os.path.join(folder, n) for n in ("text", "script", "lost"))
        for path, content, mode in ((text, "no program\n", 0o644), (script, "#!/bin/sh\nexit 3\n", 0o755),
                                    (lost, "#!/no/such/interpreter\n", 0o755)):
            with open(path, "w") as file:
                file.write(content)
            os.chmod(path, mode)
        refused("nothing to launch", "BAD_REQUEST", launch())
        refused("not found", "NO_SUCH_BINARY", launch("/no/such/program"))
        refused("not in PATH", "NO_SUCH_BINARY", launch("no-such-program"))
        refused("not executable", "NO_PERMISSION", launch(text))
        refused("no interpreter", "NO_SUCH_BINARY", launch(lost))
        refused("no folder", "FAILED", launch("/bin/true", working_directory="/no/such/folder"))
        refused("ends before its own code", "PROCESS_ENDED",
                launch("/bin/true", environment=["LD_BIND_NOW=1", "LD_PRELOAD=", "LD_TRACE_LOADED_OBJECTS=1"]))
        reply = agent.request("launch", arguments=[script])
        equal("a script is run by its interpreter", os.path.basename(reply["executable"]),
              os.path.basename(os.path.realpath("/bin/sh")))
        agent.request("resume", pid=reply["pid"])
        exited = agent.wait("process_exited")
        equal("its status", (exited["signalled"], exited["status"]), (False, 3))


def launches():
    with Agent() as agent:
        for program in (PLAIN, PLAIN + "-static"):
            pid = agent.request("launch", arguments=[program, "status", "7"],
                                environment=["KVIEW_TEST=1"])["pid"]
            maps = open("/proc/%d/maps" % pid).read()
            say("static" in program or "libc" in maps, "stopped with its libraries mapped", os.path.basename(program))
            with open("/proc/%d/environ" % pid) as file:
                say("KVIEW_TEST=1" in file.read(), "environment is added")
            agent.request("resume", pid=pid)
            exited = agent.wait("process_exited", where=lambda b: b["pid"] == pid)
            equal("exit status", (exited["signalled"], exited["status"]), (False, 7))
        pid = agent.request("launch", arguments=[PLAIN, "signal", "6"])["pid"]
        agent.request("resume", pid=pid)
        exited = agent.wait("process_exited", where=lambda b: b["pid"] == pid)
        equal("death by signal", (exited["signalled"], exited["status"]), (True, 6))


@contextlib.contextmanager
def ignored(*signals):
    """Ignored by all that is started meanwhile; by the system call, as the C library keeps some for itself."""
    before = {s: ctypes.create_string_buffer(32) for s in signals}
    for s, action in before.items():
        ctypes.CDLL(None).syscall(13, s, struct.pack("4Q", 1, 0, 0, 0), action, ctypes.c_size_t(8))
    try:
        yield
    finally:
        for s, action in before.items():
            ctypes.CDLL(None).syscall(13, s, action, None, ctypes.c_size_t(8))


def signals_of_programs():
    """As Java leaves some ignored, and whoever started it others."""
    with ignored(1, 2, 10, 13, 17, 32, 33, 64), Agent() as agent:
        pid = agent.request("launch", arguments=["/bin/cat", "/proc/self/status"])["pid"]
        agent.request("resume", pid=pid)
        agent.wait("process_exited")
        status = dict(line.split(b":\t", 1) for line in agent.output().splitlines())
        equal("a program ignores no signal but a hang-up that all are to ignore", int(status[b"SigIgn"], 16), 1)


def stops_of_terminals():
    """An agent that is stopped keeps no budget and takes no probes off: Ctrl-Z does not stop it."""
    with Agent() as agent:
        for number in (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
            os.kill(agent.pid, number)
        with open("/proc/%d/status" % agent.pid) as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        equal("it goes on at a terminal's stop", int(status["SigIgn"], 16) >> 19 & 7, 7)


def outputs():
    with Agent() as agent:
        lines = 200000
        pid = agent.request("launch", arguments=[PLAIN, "output", str(lines)])["pid"]
        agent.request("resume", pid=pid)
        agent.may_read.clear()
        time.sleep(1)
        status = open("/proc/%d/status" % agent.pid).read()
        peak = int([l for l in status.splitlines() if l.startswith("VmHWM")][0].split()[1])
        say(peak < 20 << 10, "the agent's memory while nobody reads", "%d KiB" % peak)
        agent.may_read.set()
        agent.wait("process_exited")
        equal("no output is lost behind a stalled reader", agent.output().count(b"\n"), lines)
        equal("standard error apart", agent.output(True), b"done\n")
    with Agent() as agent:
        pid = agent.request("launch", arguments=[PLAIN_FORKING, "orphan", "60"])["pid"]
        agent.request("resume", pid=pid)
        begin = time.monotonic()
        agent.wait("process_exited")
        say(time.monotonic() - begin < 60, "a grandchild with the pipes does not hold up the end",
            "%.2f s" % (time.monotonic() - begin))
        equal("its parent's output is there", agent.output(), b"parent ends\n")


def ends_of_programs():
    with Agent() as agent:
        refused("no end of a stranger", "NO_SUCH_PROCESS", lambda: agent.request("end_program", pid=os.getpid()))
        refused("nor of nothing", "NO_SUCH_PROCESS", lambda: agent.request("end_program", pid=0))
        for what, script, force, resumed, expected in (
                ("asked to end", "exec sleep 60", False, True, signal.SIGTERM),
                ("ended by force", "trap '' TERM; echo ready; while :; do sleep 1; done", True, True, signal.SIGKILL),
                ("ended before it was let run", "exec sleep 60", False, False, signal.SIGKILL)):
            pid = agent.request("launch", arguments=["/bin/sh", "-c", script])["pid"]
            if resumed:
                agent.request("resume", pid=pid)
            agent.request("end_program", pid=pid, force=force)
            exited = agent.wait("process_exited", where=lambda b: b["pid"] == pid)
            equal("a program " + what, (exited["signalled"], exited["status"]), (True, expected))
            refused("it is not ended twice", "NO_SUCH_PROCESS", lambda: agent.request("end_program", pid=pid))


def mapped_files():
    with Agent() as agent, tempfile.TemporaryDirectory() as folder:
        pid = agent.request("launch", arguments=[PLAIN, "status", "0"])["pid"]
        paths = agent.request("list_mapped_files", pid=pid)["paths"]
        maps = [line.split(None, 5) for line in open("/proc/%d/maps" % pid)]
        code = [f[5].strip() for f in maps if len(f) == 6 and "x" in f[1] and f[5].startswith("/")]
        equal("the files whose code a process maps", paths, list(dict.fromkeys(code)))
        say(any("libc" in p for p in paths), "libraries are among them", [os.path.basename(p) for p in paths])
        strange = os.path.join(folder, "a\nb")
        shutil.copy(PLAIN, strange)
        pid = agent.request("launch", arguments=[strange, "status", "0"])["pid"]
        paths = agent.request("list_mapped_files", pid=pid)["paths"]
        say(paths and not any(folder in p for p in paths), "a path that is no text is left out", paths)
        refused("files of no process", "NO_SUCH_PROCESS", lambda: agent.request("list_mapped_files", pid=4000000))


def start_ticking(agent, **options):
    process = subprocess.Popen([PLAIN, "ticks"], stdout=subprocess.PIPE)
    process.stdout.readline()
    functions = agent.find(process.pid, "", "f_empty", "g_*")
    agent.record(process.pid, functions, events=True, **options)
    return process


def check_unharmed(name, process, own):
    """own: the links that the agent had; others may record meanwhile."""
    say(own and wait_until(lambda: not (links() & own)), name + ": nothing stays attached", links() & own)
    for _ in range(20):
        process.stdout.readline()
    equal(name + ": the target runs on", process.poll(), None)
    process.kill()
    process.wait()


def ends_of_the_agent():
    agent = Agent()
    process = start_ticking(agent)
    own = links_of(agent)
    say(own, "links while recording", len(own))
    os.kill(agent.pid, signal.SIGKILL)
    agent.process.wait()
    check_unharmed("kill -9 of the agent", process, own)

    agent = Agent()
    process = start_ticking(agent)
    own = links_of(agent)
    time.sleep(0.3)
    equal("input closed while recording: status", agent.close(), 0)
    say(agent.all("histogram_delta")[-1]["last"] and agent.all("recording_ended"),
        "the last figures still come")
    check_unharmed("input closed while recording", process, own)

    agent = Agent()
    process = start_ticking(agent)
    own = links_of(agent)
    agent.may_read.clear()
    agent.process.stdin.close()
    agent.process.stdin = None
    agent.process.wait(120)
    agent.may_read.set()
    check_unharmed("input closed by a client that reads no more", process, own)

    # More users in turn than the agent looks back for.
    others = [subprocess.Popen(["sleep", "600"], user=uid) for uid in [0, 65534, 33, 12345] * 3 + [33] * 70 + [65534]]
    with Agent() as agent:
        shown = {p["pid"]: p["user"] for p in agent.request("list_processes")["processes"]}
    for other in others:
        other.kill()
    users = {0: "root", 33: "www-data", 65534: "nobody"}
    equal("each process has its own user's name", [shown.get(p.pid) for p in others],
          [users.get(uid, str(uid)) for uid in [0, 65534, 33, 12345] * 3 + [33] * 70 + [65534]])
    for other in others:
        other.wait()

    agent = Agent()
    process = start_ticking(agent)
    own = links_of(agent)
    os.kill(agent.pid, signal.SIGINT)
    equal("SIGINT is the client's", bool(agent.request("list_processes")["processes"]), True)
    os.kill(agent.pid, signal.SIGTERM)
    equal("SIGTERM", agent.process.wait(120), 128 + signal.SIGTERM)
    check_unharmed("SIGTERM", process, own)

    agent = Agent()
    pid = agent.request("launch", arguments=[PLAIN, "exit-inside"])["pid"]
    os.kill(agent.pid, signal.SIGKILL)
    agent.process.wait()
    say(wait_until(lambda: status_of(pid) in (None, "Z")), "what was never resumed ends with the agent")
    agent = Agent()
    pid = agent.request("launch", arguments=[PLAIN, "exit-inside"])["pid"]
    agent.close()
    say(not os.path.exists("/proc/%d" % pid), "and with the connection")


def without_privilege():
    with Agent(**of_nobody()) as agent:
        bpf = [c for c in agent.hello["capabilities"] if c["name"] == "bpf"][0]
        say(not bpf["available"] and bpf["required"] and "root" in bpf["detail"], "without privilege", bpf["detail"])
        refused("calibration without privilege", "NO_PERMISSION", lambda: agent.request("calibrate"))


def in_a_container():
    code = "import sys; sys.path.insert(0, %r); sys.argv = ['x', %r]; from checks import *\n" \
        "with Agent() as agent:\n" \
        "    refused('a container of its own process ids', 'UNSUPPORTED', lambda: agent.request('calibrate'))\n" \
        "    refused('system calls there', 'UNSUPPORTED', lambda: agent.request('start_recording', pid=os.getpid(), " \
        "probes=[dict(function_id=0, system_call=dict(name='read'))]))\n" \
        % (os.path.dirname(os.path.abspath(__file__)), BUILD)
    out = subprocess.run(["unshare", "-p", "-f", "--mount-proc", sys.executable, "-c", code],
                         capture_output=True, text=True).stdout
    print(out.strip() or "not ok in a container")


def busy():
    with Agent() as agent:
        process = start_ticking(agent)
        functions = agent.find(process.pid, "", "f_empty")
        refused("a second recording", "BUSY", lambda: agent.record(process.pid, functions))
        agent.stop()
        agent.record(process.pid, functions)
        agent.stop()
        equal("recordings one after the other", len(agent.all("recording_ended")), 2)
        process.kill()
        process.wait()


def two_at_once():
    """Two agents record one process: each sees every call, and neither the other's end."""
    for what, program, name in (("return probes", [PLAIN, "empty", "20000"], "f_empty"),
                                ("return sites", [JUMPS, "recurse", "50"], "f_recurse")):
        with Agent() as first, Agent() as second:
            pid = first.request("launch", arguments=program)["pid"]
            functions = first.find(pid, "", name)
            first.record(pid, functions)
            second.record(pid, functions, events=True)
            first.request("resume", pid=pid)
            calls = {}
            for agent in first, second:
                agent.wait("recording_ended")
                calls[agent.pid] = invariants("two agents, " + what, agent, functions)[name]
            equal("two agents, %s: calls and returns" % what, {(f.calls, f.count("WALL")) for f in calls.values()},
                  {(20000, 20000) if name == "f_empty" else (500, 500)})
    with Agent() as first, Agent() as second:
        process = start_ticking(first)
        functions = second.find(process.pid, "", "f_empty")
        second.record(process.pid, functions, interval_ms=20)
        first.stop()
        seen = len(second.all("histogram_delta"))
        say(wait_until(lambda: any(f["calls"] for d in second.all("histogram_delta")[seen + 1:]
                                   for f in d["functions"] if f["metrics"])),
            "an agent that stops does not end another's recording")
        second.stop()
        invariants("the one that went on", second, functions)
        process.kill()
        process.wait()


def span():
    """What a recording covers: neither attaching nor detaching."""
    with Agent() as agent:
        process = start_ticking(agent, interval_ms=60000)
        say(agent.wait("histogram_delta"), "the first figures don't wait for a whole interval")
        time.sleep(0.2)
        ended = agent.stop()
        deltas = agent.all("histogram_delta")
        (reply,) = agent.all("start_recording")
        equal("a recording begins where its first figures do", reply["start_ns"], deltas[0]["begin_ns"])
        equal("a recording ends where its last figures do", ended["end_ns"], deltas[-1]["end_ns"])
        equal("its figures leave no gap", [d["begin_ns"] for d in deltas[1:]], [d["end_ns"] for d in deltas[:-1]])
        process.kill()
        process.wait()


def calibration():
    with Agent() as agent:
        (unknown,) = agent.find(0, PLAIN, "f_empty")
        equal("a predicted cost before anything was measured", unknown["predicted_cost_ns"], 0)
        reply = agent.request("calibrate")
        for cost in reply["costs"]:
            say(0 < cost["inner_cost_ns"] <= cost["call_cost_ns"] < 1e5, "cost of %s, %s %s" % (
                cost["entry"], cost["exit_kind"], cost["exit"]), "%d ns inside, %d ns a call" %
                (cost["inner_cost_ns"], cost["call_cost_ns"]))
        say(reply["switch_cost_ns"] < 5000, "cost of a switch of others", "%d ns" % reply["switch_cost_ns"])
        (known,) = agent.find(0, PLAIN, "f_empty")
        say(known["predicted_cost_ns"] in [c["call_cost_ns"] for c in reply["costs"]],
            "and after it the one that was measured", known["predicted_cost_ns"])


run_tests(without_btf, bad_frames, bad_requests, bad_launches, launches, signals_of_programs, stops_of_terminals, outputs, ends_of_programs, mapped_files,
          ends_of_the_agent,
          without_privilege, in_a_container, busy, two_at_once, span, calibration)
