# SPDX-License-Identifier: EPL-2.0
import os
import subprocess
import sys
import tempfile
import unittest

TALLY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'tally.py')


class Tally(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def runner(self, name, status, log=''):
        self.write(name + '.status', f'{status}\n')
        self.write(name + '.log', log)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), 'w') as file:
            file.write(text)

    def tally(self):
        other = os.path.join(self.folder, 'other')
        result = subprocess.run([sys.executable, TALLY, self.folder, f'java={self.folder}/none', f'java={self.folder}',
                                 f'e2e={other}'], capture_output=True, text=True)
        return result.returncode, result.stdout.splitlines()

    def test_adds_up_every_kind_of_runner(self):
        self.runner('plain', 0, 'check: 1 passed, 0 failed\nnoise\ncheck: 3 passed, 0 failed, 2 skipped\n')
        self.runner('python', 0, 'Ran 4 tests in 0.1s\n\nOK (skipped=1)\n')
        self.runner('silent', 0)
        self.runner('java', 0)
        self.write('TEST-a.xml', '<testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite>')
        self.assertEqual((0, ['8 passed, 0 failed, 4 skipped']), self.tally())

    def test_what_each_took_is_shown_and_the_longest_first(self):
        self.runner('agent', 0, '1 passed, 0 failed\n')
        self.write('agent.time', '35 s, 29 s of processor and 8 s in the kernel\n')
        self.runner('kview', 0, '1 passed, 0 failed\n')
        self.write('kview.time', '1212 s, 384 s of processor and 19 s in the kernel\n')
        self.write('build.time', '\n')
        code, lines = self.tally()
        self.assertEqual((0, ['seconds processor kernel part', '1212 384 19 kview', '35 29 8 agent', '2 passed, 0 failed']),
                         (code, [' '.join(line.split()) if '  ' in line else line for line in lines]))

    def test_names_what_failed(self):
        self.runner('java', 1)
        self.write('TEST-a.xml', '<testsuite><testcase classname="c" name="a"><failure message="1 is not 2"/></testcase>'
                                 '<testcase classname="c" name="b"><error message="gone"/></testcase></testsuite>')
        self.assertEqual((1, ['FAILED c.a: 1 is not 2', 'FAILED c.b: gone', '0 passed, 2 failed']), self.tally())

    def test_each_runner_has_its_own_reports(self):
        self.runner('java', 0)
        self.runner('e2e', 1, 'Tests run: 9\n')
        self.write('TEST-a.xml', '<testsuite><testcase name="a"/></testsuite>')
        os.mkdir(os.path.join(self.folder, 'other'))
        self.write('other/TEST-b.xml', '<testsuite><testcase name="a"/><testcase classname="c" name="b"><error message="gone"/>'
                                       '</testcase></testsuite>')
        self.assertEqual((1, ['FAILED c.b: gone', '2 passed, 1 failed']), self.tally())

    def test_names_what_failed_in_a_runners_log(self):
        self.runner('agent', 2, 'ok a\nnot ok b: 3 is not 2\n1 passed, 1 failed\n')
        self.runner('kview', 1, 'FAIL case 7\nok other\n1 passed, 1 failed\n')
        self.assertEqual((1, ['FAILED agent: b: 3 is not 2', 'FAILED kview: case 7', '2 passed, 2 failed']), self.tally())

    def test_a_failed_unittest_counts(self):
        self.runner('python', 1, 'FAIL: test_a (A)\n-----\nERROR: test_b (A)\n-----\n'
                                 'Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1)\n')
        self.assertEqual((1, ['FAILED python: test_a (A)', 'FAILED python: test_b (A)', '3 passed, 2 failed']), self.tally())

    def test_a_runner_that_breaks_down_has_failed(self):
        self.runner('agent', 2, 'make: *** no rule\n')
        self.runner('java', 1)
        code, lines = self.tally()
        self.assertEqual((1, '0 passed, 2 failed'), (code, lines[-1]))

    def test_reports_of_no_test_are_a_failure(self):
        self.runner('silent', 0)
        self.runner('e2e', 0)
        self.assertEqual((1, ['FAILED e2e: ran no test', '1 passed, 1 failed']), self.tally())

    def test_no_test_at_all_is_no_success(self):
        self.assertEqual((1, ['0 passed, 0 failed']), self.tally())


if __name__ == '__main__':
    unittest.main()
