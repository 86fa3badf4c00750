# SPDX-License-Identifier: GPL-2.0
"""
Users who start an agent that has more rights than they have.  They, the rules of sudo and root's policy
are in a /etc of the test's own: whoever imports this runs once more, in a mount namespace of its own.
Such tests take turns, for the users of two have the same numbers.
"""
import fcntl
import os
import pwd
import shutil
import subprocess
import sys
import tempfile

PRIVATE = "KVIEW_TEST_PRIVATE_ETC"
if PRIVATE not in os.environ:
    turn = open(os.path.abspath(__file__))
    fcntl.flock(turn, fcntl.LOCK_EX)
    folder = tempfile.mkdtemp(prefix="kview-etc.")
    try:
        subprocess.run(["cp", "-a", "/etc/.", folder], check=True)
        sys.exit(subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c",
             'mount --bind "$0" /etc && exec "$@"', folder, sys.executable] + sys.argv,
            env=dict(os.environ, **{PRIVATE: folder})).returncode)
    finally:
        shutil.rmtree(folder)

from agent import BINARY, Agent, wait_until
from checks import *

# Readable and executable for the users, as an installed agent is.
PLACE = tempfile.mkdtemp(prefix="kview-agent.")
AGENT = os.path.join(PLACE, "kview-agent")
ALICE, BOB = "kvalice", "kvbob"
GROUP = "kvreaders"  # of ALICE's
CAPABILITIES = "cap_bpf,cap_perfmon,cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep"


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
    run("groupadd", GROUP)
    run("usermod", "-aG", GROUP, ALICE)
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
    agent.record(pid, functions, interval_ms=20, budget_ppm=250000)
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


def run_with_users(*tests):
    try:
        set_up()
        run_tests(*tests)
    finally:
        shutil.rmtree(PLACE)
