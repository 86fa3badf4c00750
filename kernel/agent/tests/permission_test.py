# SPDX-License-Identifier: GPL-2.0
"""
What an agent does that has more rights than whoever started it: with sudo, and with capabilities of its file.
"""
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from other_users import *
from agent import BINARY, SCHEMA, Agent, wait_until
from checks import *
from linked import LinkedAgent
from wire import frame


def starts_no_program():
    """Nor tells it what every user does."""
    with through_sudo() as agent:
        for body, values in (("launch", dict(arguments=["sh", "-c", "id > %s/id" % PLACE])),
                             ("resume", dict(pid=1)), ("end_program", dict(pid=1, force=True)), ("list_views", {}), ("list_sites", dict(set_id=1)),
                             ("change_view", dict(make="mine"))):
            refused("through sudo: " + body, "NO_PERMISSION", lambda: agent.request(body, **values))
        say(not os.path.exists(PLACE + "/id"), "through sudo no program of the caller's ran")
        capability = [c for c in agent.hello["capabilities"] if c["name"] == "all_processes"]
        say(capability and ALICE in capability[0]["detail"], "the greeting tells for whom", capability)


def only_own_processes():
    with through_sudo() as agent:
        with Program(ALICE, CALLS) as own:
            records("through sudo a process of the caller's own is recorded", agent, own)
            reply = agent.request("survey", pid=own.pid, duration_ms=500)
            quality = reply["quality"]
            # On a busy machine there are a few, of which one may be of a thread that woke as the survey began.
            say(reply["threads"] and 0 < 0.95 * quality["stacks"] <= quality["complete_stacks"] + 1, "and surveyed", quality)
            kernels = {f["name"] for f in reply["functions"] if f["kernel"]}
            equal("of which the kernel's addresses tell no names that it hides from the caller", kernels - {""}, set())
            listed = [p for p in agent.request("list_processes")["processes"] if p["pid"] == own.pid]
            say(listed and listed[0]["executable"], "it is listed with its executable", listed)
        for user in (BOB, "root"):
            with Program(user) as other:
                refused("functions of a process of " + user, "NO_PERMISSION",
                        lambda: agent.find(other.pid, "libc.so.6", "setlocale"))
                refused("mapped files of a process of " + user, "NO_PERMISSION",
                        lambda: agent.request("list_mapped_files", pid=other.pid))
                refused("a recording of a process of " + user, "NO_PERMISSION", lambda: agent.request(
                    "start_recording", pid=other.pid, probes=[dict(function_id=0, binary="libc.so.6",
                                                                   symbol="setlocale", file_offset=1)]))
                refused("a survey of a process of " + user, "NO_PERMISSION",
                        lambda: agent.request("survey", pid=other.pid, duration_ms=100))
                # Judged by itself: before anything is loaded into the kernel to watch the process.
                refused("one that makes no sense", "BAD_REQUEST", lambda: agent.request(
                    "start_recording", pid=other.pid, probes=[dict(function_id=7, binary="libc.so.6",
                                                                   symbol="setlocale", file_offset=1)]))
        with Program(ALICE, "import ctypes, time; ctypes.CDLL(None).prctl(4, 0); print(flush=True); time.sleep(600)") as hidden:
            hidden.process.stdout.readline()
            refused("a process of the caller's that may not be traced", "NO_PERMISSION",
                    lambda: agent.find(hidden.pid, "libc.so.6", "setlocale"))
        refused("no process", "NO_SUCH_PROCESS", lambda: agent.find(0x3ffffff, "libc.so.6", "setlocale"))


def only_files_the_caller_may_read():
    path = os.path.join(PLACE, "plain")
    with through_sudo() as agent, Program(ALICE) as own:
        say(agent.find(0, path, "main"), "a file that the caller may read")
        os.chmod(path, 0o700)
        refused("a file of root's alone", "NO_PERMISSION", lambda: agent.find(0, path, "main"))
        try:
            say(not agent.find(own.pid, path, "main"), "a file of root's alone, through a process")
        except AgentError as error:
            say(True, "a file of root's alone, through a process", error)
        refused("a recording of it", "NO_PERMISSION", lambda: agent.request(
            "start_recording", pid=own.pid, probes=[dict(function_id=0, binary=path, symbol="main", file_offset=1)]))
        os.chmod(path, 0o750)
        os.chown(path, 0, 0)
        run("chgrp", GROUP, path)
    with through_sudo() as agent:
        say(agent.find(0, path, "main"), "a file that a group of the caller's may read")
    os.chmod(path, 0o755)


