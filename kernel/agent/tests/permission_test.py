# SPDX-License-Identifier: GPL-2.0
"""
What an agent does that has more rights than whoever started it: with sudo, with capabilities of
its file, and with a policy of root's.  Users, rules and policy are in a /etc of the test's own.
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

PRIVATE = "KVIEW_TEST_PRIVATE_ETC"
if PRIVATE not in os.environ:
    folder = tempfile.mkdtemp(prefix="kview-etc.")
    try:
        subprocess.run(["cp", "-a", "/etc/.", folder], check=True)
        sys.exit(subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c",
             'mount --bind "$0" /etc && exec "$@"', folder, sys.executable, __file__] + sys.argv[1:],
            env=dict(os.environ, **{PRIVATE: folder})).returncode)
    finally:
        shutil.rmtree(folder)

from agent import BINARY, Agent, wait_until
from checks import *

# Readable and executable for the users, as an installed agent is.
PLACE = tempfile.mkdtemp(prefix="kview-agent.")
AGENT = os.path.join(PLACE, "kview-agent")
POLICY = "/etc/kview/agent.conf"
ALICE, BOB = "kvalice", "kvbob"
CAPABILITIES = "cap_bpf,cap_perfmon,cap_sys_ptrace,cap_dac_read_search+ep"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def as_user(user, *command):
    return ("setpriv", "--reuid", user, "--regid", str(pwd.getpwnam(user).pw_gid), "--init-groups") + command


def through_sudo(*options):
    return Agent(command=as_user(ALICE, "sudo", "-n", *options, AGENT))


def set_up():
    os.chmod(PLACE, 0o755)
    shutil.copy(BINARY, AGENT)
    os.chmod(AGENT, 0o755)
    for user in (ALICE, BOB):
        run("useradd", "--no-log-init", "--no-create-home", user)
    digest = run("sha256sum", AGENT).split()[0]
    with open("/etc/sudoers.d/kview", "w") as rules:
        rules.write("%s ALL=(root) NOPASSWD: sha256:%s %s\n" % (ALICE, digest, AGENT))
    os.chmod("/etc/sudoers.d/kview", 0o440)
    shutil.copy(PLAIN, os.path.join(PLACE, "plain"))


class Program:
    """The traced program plain, run by a user until it is closed."""

    def __init__(self, user, code="import time; time.sleep(600)", preexec=None):
        command = (sys.executable, "-c", code)
        self.process = subprocess.Popen(as_user(user, *command) if user != "root" else command,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=preexec)
        self.pid = self.process.pid
        expected = pwd.getpwnam(user).pw_uid
        wait_until(lambda: os.stat("/proc/%d" % self.pid).st_uid in (0, expected) and
                   "python" in os.readlink("/proc/%d/exe" % self.pid))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


CALLS = """
import locale, os, sys
print(flush=True)
for line in sys.stdin:
    for _ in range(5): locale.setlocale(locale.LC_ALL, 'C')
    words = line.split()
    if words: os.execv(words[0], words)
    print(flush=True)
