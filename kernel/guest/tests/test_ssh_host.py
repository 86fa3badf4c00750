# SPDX-License-Identifier: GPL-2.0
"""The guest as a remote host: what other tests rely on, and kview's command in it over SSH."""
import glob
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

GUEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORKLOADS = os.path.join(GUEST, '..', 'workloads')
PATIENCE_S = 900


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, **options)


class SshHost:
    """One guest, from ready to stopped."""

    def __init__(self, folder, *options, env=None):
        self.folder = folder
        self.process = subprocess.Popen([f'{GUEST}/ssh-host', folder, *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=env)
        word, _, self.port = self.process.stdout.readline().strip().partition(' ')
        if word != 'ready':
            raise AssertionError(f'no guest: code {self.process.wait(PATIENCE_S)}')
        self.port = int(self.port)

    def run(self, *words, user='root', **options):
        return run(f'{GUEST}/ssh-run', self.folder, '--user', user, '--', *words, **options)

    def sftp(self, batch, user='kview'):
        return run('sftp', '-q', '-b', '-', '-F', f'{self.folder}/ssh_config', f'{user}@guest', input=batch)

    def descendants(self):
        """Process ids of the guest's emulator and scripts."""
        found, queue = [], [self.process.pid]
        while queue:
            for path in glob.glob(f'/proc/{queue.pop()}/task/*/children'):
                with open(path, encoding='ascii') as file:
                    children = [int(pid) for pid in file.read().split()]
                found += children
                queue += children
        return found

    def stop(self):
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return code


def is_alive(pid):
    try:
        with open(f'/proc/{pid}/stat', encoding='ascii', errors='replace') as file:
            return ') Z ' not in file.read()
    except OSError:
        return False


def await_end(pids):
    for _ in range(1200):
        left = [pid for pid in pids if is_alive(pid)]
        if not left:
            return []
        time.sleep(0.05)
    return left


class WithFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='kview-ssh-test.')
        # The client's connection to the guest takes its socket away meanwhile.
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)

    def assert_done(self, result, output=None):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        if output is not None:
            self.assertEqual(result.stdout, output)


