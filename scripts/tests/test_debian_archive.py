# SPDX-License-Identifier: EPL-2.0
"""Which mirror is taken, and that no file passes but the pinned one."""
import hashlib
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
SOURCES = f'set -euo pipefail; . {SCRIPTS}/messages.sh; . {SCRIPTS}/debian-archive.sh; '


def run(command, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith('KVIEW_')}
    return subprocess.run(['bash', '-c', SOURCES + command], env=clean | environment, text=True, capture_output=True)


class Mirror(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.etc = pathlib.Path(folder.name)
        (self.etc / 'sources.list.d').mkdir()

    def mirror(self, **environment):
        return run('debian_archive__mirror', KVIEW_APT_ETC=str(self.etc), **environment).stdout.strip()

    def test_one_line_format(self):
        (self.etc / 'sources.list').write_text('# deb http://no/debian bookworm main\n'
                                               'deb [arch=amd64] http://first/debian/ bookworm main contrib\n')
        self.assertEqual('http://first/debian', self.mirror())

    def test_deb822_format(self):
        (self.etc / 'sources.list.d/debian.sources').write_text(
            'Types: deb\nURIs: http://off/debian\nSuites: bookworm\nComponents: main\nEnabled: no\n\n'
            'Types: deb deb-src\nURIs: http://on/debian http://other/debian\nSuites: trixie trixie-updates\nComponents: main\n')
        self.assertEqual('http://on/debian', self.mirror())

    def test_other_vendors_hold_none_of_our_packages(self):
        (self.etc / 'sources.list').write_text('deb http://vendor/apt cloud-sdk-bookworm main\n')
        (self.etc / 'sources.list.d/node.sources').write_text(
            'Types: deb\nURIs: http://vendor/node\nSuites: nodistro\nComponents: main\n')
        self.assertEqual('', self.mirror())

    def test_environment_wins(self):
        (self.etc / 'sources.list').write_text('deb http://first/debian bookworm main\n')
        self.assertEqual('http://mine/debian', self.mirror(KVIEW_DEBIAN_MIRROR='http://mine/debian/'))


class File(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / 'a_1.deb').write_bytes(b'package')

    def file(self, sha256, path='pool/main/a/a/a_1.deb'):
        return run(f'f=$(debian_archive__file {sha256} {path}); echo "got $f"',
                   KVIEW_DEBIAN_PACKAGES=str(self.folder))

    def test_the_pinned_one_is_taken(self):
        result = self.file(hashlib.sha256(b'package').hexdigest())
        self.assertEqual(f'got {self.folder}/a_1.deb\n', result.stdout)

    def test_a_changed_one_ends_it_with_both_sums(self):
        result = self.file('0' * 64)
        self.assertNotEqual(0, result.returncode)
        self.assertNotIn('got', result.stdout)
        self.assertIn('0' * 64, result.stderr)
        self.assertIn(hashlib.sha256(b'package').hexdigest(), result.stderr)

    def test_a_missing_one_is_named(self):
        result = self.file('0' * 64, 'pool/main/b/b/b_2.deb')
        self.assertNotEqual(0, result.returncode)
        self.assertIn('b_2.deb is missing', result.stderr)


if __name__ == '__main__':
    unittest.main()
