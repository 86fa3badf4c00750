# SPDX-License-Identifier: GPL-2.0
"""What the kernel itself takes for a probe: eBPF programs of a few instructions at both ends of a function."""
import contextlib
import ctypes
import os
import platform
import struct

SYS_BPF = {"x86_64": 321, "aarch64": 280}[platform.machine()]
# From linux/bpf.h.
BPF_PROG_LOAD, BPF_LINK_CREATE = 5, 28
BPF_PROG_TYPE_KPROBE, BPF_F_SLEEPABLE, BPF_TRACE_UPROBE_SESSION = 2, 1 << 4, 57
KTIME_GET_NS, GET_CURRENT_TASK_BTF = 5, 158
CALL, SET, EXIT = 0x85, 0xb7, 0x95
ATTRIBUTES = 128

# By their names in the output: what the programs ask the kernel for.
FLOORS = {"empty": (), "clock": (GET_CURRENT_TASK_BTF, KTIME_GET_NS)}

libc = ctypes.CDLL(None, use_errno=True)


def bpf(command, attributes):
    fd = libc.syscall(SYS_BPF, command, ctypes.create_string_buffer(attributes, ATTRIBUTES), ATTRIBUTES)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "bpf: " + os.strerror(ctypes.get_errno()))
    return fd


def load(helpers):
    """A program that calls these, and answers 0: the return address is to be replaced."""
    code = [(CALL, helper) for helper in helpers] + [(SET, 0), (EXIT, 0)]
    instructions = ctypes.create_string_buffer(b"".join(struct.pack("<BBhi", op, 0, 0, value) for op, value in code))
    licence = ctypes.create_string_buffer(b"GPL")
    return bpf(BPF_PROG_LOAD, struct.pack(
        "<IIQQIIQII16sII", BPF_PROG_TYPE_KPROBE, len(code), ctypes.addressof(instructions),
        ctypes.addressof(licence), 0, 0, 0, 0, BPF_F_SLEEPABLE, b"floor", 0, BPF_TRACE_UPROBE_SESSION))


@contextlib.contextmanager
def probed(helpers, path, file_offset, pid):
    """The way the agent attaches its own; needs Linux 6.13."""
    name, offsets = ctypes.create_string_buffer(path.encode()), (ctypes.c_uint64 * 1)(file_offset)
    program = load(helpers)
    try:
        link = bpf(BPF_LINK_CREATE, struct.pack(
            "<IIIIQQQQIII", program, 0, BPF_TRACE_UPROBE_SESSION, 0, ctypes.addressof(name),
            ctypes.addressof(offsets), 0, 0, 1, 0, pid))
    finally:
        os.close(program)
    try:
        yield
    finally:
        os.close(link)