def sudo_cannot_be_lied_to():
    lie = subprocess.run(as_user(ALICE, "sudo", "-n", "SUDO_UID=0", AGENT), input=b"", capture_output=True)
    say(lie.returncode, "sudo lets its caller set no SUDO_UID", lie.stderr.decode().strip())
    for name, value in (("SUDO_UID", "0"), ("SUDO_GID", "0"), ("PKEXEC_UID", "0")):
        command = as_user(ALICE, "env", "%s=%s" % (name, value), "sudo", "-n", AGENT)
        with Agent(command=command) as agent:
            refused("with %s=%s in the caller's environment" % (name, value), "NO_PERMISSION",
                    lambda: agent.request("launch", arguments=["true"]))
    for value in ("", "-1", "0x0", "4294967295", "0 ", "alice"):
        with Agent(env=dict(os.environ, SUDO_UID=value)) as agent:
            refused("SUDO_UID=%r" % value, "NO_PERMISSION", lambda: agent.request("list_processes"))
    with Agent() as agent:
        say(agent.request("launch", arguments=["/bin/true"])["pid"], "root itself starts programs")
    with Agent(command=("sudo", "-n", AGENT)) as agent:
        say(agent.request("launch", arguments=["/bin/true"])["pid"], "so does root through sudo")


def by_capabilities():
    other = os.path.join(PLACE, "with-capabilities")
    shutil.copy(BINARY, other)
    os.chmod(other, 0o755)
    run("setcap", CAPABILITIES, other)
    secret = os.path.join(PLACE, "secret")
    shutil.copy(PLAIN, secret)
    os.chmod(secret, 0o700)
    with Agent(command=as_user(ALICE, other)) as agent:
        refused("with capabilities: launch", "NO_PERMISSION", lambda: agent.request("launch", arguments=["id"]))
        refused("with capabilities: a file of root's", "NO_PERMISSION", lambda: agent.find(0, secret, "main"))
        with Program(BOB) as program:
            refused("with capabilities: another user's process", "NO_PERMISSION",
                    lambda: agent.find(program.pid, "libc.so.6", "setlocale"))
        with Program(ALICE, CALLS) as own:
            records("with capabilities a process of the caller's own is recorded", agent, own)


def kept_from_looking():
    """The reason is another one than that somebody else's process is asked for."""
    keeps = "import ctypes, time; ctypes.CDLL(None).prctl(4, 0); print(flush=True); time.sleep(600)"
    with Program(ALICE, keeps) as own, Agent(command=as_user(ALICE, AGENT)) as agent:
        own.process.stdout.readline()
        refused("a process that keeps others from looking", "NO_PERMISSION",
                lambda: agent.find(own.pid, "libc.so.6", "setlocale"))
        try:
            agent.find(own.pid, "libc.so.6", "setlocale")
        except AgentError as error:
            say("although it runs as the same user" in str(error), "is not called another user's", error)


def until_it_gets_rights():
    for name, command, path in (("a setuid program that runs on", "sleep", "/bin/sleep"),
                                ("a setuid program that ends at once", "true", "/bin/true"),
                                ("a program that can't be read", "unreadable", "/bin/true")):
        privileged = os.path.join(PLACE, "setuid-" + command)
        shutil.copy(path, privileged)
        os.chmod(privileged, 0o4755 if command != "unreadable" else 0o711)
        with through_sudo() as agent, Program(ALICE, CALLS) as program:
            program.process.stdout.readline()
            record(agent, program.pid)
            tell(program, privileged + (" 600" if command == "sleep" else ""))
            ended = agent.wait("recording_ended")
            # Its setlocale must not be among them; those before may be, as far as they were sent.
            say(calls(agent) <= 5, "of %s nothing is told" % name, calls(agent))
            equal("%s ends the recording" % name, ended["reason"], "FAILED")
            deltas = agent.all("histogram_delta")
            equal("nor what it cost from then on", (deltas[-1]["process_cpu_ns"], deltas[-1]["probes_cost_ns"]), (0, 0))
            before = deltas[-2]["losses"] if len(deltas) > 1 else {k: 0 for k in deltas[-1]["losses"]}
            equal("nor what was lost", deltas[-1]["losses"], before)


