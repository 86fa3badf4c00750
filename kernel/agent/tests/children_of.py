# SPDX-License-Identifier: GPL-2.0
"""What a process has in its memory of a file's code, and which children it has."""


def address_of(pid, path, offset):
    """Where a process maps that place of a file."""
    with open("/proc/%d/maps" % pid) as maps:
        for line in maps:
            span, rights, start, _, _, *name = line.rstrip("\n").split(maxsplit=5)
            low, high = (int(x, 16) for x in span.split("-"))
            at = offset - int(start, 16)
            if "x" in rights and name and name[0] == path and 0 <= at < high - low:
                return low + at
    raise KeyError("%s at %x is not mapped by %d" % (path, offset, pid))


def code_at(pid, path, offset, length=1):
    """What a process has in memory there."""
    with open("/proc/%d/mem" % pid, "rb") as memory:
        memory.seek(address_of(pid, path, offset))
        return memory.read(length)


def file_at(path, offset):
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(1)


def children_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]
