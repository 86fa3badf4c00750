#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What is decided of functions of all shapes, against the comments of shapes.S; and that most functions of real libraries fit.

usage: decide_test.py BUILD
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Those of the machine itself; a share that is well below what was seen on Debian 12.
REAL = [('libc.so.6', 0.83), ('libstdc++.so.6', 0.90), ('python3', 0.80), ('bash', 0.85)]
failed = False


def check(good, name, said):
    global failed
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {name}: {said}")


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def decided(build, path):
    """By name; without the sentence."""
    lines = run(f'{build}/decide', path).stdout.splitlines()
    return dict(line.split(' #')[0].strip().split(': ', 1) for line in lines)


def check_shapes(build, path):
    wanted = {}
    for source in 'shapes.S', 'shapes_first.S':
        with open(f'{HERE}/{source}', encoding='ascii') as file:
            wanted.update(re.findall(r'= (\w+): ([^*]*?) \*/', file.read()))
    said = decided(build, path)
    for name, want in wanted.items():
        check(said.get(name) == want, f'{os.path.basename(path)}, {name}', said.get(name))
    unknown = set(said) - set(wanted)
    check(not [name for name in unknown if not name.startswith('_')], 'all shapes are described', sorted(unknown))


def path_of(name):
    for folder in '/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', '/usr/bin', '/bin':
        if os.path.exists(f'{folder}/{name}'):
            return os.path.realpath(f'{folder}/{name}')
    return None


def check_real(build):
    for name, least in REAL:
        path = path_of(name)
        if not path:
            print(f'skipped {name}: it is not there')
            continue
        said = run(f'{build}/decide', '--count', path)
        share = re.search(r'fits ([0-9.]+) %', said.stdout)
        check(share and float(share[1]) >= 100 * least, f'most functions of {name} fit',
              said.stdout.strip() or said.stderr.strip())


def main():
    build = sys.argv[1]
    for path in sorted(os.listdir(build)):
        if path.startswith('shapes') and path.endswith('.so'):
            check_shapes(build, f'{build}/{path}')
    check_real(build)
    return failed


if __name__ == '__main__':
    sys.exit(main())
