#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Sums what all test runners said into one closing line, "N passed, N failed", behind a table of what each took and a
line for all that failed.

usage: tally.py LOGS [NAME=REPORTS]...

LOGS holds NAME.status, the exit code of a runner, NAME.log, what it printed, and NAME.time: three numbers of seconds, which are
how long it took, and its processor's time in programs and in the kernel.  REPORTS is a folder
of surefire reports: a runner that has such folders is counted by them, and not by its log.
"""
import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

CLOSING_LINE = re.compile(r'^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$', re.MULTILINE)
UNITTEST_RAN = re.compile(r'^Ran (\d+) tests? in ', re.MULTILINE)
FAILED_LINE = re.compile(r'^(?:not ok |FAIL:? |ERROR: )(.*)$', re.MULTILINE)
UNITTEST_BAD = re.compile(r'^(?:FAILED|OK) \((.*)\)$', re.MULTILINE)


def count_reports(folders):
    """What surefire reported, and one line for each test that failed."""
    count, failures = Counter(), []
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, 'TEST-*.xml'))):
            for case in ElementTree.parse(path).getroot().iter('testcase'):
                problem = case.find('failure') if case.find('failure') is not None else case.find('error')
                if problem is not None:
                    count['failed'] += 1
                    message = (problem.get('message') or problem.text or '').strip()
                    failures.append(f"{case.get('classname')}.{case.get('name')}: {message}")
                elif case.find('skipped') is not None:
                    count['skipped'] += 1
                else:
                    count['passed'] += 1
    return count, failures


def count_log(text):
    """What a runner said at its end, in the plain form or in unittest's; None when it said neither."""
    plain = CLOSING_LINE.findall(text)
    if plain:
        passed, failed, skipped = plain[-1]
        return Counter(passed=int(passed), failed=int(failed), skipped=int(skipped or 0))
    ran = UNITTEST_RAN.findall(text)
    if ran:
        details = ''.join(UNITTEST_BAD.findall(text)[-1:])
        bad = {key: int(value) for key, value in re.findall(r'(\w+)=(\d+)', details)}
        failed = bad.get('failures', 0) + bad.get('errors', 0)
        skipped = bad.get('skipped', 0)
        return Counter(passed=int(ran[-1]) - failed - skipped, failed=failed, skipped=skipped)
    return None


def read(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as file:
            return file.read()
    except FileNotFoundError:
        return ''


def times(logs):
    """A table of what each runner took, the longest first; what ran beside others adds up to more than the whole."""
    rows = []
    for path in glob.glob(os.path.join(logs, '*.time')):
        numbers = [int(word) for word in read(path).split() if word.isdigit()]
        if len(numbers) == 3:
            rows.append((*numbers, os.path.basename(path).removesuffix('.time')))
    if not rows:
        return []
    rows.sort(key=lambda row: (-row[0], row[3]))
    table = [('seconds', 'processor', 'kernel', 'part'), *rows]
    return ['%8s %10s %8s  %s' % row for row in table]


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    logs, *named = arguments
    folders = defaultdict(list)
    for name, _, folder in (argument.partition('=') for argument in named):
        folders[name].append(folder)
    total, failures = Counter(), []
    for path in sorted(glob.glob(os.path.join(logs, '*.status'))):
        name = os.path.basename(path).removesuffix('.status')
        status = int(read(path))
        if name in folders:
            count, found = count_reports(folders[name])
            failures += found
        else:
            text = read(os.path.join(logs, name + '.log'))
            count = count_log(text)
            if status != 0:
                failures += [f'{name}: {line}' for line in FAILED_LINE.findall(text)]
        if count is None:
            count = Counter(passed=1) if status == 0 else Counter()
        # A runner that broke down before it ran a test has failed all the same.
        if status != 0 and not count['failed']:
            count['failed'] = 1
            failures.append(f'{name}: ended with code {status}')
        elif name in folders and not count.total():
            count['failed'] = 1
            failures.append(f'{name}: ran no test')
        total += count
    for line in times(logs):
        print(line)
    for failure in failures:
        print('FAILED', failure)
    skipped = f", {total['skipped']} skipped" if total['skipped'] else ''
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")
    sys.exit(0 if total['passed'] and not total['failed'] else 1)


if __name__ == '__main__':
    main(sys.argv[1:])
