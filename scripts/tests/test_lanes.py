# SPDX-License-Identifier: EPL-2.0
"""./test runs all that it expects, expects all that it runs, and leaves out no test of the product."""
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
E2E = os.path.join(ROOT, 'tests/org.kview.e2e.tests/src/test/java/org/kview/e2e')


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


def functions():
    """The text of each function of ./test."""
    return dict(re.findall(r'^(\w+)\(\) \{[^\n]*\n(.*?)^\}', read('test'), re.MULTILINE | re.DOTALL))


def names_run(body):
    names = re.findall(r'^ *(?:run|check|check_product) ([a-z]\w*) ', body, re.MULTILINE)
    return names + ['java'] * len(re.findall(r'^ *check_bundles\b', body, re.MULTILINE))


class LanesTest(unittest.TestCase):
    def test_what_is_expected_is_run_once_and_the_other_way_round(self):
        for name in ('test_all', 'test_fast'):
            with self.subTest(name):
                body = functions()[name]
                expected = re.search(r'^ *expect (.*)$', body, re.MULTILINE).group(1).split()
                self.assertEqual(sorted(expected), sorted(names_run(body)))

    def test_each_tag_of_the_product_has_a_run_and_all_else_another(self):
        body = functions()['test_all']
        own = re.findall(r'-Dgroups=(\w+)', body)
        left_out = re.findall(r'-DexcludedGroups=([\w,]+)', body)
        self.assertEqual([sorted(own)], [sorted(tags.split(',')) for tags in left_out])
        tags = set()
        for file in os.listdir(E2E):
            source = read(os.path.join(E2E, file))
            found = set(re.findall(r'@Tag\("(\w+)"\)', source))
            if 'long' in found:
                self.assertRegex(source, 'extends GuestTest|abstract class GuestTest', 'the only run that looks at this tag')
            tags |= found
        self.assertEqual({*own, 'long'}, tags)
        self.assertIn('-Dgroups=guest$([ "$long" ] || echo "&!long")', body)

    def test_the_reports_of_each_run_of_the_product_are_counted(self):
        runs = re.findall(r'check_product (\w+)', functions()['test_all'])
        counted = re.search(r'for runner in ([\w ]+); do reports', read('test')).group(1).split()
        self.assertEqual(sorted(runs), sorted(counted))

    def test_what_is_isolated_has_the_machine_to_itself(self):
        for file in os.listdir(E2E):
            source = read(os.path.join(E2E, file))
            if '@Isolated(' in source:
                with self.subTest(file):
                    self.assertIn('@Tag("figures")', source)
        body = functions()['test_all']
        self.assertLess(body.index('-Dgroups=figures'), body.index('&\n'), 'before anything runs beside')


if __name__ == '__main__':
    unittest.main()
