# SPDX-License-Identifier: EPL-2.0
import os
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import repack  # noqa: E402


def headers(bundle, **more):
    return {'Manifest-Version': '1.0', 'Bundle-SymbolicName': bundle, 'Bundle-Version': '1.2.3.qualifier',
            **{name.replace('_', '-'): value for name, value in more.items()}}


class Manifest(unittest.TestCase):

    def test_splits_at_commas_outside_quotes(self):
        self.assertEqual(['a;version="[1,2)"', 'b', 'c;x:=y'], repack.split_clauses('a;version="[1,2)", b,c;x:=y'))
        self.assertEqual([], repack.split_clauses(''))

    def test_unfolds_lines_and_leaves_entry_sections_out(self):
        text = 'A: one\r\n two\r\nB:\r\n\r\nName: x.class\r\nSHA-256-Digest: 0\r\n'
        self.assertEqual({'A': 'onetwo', 'B': ''}, repack.parse_manifest(text))

    def test_folding_survives_a_round_trip(self):
        original = headers('some.bundle', Require_Bundle=','.join(f'bundle.number{i}' for i in range(40)))
        written = repack.format_manifest(original)
        self.assertEqual(original, repack.parse_manifest(written.decode()))
        self.assertLessEqual(max(len(line) for line in written.split(b'\r\n')), 72)


class Repair(unittest.TestCase):

    def test_gives_the_qualifier_a_value(self):
        self.assertEqual('1.2.3.debian', repack.repair(headers('some.bundle'))['Bundle-Version'])

    def test_strikes_out_requirements_that_nothing_meets(self):
        fixed = repack.repair(headers('org.eclipse.tracecompass.tmf.ui;singleton:=true',
                                      Require_Bundle='org.eclipse.ui,org.eclipse.wst.xml.ui;bundle-version="1.0"'))
        self.assertEqual('org.eclipse.ui', fixed['Require-Bundle'])
        self.assertIn('org.apache.commons.io', fixed['Import-Package'])

    def test_names_a_bundle_once(self):
        fixed = repack.repair(headers('some.bundle', Require_Bundle='a;visibility:=reexport,b,a'))
        self.assertEqual('a;visibility:=reexport,b', fixed['Require-Bundle'])

    def test_leaves_no_empty_header(self):
        fixed = repack.repair(headers('org.eclipse.tracecompass.analysis.timing.ui',
                                      Require_Bundle='org.eclipse.tracecompass.analysis.timing.ui'))
        self.assertNotIn('Require-Bundle', fixed)

    def test_makes_an_import_optional(self):
        fixed = repack.repair(headers('org.eclipse.cdt.core', Import_Package='a,javax.xml.bind'))
        self.assertEqual('a,javax.xml.bind;resolution:=optional', fixed['Import-Package'])


class Repack(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def make_jar(self, name, entries):
        path = os.path.join(self.folder, name)
        with zipfile.ZipFile(path, 'w') as jar:
            jar.writestr(repack.MANIFEST, repack.format_manifest(headers('some.bundle')))
            for entry in entries:
                jar.writestr(entry, entry)
        return path

    def repack(self, jar, folder):
        outdir = os.path.join(self.folder, folder)
        os.makedirs(outdir)
        return repack.repack(jar, outdir)

    def test_gives_the_same_bytes_whatever_the_order_and_time_of_entries(self):
        one = self.repack(self.make_jar('one.jar', ['b', 'a/', 'a/c']), 'first')
        other = self.repack(self.make_jar('other.jar', ['a/c', 'b']), 'second')
        with open(one, 'rb') as first, open(other, 'rb') as second:
            self.assertEqual(first.read(), second.read())

    def test_names_the_copy_after_the_bundle_and_puts_the_manifest_first(self):
        path = self.repack(self.make_jar('any.jar', ['b', 'A']), 'out')
        self.assertEqual('some.bundle_1.2.3.debian.jar', os.path.basename(path))
        with zipfile.ZipFile(path) as jar:
            self.assertEqual([repack.MANIFEST, 'A', 'b'], jar.namelist())
            self.assertEqual(b'A', jar.read('A'))

    def test_says_which_jar_is_no_bundle(self):
        path = os.path.join(self.folder, 'broken.jar')
        with open(path, 'w') as file:
            file.write('not a jar')
        with self.assertRaisesRegex(SystemExit, 'broken.jar is not a readable OSGi bundle'):
            repack.main([os.path.join(self.folder, 'out'), path])


if __name__ == '__main__':
    unittest.main()