def only_as_a_file_of_roots_alone():
    """Where its file could be another one by the time that it runs, the rights would be its owner's."""
    alice = pwd.getpwnam(ALICE).pw_uid
    spoils = (("the file is the user's", lambda folder, file: os.chown(file, alice, 0), True),
              ("a group may write to the file", lambda folder, file: os.chmod(file, 0o775), True),
              ("the folder is the user's", lambda folder, file: os.chown(folder, alice, 0), True),
              ("all may write to the folder", lambda folder, file: os.chmod(folder, 0o777), True),
              ("all may put files into the folder, and move only theirs", lambda folder, file: os.chmod(folder, 0o1777), False),
              ("all is root's", lambda folder, file: None, False))
    for name, spoil, bad in spoils:
        for how in ("sudo", "setcap"):
            folder = tempfile.mkdtemp(prefix="kview-agent.")
            file = os.path.join(folder, "kview-agent")
            try:
                os.chmod(folder, 0o755)
                shutil.copy(BINARY, file)
                os.chmod(file, 0o755)
                spoil(folder, file)
                if how == "setcap":
                    run("setcap", CAPABILITIES, file)
                with open("/etc/sudoers.d/spoilt", "w") as rules:
                    rules.write("%s ALL=(root) NOPASSWD: %s\n" % (ALICE, file))
                with Agent(command=as_user(ALICE, *(("sudo", "-n") if how == "sudo" else ()), file)) as agent:
                    what = "%s, by %s" % (name, how)
                    capability = [c for c in agent.hello["capabilities"] if c["name"] == "all_processes"][0]
                    equal(what + ": told at once", capability["required"], bad)
                    if bad:
                        refused(what, "NO_PERMISSION", lambda: agent.request("list_processes"))
                    else:
                        say(agent.request("list_processes")["processes"], what)
            finally:
                shutil.rmtree(folder)
                os.unlink("/etc/sudoers.d/spoilt")


def nobody_takes_up_anothers_recording():
    """Agents through sudo are all root's: whose they are is who called."""
    with open("/etc/sudoers.d/kview", "a") as rules:
        rules.write("%s ALL=(root) NOPASSWD: %s\n" % (BOB, AGENT))
    with Program(ALICE, CALLS) as own:
        own.process.stdout.readline()
        first = LinkedAgent(command=as_user(ALICE, "sudo", "-n", AGENT))
        first.record(own.pid, first.find(own.pid, "libc.so.6", "setlocale"), interval_ms=20)
        # sudo keeps the output open until the agent ends.
        first.acknowledging = False
        first.process.stdin.close()
        first.process.stdin = None
        refused("another user's agent with the token", "NOTHING_TO_REJOIN",
                lambda: LinkedAgent(command=as_user(BOB, "sudo", "-n", AGENT), predecessor=first))
        refused("root's own agent with the token", "NOTHING_TO_REJOIN", lambda: LinkedAgent(predecessor=first))
        second = LinkedAgent(command=as_user(ALICE, "sudo", "-n", AGENT), predecessor=first)
        tell(own)
        own.process.stdout.readline()
        second.stop()
        equal("the same user's agent goes on", calls(second), 5)
        second.notice("goodbye")
        second.close()


def children_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


def program_with_number(pid, user, code):
    """A process of exactly this number, as one may come by it by chance; 0: it is not free."""
    wanted = ctypes.c_int(pid)
    arguments = (ctypes.c_uint64 * 10)(0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, ctypes.addressof(wanted), 1)
    command = as_user(user, sys.executable, "-c", code)
    child = ctypes.CDLL(None, use_errno=True).syscall(435, arguments, ctypes.sizeof(arguments))  # clone3
    if child == 0:
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(1)
    return max(child, 0)


