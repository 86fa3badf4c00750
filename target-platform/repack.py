#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Copies OSGi bundles as OUTDIR/<symbolic name>_<version>.jar, with repaired manifests.

Debian patched Trace Compass's manifests to match Debian's own Eclipse.  The repairs below undo what
does not hold for the newest platform.  Repeating a run gives the same bytes: entries are sorted, and
every time stamp is the same.

usage: repack.py OUTDIR JAR...
"""
import os
import sys
import zipfile

MANIFEST = 'META-INF/MANIFEST.MF'
QUALIFIER = 'debian'
TIMESTAMP = (2021, 1, 1, 0, 0, 0)

# Required bundles to strike out, because nothing on a path that we use needs them, because
# packages of theirs are imported instead (below), or because a bundle requires itself.
DROPPED_REQUIREMENTS = {
    'org.eclipse.tracecompass.tmf.ui': {
        'org.eclipse.wst.xml.ui', 'org.eclipse.wst.xsd.core',
        'org.apache.commons.compress', 'org.apache.commons.io', 'org.apache.commons.lang',
    },
    'org.eclipse.tracecompass.tmf.analysis.xml.ui': {'org.eclipse.wst.xml.ui'},
    'org.eclipse.tracecompass.analysis.timing.ui': {'org.eclipse.tracecompass.analysis.timing.ui'},
    'org.eclipse.tracecompass.lttng2.kernel.ui': {'org.eclipse.tracecompass.lttng2.kernel.ui'},
}

ADDED_IMPORTS = {
    'org.eclipse.tracecompass.tmf.ui': [
        'org.apache.commons.compress.archivers',
        'org.apache.commons.compress.archivers.tar',
        'org.apache.commons.compress.archivers.zip',
        'org.apache.commons.compress.compressors.gzip',
        'org.apache.commons.io',
        'org.apache.commons.lang3',
        'org.apache.commons.lang3.exception',
        'org.apache.commons.lang3.math',
        'org.apache.commons.lang3.tuple',
    ],
}

OPTIONAL_IMPORTS = {'org.eclipse.cdt.core': {'javax.xml.bind'}}


def split_clauses(value):
    """Splits a manifest header at its commas, leaving quoted ones (version ranges) alone."""
    clauses, start, quoted = [], 0, False
    for position, character in enumerate(value):
        if character == '"':
            quoted = not quoted
        elif character == ',' and not quoted:
            clauses.append(value[start:position].strip())
            start = position + 1
    clauses.append(value[start:].strip())
    return [clause for clause in clauses if clause]


def name_of(clause):
    return clause.split(';')[0].strip()


def parse_manifest(text):
    """The main section's headers, in order; per-entry digests are dropped with their sections."""
    unfolded = text.replace('\r\n', '\n').replace('\n ', '')
    headers = {}
    for line in unfolded.split('\n\n')[0].split('\n'):
        if line.strip():
            name, _, value = line.partition(':')
            headers[name.strip()] = value.strip()
    return headers


def fold(name, value):
    """One header as the jar format wants it: at most 72 bytes a line, then a space to go on."""
    rest = f'{name}: {value}'.encode()
    lines, rest = [rest[:72]], rest[72:]
    while rest:
        lines.append(b' ' + rest[:71])
        rest = rest[71:]
    return b'\r\n'.join(lines) + b'\r\n'


def format_manifest(headers):
    ordered = {'Manifest-Version': headers.get('Manifest-Version', '1.0'), **headers}
    return b''.join(fold(name, value) for name, value in ordered.items()) + b'\r\n'


def repair(headers):
    """The headers of a bundle, changed so that it resolves in our target platform."""
    fixed = dict(headers)
    bundle = name_of(fixed['Bundle-SymbolicName'])
    fixed['Bundle-Version'] = fixed['Bundle-Version'].replace('.qualifier', '.' + QUALIFIER)

    dropped = DROPPED_REQUIREMENTS.get(bundle, set())
    required = {}
    for clause in split_clauses(fixed.get('Require-Bundle', '')):
        if name_of(clause) not in dropped:
            required.setdefault(name_of(clause), clause)  # some name a bundle twice, which is an error
    replace_header(fixed, 'Require-Bundle', required.values())

    imports = split_clauses(fixed.get('Import-Package', ''))
    present = {name_of(clause) for clause in imports}
    imports += [name for name in ADDED_IMPORTS.get(bundle, []) if name not in present]
    optional = OPTIONAL_IMPORTS.get(bundle, set())
    replace_header(fixed, 'Import-Package',
                   [clause + ';resolution:=optional' if name_of(clause) in optional else clause for clause in imports])
    return fixed


def replace_header(headers, name, clauses):
    if clauses:
        headers[name] = ','.join(clauses)
    else:
        headers.pop(name, None)


def repack(jar, outdir):
    """Writes the repaired copy of a bundle and returns its path."""
    with zipfile.ZipFile(jar) as source:
        headers = repair(parse_manifest(source.read(MANIFEST).decode()))
        name = f"{name_of(headers['Bundle-SymbolicName'])}_{headers['Bundle-Version']}.jar"
        path = os.path.join(outdir, name)
        with zipfile.ZipFile(path, 'w') as copy:
            write_entry(copy, MANIFEST, format_manifest(headers))
            for entry in sorted(source.namelist()):
                if entry != MANIFEST and not entry.endswith('/'):
                    write_entry(copy, entry, source.read(entry))
    return path


def write_entry(jar, name, data):
    entry = zipfile.ZipInfo(name, TIMESTAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    jar.writestr(entry, data)


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    outdir, *jars = arguments
    os.makedirs(outdir, exist_ok=True)
    for jar in jars:
        try:
            repack(jar, outdir)
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            sys.exit(f'repack.py: {jar} is not a readable OSGi bundle ({error}); '
                     'check that debian-bundles.txt names a bundle of the pinned packages.')


if __name__ == '__main__':
    main(sys.argv[1:])
