# SPDX-License-Identifier: GPL-2.0
"""The agent in a guest with the kview module, and programs whose calls it follows there."""
import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from test_ssh_host import GUEST, SshHost, run

AGENT = os.path.join(GUEST, '../agent')
BUILD = os.path.join(AGENT, 'build')
sys.path.insert(0, os.path.join(AGENT, 'tests'))
from agent import Agent  # noqa: E402

# An emulated host stands still for long where others need the CPUs.
PATIENCE_S = 900
TRACING = '/sys/kernel/tracing'


class FlowGuest(SshHost):
    def __init__(self, folder, kernel):
        for make in (['-C', AGENT, 'build/kview-agent'],
                     ['-C', f'{AGENT}/tests/traced', f'BUILD={BUILD}/traced', f'{BUILD}/traced/flows']):
            subprocess.run(['make', '-s', *make], check=True)
        super().__init__(folder, '--kernel', kernel, '--kview', '--smp', '2')
        for path in (f'{BUILD}/kview-agent', f'{BUILD}/traced/flows'):
            with open(path, 'rb') as file:
                self.shell(f'cat >/tmp/{os.path.basename(path)} && chmod 755 /tmp/{os.path.basename(path)}', stdin=file)
        self.shell(f'/guest/applets/mount -t tracefs none {TRACING} 2>/dev/null; true')

    def ssh(self, line):
        return ['ssh', '-F', f'{self.folder}/ssh_config', 'root@guest', line]

    def shell(self, line, **options):
        result = subprocess.run(self.ssh(line), capture_output=True, text=True, timeout=PATIENCE_S, **options)
        if result.returncode:
            raise AssertionError(f'{line}: {result.stdout}{result.stderr}')
        return result.stdout

    def until(self, condition, seconds=120):
        """Waits there until a command says that it is so."""
        self.shell(f'i=0; until {condition}; do i=$((i + 1)); [ $i -lt {10 * seconds} ] || exit 1; sleep 0.1; done')

    def until_stat_has(self, line):
        """Of kviewctl stat."""
        self.until(f"/guest/bin/kviewctl stat | grep -q '^{line}$'")

    def agent(self):
        """Its number in the guest is in agent.guest_pid."""
        agent = Agent(command=self.ssh('echo $$ >/tmp/agent.pid; exec /tmp/kview-agent'), patience=PATIENCE_S)
        agent.guest_pid = int(self.shell('cat /tmp/agent.pid'))
        return agent

    def program(self, arguments):
        return Program(self, arguments)

    def warnings(self):
        return self.shell("/guest/applets/dmesg | /guest/applets/grep -E 'WARNING|BUG|Oops|detected.* stall|lockup|RIP:' || true")


@functools.cache
def guest_with(kernel):
    """The same one until all tests have ended: a boot takes as long as several of them."""
    folder = tempfile.mkdtemp(prefix='kview-guest-test.')
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    guest = FlowGuest(folder, kernel)
    atexit.register(guest.stop)
    return guest


class FlowGuestTest(unittest.TestCase):
    """All tests with one kernel, KERNEL, are in one guest, and leave nothing behind there."""
    KERNEL = '6.12'

    @classmethod
    def setUpClass(cls):
        cls.guest = guest_with(cls.KERNEL)

    def tearDown(self):
        self.assertEqual('', self.guest.warnings())
        self.assertIn('views 0\nprocesses 0\nplaces 0\n', self.guest.shell('/guest/bin/kviewctl stat'))


class Program:
    """flows.c, see there; ended at the end."""

    def __init__(self, guest, arguments):
        self.guest = guest
        self.process = subprocess.Popen(guest.ssh(f'echo $$; exec /tmp/flows {arguments}'), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.pid = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        run(*self.guest.ssh(f'kill -9 {self.pid} 2>/dev/null'))
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        self.process.stdout.close()

    def reads(self, by_all=False):
        """For a shell there: how many calls have ended, of whatever system call that reads, of its first thread or of all that it had."""
        whose = '' if by_all else f'task/{self.pid}/'
        return f'$(/guest/applets/sed -n "s/^syscr: //p" /proc/{self.pid}/{whose}io)'

    def until_reads(self, nr, by_all=False, before=None):
        """So many more have ended than before, else than now."""
        before = before or self.guest.shell(f'echo {self.reads(by_all)}')
        self.guest.until(f'[ {self.reads(by_all)} -ge {int(before) + nr} ]')

    def until_it_reads_input(self):
        self.guest.until(f"grep -q '^0 0x0 ' /proc/{self.pid}/syscall")

    def tell(self, nr=1):
        """That many bytes at once, where it waits for one and reads one at a time; it waits for the next when this returns."""
        before = self.guest.shell(f'echo {self.reads()}')
        self.process.stdin.write('.' * nr)
        self.process.stdin.flush()
        self.until_reads(nr, before=before)
        self.until_it_reads_input()

    def is_alive(self):
        return not run(*self.guest.ssh(f'kill -0 {self.pid} 2>/dev/null')).returncode


class Call:
    """A call of a FlowReply, as a tree: each function with its depth, and the waits with the function that they are in."""

    def __init__(self, reply, call):
        self.call, self.reply = call, reply
        self.entered, self.waits, self.wrong = [], [], []
        self.at_ns = 0
        stack, out = [], None
        for step, after, index, cause, queue in zip(call['steps'], call['after_ns'], call['functions'], call['causes'],
                                                    call['run_queue_ns']):
            self.at_ns += after
            if step == 'FLOW_ENTER':
                self.entered.append((len(stack), reply['functions'][index]))
                stack.append(reply['functions'][index])
            elif step in ('FLOW_LEAVE', 'FLOW_GONE'):
                if not stack or stack.pop() != reply['functions'][index]:
                    self.wrong.append(f'{reply["functions"][index]} is left and was not entered')
            elif step == 'FLOW_OUT':
                out = (stack[-1], cause, self.at_ns)
            else:
                self.waits.append((out[0], out[1], self.at_ns - out[2], queue))
                out = None
            if out and step != 'FLOW_OUT':
                self.wrong.append(f'{step} while it has no CPU')
        self.left_open = stack
        lengths = {len(call[name]) for name in ('steps', 'after_ns', 'functions', 'causes', 'run_queue_ns')}
        if len(lengths) != 1:
            self.wrong.append(f'lengths {lengths}')

    def names(self):
        return [name for _, name in self.entered]

    def waited_ns(self):
        return sum(wait[2] for wait in self.waits)
