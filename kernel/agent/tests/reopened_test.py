# SPDX-License-Identifier: GPL-2.0
"""What is easily told of a wrong descriptor: sockets that are connected anew, several paths, waits for something else."""
import tempfile

from checks import *
from recorded_waits import *  # noqa: E402

REOPENED = os.path.join(BUILD, "traced", "reopened")
FUNCTIONS = ["f_ring", "f_udp6", "f_datagram", "f_connect", "f_stream", "f_stopped", "f_bound", "f_outside", "f_copies"]


def told(waits, what, which=lambda wait: True):
    """Of each that was told, one of its fields."""
    return {(w["opened"] or {}).get(what) for w in waits if which(w)}


def each():
    with tempfile.TemporaryDirectory() as folder:
        found = undisturbed(lambda agent: recorded_of(agent, [REOPENED, tempfile.mkdtemp(dir=folder)], FUNCTIONS, waits=True),
                            lambda pid, waits, numbers, healed: None)
        if not found:
            return
        _, _, _, waits, is_ = found
        inside = {os.path.relpath(path, folder).split("/", 1)[1] for path in told(waits["f_bound"], "name") if path}
        outside = told(waits["f_outside"], "name")
        before, _, after = (outside.pop() or "").partition(folder)
    if is_["ring"]:
        equal("a ring that is registered is named by no descriptor", told(waits["f_ring"], "kind"), {None})
    else:
        say(True, "io_uring: skipped, the kernel has none")
    if is_["udp6"]:
        equal("UDP over IPv6, connected anew", told(waits["f_udp6"], "peer"), {"[fd77::1]:5353", "[fd77::2]:5353"})
    else:
        say(True, "UDP over IPv6: skipped, the host has none")
    equal("a Unix datagram socket, connected anew", told(waits["f_datagram"], "peer"), {"@kview-first", "@kview-second"})
    equal("a Unix socket that waits to be connected has no peer", told(waits["f_connect"], "peer"), {""})
    equal("then it has one", told(waits["f_stream"], "peer"), {"@kview-stream"})
    equal("who is stopped waits for no descriptor", told(waits["f_stopped"], "kind", lambda w: w["metric"] == "STOPPED"), {None})
    equal("before and after it does", told(waits["f_stopped"], "number", lambda w: w["metric"] != "STOPPED"), {is_["stopped"]})
    io = [w for w in waits.get("f_copies", []) if w["metric"] == "BLOCK_IO"]
    say(not any(w["opened"] for w in io), "a disk is waited for by no pipe (%d waits)" % sum(w["waits"] for w in io), [w["opened"] for w in io])
    equal("a file with two paths is told by that by which it was opened", inside, {"one/fifo", "other/fifo"})
    equal("a path that the process can't reach says so", before, "(unreachable)")
    equal("letters stay, what is no text does not", after.split("/")[-1], "outs\u00efde??")


run_tests(each)
