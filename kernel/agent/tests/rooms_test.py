# SPDX-License-Identifier: GPL-2.0
"""
The folders of src are rooms, one above the other: a file includes what is in its own room and in those below.
What is generated belongs to nobody, but for the loader of an eBPF program, which is in that program's room.
"""
import os
import re

from checks import *

SRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../src")
# What puts jumps into processes has its own tests; the agent sees it as a room.
JUMP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../jump")
# From the bottom to the top; those of one line know each other.
ROOMS = (("base",), ("bpf",),
         ("arch", "lookup"),
         ("processes",),
         ("jump",),
         ("permission",),
         ("mechanism", "mechanism/bpf", "mechanism/cost", "mechanism/measure"),
         ("mechanism/trap",), ("mechanism/syscall",), ("mechanism/kernel",), ("mechanism/tracepoint",), ("mechanism/jump",),
         ("mechanism/mechanism.c",),
         ("stacks",),
         ("bystander",),
         ("recording",),
         ("ways", "ways/bpf"),
         ("survey", "survey/bpf"), ("flow", "flow/bpf"),
         ("client",),
         ("main.c",))
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
# Mechanisms are known where they are named, and nowhere else, not to each other either.
KNOWN_TO = {"mechanism/trap": ("mechanism/mechanism.c",), "mechanism/syscall": ("mechanism/mechanism.c",),
            "mechanism/kernel": ("mechanism/mechanism.c",), "mechanism/tracepoint": ("mechanism/mechanism.c",),
            "mechanism/jump": ("mechanism/mechanism.c",), "jump": ("mechanism/jump",)}
# All that recordings know of what measures: so a mechanism is added without a change there.
KNOWN_TO_RECORDINGS = ("mechanism/mechanisms.h", "mechanism/figures.h", "bpf/events.h",
                       "mechanism/bpf/waits.h", "mechanism/measure/measures.h")
GENERATED = ("agent.pb-c.h", "syscall_names.h", "trace_tsdl.h")


def own_header(path, files):
    """What differs by processor belongs to the room whose header it implements."""
    if path.startswith("arch/") and path.endswith(".c"):
        name = os.path.basename(path)[:-1] + "h"
        return next((file for file in files if os.path.basename(file) == name), path)
    return path


def room_of(path, files):
    path = own_header(path, files)
    if path in LEVEL:
        return path
    folder = os.path.dirname(path)
    while folder and folder not in LEVEL:
        folder = os.path.dirname(folder)
    return folder or path


def included(path, name, files):
    """The file that is meant; None: a generated one of nobody's."""
    for candidate in (name, os.path.join(os.path.dirname(path), name), "jump/" + name):
        if candidate in files:
            return candidate
    if name in GENERATED:
        return None
    if name.endswith(".skel.h"):
        name = name.replace(".skel.h", ".bpf.c")
    found = [file for file in files if os.path.basename(file) == name]
    if not found:
        raise LookupError("%s includes %s, which is nowhere" % (path, name))
    return found[0]


def wrong_includes(files):
    """files: the names that each includes, by its path."""
    wrong = []
    for path, names in sorted(files.items()):
        for name in names:
            target = included(path, name, files)
            if target is None:
                continue
            upper, lower = room_of(path, files), room_of(target, files)
            if upper == lower:
                continue
            if upper not in LEVEL or lower not in LEVEL or LEVEL[lower] > LEVEL[upper] or \
                    upper not in KNOWN_TO.get(lower, (upper,)) or \
                    upper == "recording" and lower.startswith("mechanism") and target not in KNOWN_TO_RECORDINGS:
                wrong.append("%s -> %s" % (path, target))
    return wrong


def read_below(place, prefix=""):
    files = {}
    for folder, _, names in os.walk(place):
        for name in names:
            path = os.path.join(folder, name)
            with open(path) as file:
                files[prefix + os.path.relpath(path, place)] = re.findall(r'^\s*#include "([^"]+)"', file.read(), re.M)
    return files


def read_sources():
    return read_below(SRC) | read_below(os.path.join(JUMP, "src"), "jump/") | read_below(os.path.join(JUMP, "inside"), "jump/")


def sources():
    files = read_sources()
    say(len(files) > 100 and sum(map(len, files.values())) > 300, "sources of the agent", len(files))
    equal("a file of the agent includes nothing of a room above its own", wrong_includes(files), [])
    used = {room_of(path, files) for path in files}
    equal("each room is a folder, and each folder a room", used ^ set(LEVEL), set())


def what_is_wrong_is_seen():
    files = {"base/error.h": [], "client/wire.h": ["base/error.h"], "recording/ctf.c": ["client/wire.h"],
             "mechanism/trap/bpf/x.bpf.c": [], "mechanism/trap/trap.h": ["x.skel.h"], "recording/r.c": ["mechanism/trap/trap.h"],
             "mechanism/mechanism.h": [], "mechanism/mechanisms.h": ["mechanism/mechanism.h"],
             "recording/known.c": ["mechanism/mechanisms.h"], "recording/more.c": ["mechanism/mechanism.h"],
             "mechanism/syscall/s.c": ["mechanism/trap/trap.h"], "mechanism/mechanism.c": ["mechanism/trap/trap.h"],
             "jump/place/remote.h": [], "mechanism/jump/j.c": ["place/remote.h"], "client/c.c": ["place/remote.h"],
             "permission/p.c": ["x.skel.h"], "main.c": ["client/wire.h"], "arch/x86_64/trap.c": ["mechanism/trap/trap.h"],
             "other/o.c": ["base/error.h"]}
    equal("what goes up, or aside, is seen", wrong_includes(files),
          ["client/c.c -> jump/place/remote.h", "mechanism/syscall/s.c -> mechanism/trap/trap.h", "other/o.c -> base/error.h",
           "permission/p.c -> mechanism/trap/bpf/x.bpf.c", "recording/ctf.c -> client/wire.h",
           "recording/more.c -> mechanism/mechanism.h", "recording/r.c -> mechanism/trap/trap.h"])


run_tests(sources, what_is_wrong_is_seen)