"""


def tell(program, line=""):
    program.process.stdin.write((line + "\n").encode())
    program.process.stdin.flush()


def record(agent, pid):
    functions = agent.find(pid, "libc.so.6", "setlocale")
    agent.record(pid, functions, interval_ms=20)
    return functions


def calls(agent):
    return max([f["calls"] for d in agent.all("histogram_delta") for f in d["functions"]], default=0)


def records(name, agent, program):
    program.process.stdout.readline()
    functions = record(agent, program.pid)
    tell(program)
    program.process.stdout.readline()
    agent.stop()
    equal(name, calls(agent), 5)
    return functions


def starts_no_program():
    with through_sudo() as agent:
        for body, values in (("launch", dict(arguments=["sh", "-c", "id > %s/id" % PLACE])),
                             ("resume", dict(pid=1)), ("end_program", dict(pid=1, force=True))):
            refused("through sudo: " + body, "NO_PERMISSION", lambda: agent.request(body, **values))
        say(not os.path.exists(PLACE + "/id"), "through sudo no program of the caller's ran")
        capability = [c for c in agent.hello["capabilities"] if c["name"] == "all_processes"]
        say(capability and ALICE in capability[0]["detail"], "the greeting tells for whom", capability)


def only_own_processes():
    with through_sudo() as agent:
        with Program(ALICE, CALLS) as own:
            records("through sudo a process of the caller's own is recorded", agent, own)
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
        run("groupadd", "kvreaders")
        os.chown(path, 0, 0)
        run("chgrp", "kvreaders", path)
        run("usermod", "-aG", "kvreaders", ALICE)
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


def with_policy(text, mode=0o644, folder=0o755, owner=0):
    os.makedirs("/etc/kview", exist_ok=True)
    os.chmod("/etc/kview", folder)
    with open(POLICY, "w") as policy:
        policy.write(text)
    os.chmod(POLICY, mode)
    os.chown(POLICY, owner, 0)
    return through_sudo()


def a_policy_allows_more():
    path = os.path.join(PLACE, "plain")
    with Program(BOB, CALLS) as other:
        for text in ("# for one\nuser %s processes-of %s\n" % (ALICE, BOB),
                     "group kvreaders processes-of %s" % BOB, "user %s all-processes" % ALICE):
            with with_policy(text) as agent:
                program = Program(BOB, CALLS)
                with program:
                    records("a policy: " + repr(text), agent, program)
                refused("it starts no program all the same", "NO_PERMISSION",
                        lambda: agent.request("launch", arguments=["id"]))
                os.chmod(path, 0o700)
                refused("nor reads files that the process does not map", "NO_PERMISSION",
                        lambda: agent.find(other.pid, path, "main"))
                os.chmod(path, 0o755)
        for text in ("", "user %s processes-of %s" % (BOB, BOB), "user %s processes-of root" % ALICE,
                     "group root all-processes", "user %s service %s.service" % (ALICE, BOB)):
            with with_policy(text) as agent:
                refused("a policy that does not allow it: " + repr(text), "NO_PERMISSION",
                        lambda: agent.find(other.pid, "libc.so.6", "setlocale"))
    with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent, Program("root") as roots:
        refused("one user's processes are not root's", "NO_PERMISSION",
                lambda: agent.find(roots.pid, "libc.so.6", "setlocale"))


def a_policy_names_a_service():
    tree = os.path.join(PLACE, "cgroups")
    os.mkdir(tree)
    run("mount", "-t", "cgroup2", "none", tree)
    mine = not os.path.isdir(tree + "/system.slice")
    unit = tree + "/system.slice/%s.service" % BOB
    os.makedirs(unit)
    for name, folder, good in (("", unit, True), (" another one", unit + "-2", False),
                               (" one of a user's own", tree + "/%s.service" % BOB, False)):
        os.makedirs(folder, exist_ok=True)
        with with_policy("user %s service %s.service" % (ALICE, BOB)) as agent, Program(BOB) as program:
            open(folder + "/cgroup.procs", "w").write(str(program.pid))
            if good:
                say(agent.find(program.pid, "libc.so.6", "setlocale"), "a policy names a service")
            else:
                refused("a policy names a service:" + name, "NO_PERMISSION",
                        lambda: agent.find(program.pid, "libc.so.6", "setlocale"))
        wait_until(lambda: not open(folder + "/cgroup.procs").read())
        os.rmdir(folder)
    if mine:
        os.rmdir(tree + "/system.slice")
    run("umount", tree)


def a_doubtful_policy_allows_nothing():
    good = "user %s all-processes\n" % ALICE
    for text in (good + "deny all\n", good + "user x kernel\n", good + "user\n", good + "user x all-processes more\n",
                 good + "user x processes-of nobody-of-this-name\n", good + "user x service ../x\n", good + "\0",
                 good + "#" * 70000):
        with with_policy(text) as agent:
            refused("a policy with " + repr(text[len(good):][:40]), "NO_PERMISSION",
                    lambda: agent.request("list_processes"))
    for name, options in (("writable by its group", dict(mode=0o664)), ("writable by all", dict(mode=0o646)),
                          ("of another owner", dict(owner=pwd.getpwnam(ALICE).pw_uid)),
                          ("in a folder that all may write", dict(folder=0o777))):
        with with_policy(good, **options) as agent:
            refused("a policy " + name, "NO_PERMISSION", lambda: agent.request("list_processes"))
    with_policy(good).close()
    os.rename(POLICY, "/etc/kview/other")
    os.symlink("/etc/kview/other", POLICY)
    with through_sudo() as agent:
        refused("a policy behind a symbolic link", "NO_PERMISSION", lambda: agent.request("list_processes"))
    os.unlink(POLICY)
    os.mkfifo(POLICY)
    with through_sudo() as agent:
        refused("a policy that is a pipe", "NO_PERMISSION", lambda: agent.request("list_processes"))
    shutil.rmtree("/etc/kview")


try:
    set_up()
    run_tests(starts_no_program, only_own_processes, only_files_the_caller_may_read, sudo_cannot_be_lied_to,
              by_capabilities, until_it_gets_rights, a_policy_allows_more,
              a_policy_names_a_service, a_doubtful_policy_allows_nothing)
finally:
    shutil.rmtree(PLACE)
