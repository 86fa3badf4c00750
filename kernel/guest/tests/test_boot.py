# SPDX-License-Identifier: GPL-2.0
"""A guest that dies: at boot it is started again and that is said, later it is not, and its kernel's words are shown."""
import os
import subprocess
import unittest

GUEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUN = os.path.join(GUEST, 'run')
OVERLAY = os.path.join(GUEST, '../kview/tests/overlay')


def run(*options):
    return subprocess.run([RUN, '--timeout', '600', *options], capture_output=True, text=True, timeout=660)


class Boot(unittest.TestCase):
    def test_a_panic_before_any_program_ran_is_booted_again_twice(self):
        result = run('--append', 'rdinit=/none', '--', 'true')
        self.assertEqual(125, result.returncode, result.stderr)
        self.assertEqual(2, result.stderr.count('it is booted again'), result.stderr)

    def test_a_panic_under_a_program_ends_the_run(self):
        result = run('--', 'echo before; echo c >/proc/sysrq-trigger; echo after')
        self.assertEqual((125, 'before'), (result.returncode, result.stdout.strip()), result.stderr)
        self.assertNotIn('booted again', result.stderr)

    def test_a_kernel_that_goes_wrong_ends_the_run_and_is_heard(self):
        overlay = subprocess.run([OVERLAY, '6.1'], capture_output=True, text=True, check=True).stdout.strip()
        result = run('--overlay', overlay, '--', 'echo before; insmod /guest/modules/kview_oops.ko; echo after')
        self.assertEqual((125, 'before'), (result.returncode, result.stdout.strip()), result.stderr)
        self.assertIn('BUG: kernel NULL pointer dereference', result.stderr)
        self.assertIn('RIP: 0010:kview_oops_init', result.stderr)

    def test_a_command_has_its_output_and_its_code(self):
        result = run('--', 'echo said; exit 7')
        self.assertEqual((7, 'said'), (result.returncode, result.stdout.strip()), result.stderr)


if __name__ == '__main__':
    unittest.main()