class SshHostTest(WithFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.host_folder = os.path.join(cls.folder, 'host')
        os.mkdir(cls.host_folder)
        # the caller's own keys, of another type than would be made
        for key in ('id', 'host_key'):
            subprocess.run(['ssh-keygen', '-q', '-t', 'ecdsa', '-N', '', '-f', f'{cls.host_folder}/{key}'], check=True)
        cls.host = SshHost(cls.host_folder, '--kernel', '6.1', '--kview')
        cls.addClassCleanup(cls.host.stop)

    def test_output_and_exit_code_are_the_commands(self):
        result = self.host.run('cat; echo out; echo err >&2; exit 7', input='in\n')
        self.assertEqual((result.returncode, result.stdout, result.stderr), (7, 'in\nout\n', 'err\n'))

    def test_words_arrive_as_they_are(self):
        words = ['a b', "c'd", '$HOME', '*', '']
        self.assert_done(self.host.run('printf', r'%s\n', *words), ''.join(f'{word}\n' for word in words))

    def test_the_kernel_is_debians(self):
        self.assertRegex(self.host.run('uname', '-r').stdout, r'^6\.1\.0-\d+-amd64\n$')

    def test_the_server_is_the_one_with_the_callers_key(self):
        with open(f'{self.host_folder}/host_key.pub', encoding='ascii') as file:
            key = file.read().split()[1]
        scanned = run('ssh-keyscan', '-t', 'ecdsa', '-p', str(self.host.port), '127.0.0.1')
        self.assertIn(key, scanned.stdout)

    def test_another_key_is_not_let_in(self):
        other = os.path.join(self.folder, 'other')
        subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', other], check=True)
        result = run('ssh', '-F', 'none', '-o', f'UserKnownHostsFile={self.host_folder}/known_hosts', '-o', 'IdentitiesOnly=yes',
                     '-o', 'IdentityAgent=none', '-i', other, '-p', str(self.host.port), 'kview@127.0.0.1', 'id')
        self.assertEqual(result.returncode, 255)
        self.assertIn('Permission denied', result.stderr)

    def test_it_listens_on_loopback_alone(self):
        with open('/proc/net/tcp', encoding='ascii') as file:
            listening = [line.split()[1] for line in file if line.split()[3] == '0A']
        self.assertEqual([a for a in listening if a.endswith(f':{self.host.port:04X}')], [f'0100007F:{self.host.port:04X}'])

    def test_one_user_may_use_sudo_and_one_may_not(self):
        self.assert_done(self.host.run('id -un; sudo -n id -un', user='kview'), 'kview\nroot\n')
        self.assert_done(self.host.run('id -un', user='plain'), 'plain\n')
        refused = self.host.run('sudo', '-n', 'id', user='plain')
        self.assertEqual((refused.returncode, refused.stdout), (1, ''))
        self.assertIn('a password is required', refused.stderr)

    def test_files_come_and_go_by_sftp(self):
        sent, received = os.path.join(self.folder, 'sent'), os.path.join(self.folder, 'received')
        with open(sent, 'wb') as file:
            file.write(secrets.token_bytes(300_000))
        self.assert_done(self.host.sftp(f'put {sent} there\nget there {received}\n'))
        self.assert_done(self.host.run('stat -c "%U %s" there', user='kview'), 'kview 300000\n')
        with open(sent, 'rb') as one, open(received, 'rb') as other:
            self.assertEqual(one.read(), other.read())
        self.assertNotEqual(self.host.sftp(f'put {sent} /etc/there\n', user='plain').returncode, 0)

    def test_workloads_run(self):
        subprocess.run(['make', '-s', '-C', WORKLOADS], check=True)
        self.assert_done(self.host.sftp(f'put {WORKLOADS}/build/kview-calls calls\n'))
        result = self.host.run('chmod +x calls && ./calls --calls 1000 --rate 0 --seconds 60', user='kview')
        self.assertIn('"calls":1000,', result.stdout, result.stderr)

    def test_kviewctl_as_a_plain_user_says_what_it_takes(self):
        for user in ('plain', 'kview'):
            result = self.host.run('/guest/bin/kviewctl count -f vfs_read -- /bin/true', user=user)
            self.assertEqual((result.returncode, result.stdout), (1, ''), result.stderr)
            self.assertRegex(result.stderr, r'^kviewctl: .*Operation not permitted; it takes CAP_BPF and CAP_PERFMON\n$')

    def test_kviewctl_counts_exactly_through_sudo(self):
        command = 'sudo -n /guest/bin/kviewctl count -f vfs_read -f ksys_lseek -- /guest/bin/kview-test --reads 1000'
        result = self.host.run(command, user='kview')
        self.assertEqual(result.returncode, 0, result.stderr)
        counts = dict((name, int(count)) for count, name in re.findall(r'(\d+)\s+(\w+)', result.stdout))
        # the program's own 1000, and the few that execve makes
        self.assertIn(counts['vfs_read'], range(1000, 1100))
        self.assert_done(self.host.run('sudo -n /guest/bin/kviewctl stat | head -n 2', user='kview'), 'views 0\nprocesses 0\n')


class EndTest(WithFolder):
    """However it ends, nothing is left of it; and the other kernel."""

    def start(self, name):
        temporary = tempfile.mkdtemp(dir=self.folder)
        host = SshHost(os.path.join(self.folder, name), '--kernel', '6.12', env={**os.environ, 'TMPDIR': temporary})
        self.addCleanup(host.process.stdout.close)
        self.assertNotEqual(os.listdir(temporary), [])
        return host, host.descendants(), temporary

    def assert_gone(self, host, pids, temporary):
        self.assertGreaterEqual(len(pids), 3)
        self.assertEqual(await_end(pids), [])
        self.assertEqual(os.listdir(temporary), [])
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(('127.0.0.1', host.port), 5).close()

    def test_it_stops_when_its_input_ends(self):
        host, pids, temporary = self.start('closed')
        self.assertRegex(host.run('uname', '-r').stdout, r'^6\.12\.')
        host.process.stdin.close()
        self.assertEqual(host.process.wait(PATIENCE_S), 0)
        self.assert_gone(host, pids, temporary)

    def test_it_stops_when_it_is_killed(self):
        host, pids, temporary = self.start('killed')
        self.addCleanup(host.process.stdin.close)
        host.process.send_signal(signal.SIGKILL)
        host.process.wait(PATIENCE_S)
        self.assert_gone(host, pids, temporary)


if __name__ == '__main__':
    unittest.main()