def not_another_of_its_number():
    """The process ends while a recording of it is prepared, and another user's gets its number."""
    busy = "import locale, time\nwhile True: locale.setlocale(locale.LC_ALL, 'C'); time.sleep(0.001)"
    other = 0
    with through_sudo() as agent:
        with Program(ALICE, CALLS) as program:
            functions = agent.find(program.pid, "libc.so.6", "setlocale")
            probes = [dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"])
                      for i, f in enumerate(functions)]
            through = agent.pid
            while os.readlink("/proc/%d/exe" % through) != AGENT:
                through = children_of(through)[0]
            request = agent.send("start_recording", pid=program.pid, probes=probes, interval_ms=20)
            # What probes cost is measured, with a child of the agent's: it has the process by now.
            say(wait_until(lambda: children_of(through)), "the recording is prepared")
            os.kill(through, signal.SIGSTOP)
        try:
            other = program_with_number(program.pid, BOB, busy)
            equal("another user's process has its number", other, program.pid)
            wait_until(lambda: os.stat("/proc/%d" % other).st_uid == pwd.getpwnam(BOB).pw_uid)
        finally:
            os.kill(agent.pid, signal.SIGCONT)
            os.kill(through, signal.SIGCONT)
        try:
            agent.answer(request)
            ended = agent.wait("recording_ended")
            equal("of a process that has its number nothing is told", (calls(agent), ended["reason"]), (0, "FAILED"))
        except AgentError as error:
            say(True, "of a process that has its number nothing is told", error)
        finally:
            if other:
                os.kill(other, signal.SIGKILL)
                os.waitpid(other, 0)


def no_more_than_so_many():
    """Of one user's, through sudo and by capabilities together; another user's are others."""
    with_capabilities = os.path.join(PLACE, "kview-agent-0123")
    shutil.copy(BINARY, with_capabilities)
    os.chmod(with_capabilities, 0o755)
    run("setcap", CAPABILITIES, with_capabilities)
    by_sudo, by_file = as_user(ALICE, "sudo", "-n", AGENT), as_user(ALICE, with_capabilities)
    recording = []
    with Program(ALICE, CALLS) as own:
        own.process.stdout.readline()
        try:
            for i in range(16):
                recording.append(Agent(command=by_sudo if i % 2 else by_file))
                record(recording[-1], own.pid)
            for name, command in (("sudo", by_sudo), ("capabilities", by_file)):
                with Agent(command=command) as agent:
                    refused("one recording too many, by " + name, "TOO_MANY", lambda: record(agent, own.pid))
                    if command == by_file:
                        recording.pop().close()
                        record(agent, own.pid)
                        say(True, "once one has ended there is place again")
            with Program(BOB, CALLS) as other, Agent(command=as_user(BOB, with_capabilities)) as agent:
                other.process.stdout.readline()
                say(record(agent, other.pid), "another user's are counted apart")
        finally:
            for agent in recording:
                agent.close()
    # sudo keeps these, and puts its own behind them.
    long = {name: "x" * 130000 for name in ("LS_COLORS", "PS1", "PS2", "XAUTHORITY")}
    idle = [subprocess.Popen(by_sudo if i % 2 else by_file, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=dict(os.environ, **long)) for i in range(64)]
    try:
        for process in idle:
            process.stdin.write(frame(SCHEMA.encode("ToAgent", {"ping": {"id": 1}})))
            process.stdin.flush()
        say(all(process.stdout.read(4) for process in idle), "as many agents as may be")
        more = subprocess.run(by_sudo, input=b"", capture_output=True)
        say(more.returncode == 1 and b"close some connections" in more.stderr, "and no more", more.stderr.decode().strip())
    finally:
        for process in idle:
            process.communicate()


run_with_users(starts_no_program, only_own_processes, only_files_the_caller_may_read, sudo_cannot_be_lied_to,
               by_capabilities, kept_from_looking, only_as_a_file_of_roots_alone, until_it_gets_rights, not_another_of_its_number,
               nobody_takes_up_anothers_recording, no_more_than_so_many)
