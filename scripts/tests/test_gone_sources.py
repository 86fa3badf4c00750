# SPDX-License-Identifier: EPL-2.0
"""That no class of a source that is gone stays in a build, and none that was compiled against what is another now."""
import os
import subprocess
import tempfile
import unittest

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class GoneSources(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = self.folder.name
        os.mkdir(self.path('build'))
        self.write('bundles/b/pom.xml')
        self.write('bundles/b/src/A.java')
        self.write('bundles/b/src/B.java')
        self.write('tests/b.tests/META-INF/MANIFEST.MF')
        self.look()
        self.write('bundles/b/target/classes/A.class')
        self.write('bundles/b/target/classes/B.class')
        self.write('tests/b.tests/target/classes/C.class')

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        open(self.path(name), 'w', encoding='utf-8').close()

    def look(self):
        subprocess.run(['bash', '-euc', '. "$0/messages.sh"; . "$0/build.sh"; forget_gone_sources', SCRIPTS],
                       env={**os.environ, 'root': self.root}, check=True)

    def has(self, *names):
        return [os.path.exists(self.path(name)) for name in names]

    def test_what_is_built_stays_where_nothing_went(self):
        self.write('bundles/b/src/New.java')
        self.look()
        self.assertEqual([True, True], self.has('bundles/b/target/classes/B.class', 'tests/b.tests/target/classes/C.class'))

    def test_a_source_that_is_gone_takes_all_classes_along(self):
        os.rename(self.path('bundles/b/src/B.java'), self.path('bundles/b/src/Moved.java'))
        self.look()
        self.assertEqual([False, False, True], self.has('bundles/b/target/classes/B.class',
                                                        'tests/b.tests/target/classes/C.class', 'bundles/b/src/A.java'))
        self.write('bundles/b/target/classes/A.class')
        self.look()
        self.assertEqual([True], self.has('bundles/b/target/classes/A.class'))

    def test_a_source_that_has_changed_takes_those_along_that_may_call_it(self):
        with open(self.path('bundles/b/src/A.java'), 'a', encoding='utf-8') as source:
            source.write('class A { }')
        self.look()
        self.assertEqual([False, False], self.has('bundles/b/target/classes/B.class', 'tests/b.tests/target/classes/C.class'))

    def test_a_bundle_that_is_gone_leaves_no_folder(self):
        self.write('bundles/gone/target/classes/D.class')
        self.write('bundles/kept/notes.txt')
        os.remove(self.path('bundles/b/src/B.java'))
        self.look()
        self.assertEqual([False, True], self.has('bundles/gone', 'bundles/kept/notes.txt'))


if __name__ == '__main__':
    unittest.main()
