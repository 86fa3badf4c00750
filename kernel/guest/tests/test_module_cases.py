# SPDX-License-Identifier: GPL-2.0
"""The kernel module's cases can be asked for by name, of whatever kind they are."""
import os
import subprocess
import unittest

RUN = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'kview/tests/run')


def listed(*names):
    return subprocess.run([RUN, '--list', *names], capture_output=True, text=True, timeout=240)


class ModuleCases(unittest.TestCase):
    def test_one_of_each_kind_is_found_by_its_name(self):
        one_of = {line.split()[1]: line for line in listed().stdout.splitlines()}
        self.assertIn('once-alone', one_of)
        result = listed(*(line.split()[0] for line in one_of.values()))
        self.assertEqual(list(one_of.values()), result.stdout.splitlines(), result.stderr)

    def test_a_name_that_is_none_is_refused(self):
        result = listed('livepatc')
        self.assertEqual((2, ''), (result.returncode, result.stdout))
        self.assertIn('no such case: livepatc ', result.stderr)


if __name__ == '__main__':
    unittest.main()
