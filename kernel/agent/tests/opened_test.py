# SPDX-License-Identifier: GPL-2.0
"""In which system calls calls waited, and what their descriptors were open for: of a program that knows it."""
import contextlib
import shutil
import socket
import subprocess
import tempfile

from checks import *
from agent import wait_until  # noqa: E402
from recorded_waits import *  # noqa: E402

OPENED = os.path.join(BUILD, "traced", "opened")
FUNCTIONS = ["f_read", "f_receive", "f_accept", "f_flock", "f_fsync", "f_epoll", "f_poll", "f_changed", "f_many"]
# As mechanism/bpf/waits.h has it.
FILES = 1024


def recorded(folder, many):
    """Its files are in a file system of their own below one that is shared memory, and in this one."""
    locked, synced = tempfile.mktemp(dir="/dev/shm"), os.path.join(folder, "a folder", "synced")
    os.makedirs(os.path.dirname(synced))
    try:
        found = undisturbed(lambda agent: recorded_of(agent, [OPENED, os.path.join(folder, "socket"), locked, synced, str(many)], FUNCTIONS,
                                                      prepare=lambda agent: forget(os.path.join(folder, "socket")), waits=True),
                            lambda pid, waits, numbers, healed: None)
    finally:
        forget(locked)
    return found, locked, synced


def forget(path):
    if os.path.exists(path):
        os.unlink(path)


def opened(wait):
    """What is told of it, without what it is not."""
    return {name: value for name, value in (wait["opened"] or {}).items() if value}


def told(waits, *system_calls):
    return [opened(w) for w in waits if w["system_call"] in system_calls]


def each():
    with tempfile.TemporaryDirectory() as folder:
        found, locked, synced = recorded(folder, 0)
    if not found:
        return
    pid, _, _, waits, is_ = found
    pipe, event = (next((w for w in told(waits["f_read"], "read") if w["number"] == is_[what] and w["kind"] == kind), None)
                   for what, kind in (("pipe", "PIPE"), ("event", "EVENT")))
    equal("a pipe", pipe, {"number": is_["pipe"], "kind": "PIPE", "inode": is_["pipe_inode"]})
    say(event, "an eventfd", told(waits["f_read"], "read"))
    received = {w["local"]: w for w in told(waits["f_receive"], "recvfrom")}
    listened = {w["local"]: w for w in told(waits["f_accept"], "accept")}
    for host, port, own, peer in (("127.0.0.1", "port", "own", "peer"), ("[::1]", "port6", "own6", "peer6")):
        if not is_[port]:
            say(True, "TCP at %s: skipped, the host has no such address" % host)
            continue
        local = "%s:%d" % (host, is_[port])
        listener = listened.get(local, {})
        equal("who listens at " + host, (listener.get("kind"), listener.get("listens"), "peer" in listener), ("TCP", True, False))
        one = received.get(local, {})
        equal("and is connected there", (one.get("kind"), one.get("peer"), "listens" in one),
              ("TCP", "%s:%d" % (host, is_[peer]), False))
    one = received.get(os.path.join(folder, "socket"), {})
    equal("a Unix socket, and who is at its other end", (one.get("number"), one.get("kind"), one.get("peer_pid")), (is_["unix"], "UNIX", is_["client"]))
    one, = told(waits["f_flock"], "flock")
    equal("a file in another file system", (one["number"], one["kind"], one["name"]), (is_["locked"], "FILE", locked))
    synced_now = {(w["number"], w["kind"], w["name"]) for w in told(waits["f_fsync"], "fsync")}
    say(not synced_now or synced_now == {(is_["synced"], "FILE", synced)}, "a file, if it was waited for it at all", synced_now)
    one, = told(waits["f_epoll"], "epoll_wait", "epoll_pwait")
    del one["inode"]
    equal("what an epoll watches", one, {"number": is_["epoll"], "kind": "EPOLL", "watched_sockets": 2, "watched_pipes": 1, "watched_events": 1,
                                         "watched_timers": 1, "watched_others": 1})
    equal("poll is about several", told(waits["f_poll"], "poll", "ppoll"), [{}])
    one, = told(waits["f_changed"], "read")
    equal("a descriptor that was replaced while it was waited for", one,
          {"number": is_["changed"], "kind": "PIPE", "inode": is_["changed_inode"]})


def too_many():
    many = 1500
    with tempfile.TemporaryDirectory() as folder:
        found, _, _ = recorded(folder, many)
    if not found:
        return
    waits = found[3]["f_many"]
    known, others = ([w for w in waits if w["metric"] == "NETWORK" and bool(w["opened"]) == is_known] for is_known in (True, False))
    say(len(known) == len({w["opened"]["inode"] for w in known}) and FILES / 2 < len(known) <= FILES,
        "each pipe is told, as long as there is room", len(known))
    equal("all others are told together", [(w["open_file_of_many"], w["system_call"], w["waits"]) for w in others],
          [(True, "read", many - sum(w["waits"] for w in known))])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connected(port, clients):
    """Whether one more is."""
    with contextlib.suppress(OSError):
        clients.append(socket.create_connection(("127.0.0.1", port)))
        return True
    return False


def ping(client):
    client.sendall(b"PING\r\n")
    client.recv(100)


def server():
    """Debian's redis: one thread that waits in epoll for whatever comes, with clients that are connected already."""
    binary = shutil.which("redis-check-rdb")
    if not binary:
        return say(True, "redis: skipped, it is not installed")
    clients = []
    with tempfile.TemporaryDirectory() as folder:
        program, port = os.path.join(folder, "redis-server"), free_port()
        shutil.copy(binary, program)
        process = subprocess.Popen([program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""], cwd=folder, stdout=subprocess.DEVNULL)
        try:
            say(wait_until(lambda: connected(port, clients)) and connected(port, clients) and connected(port, clients),
                "redis takes connections")
            for client in clients:
                ping(client)
            with Agent() as agent:
                agent.record(process.pid, agent.find(process.pid, "libc.so.6", "epoll_wait"), waits=True)
                for client in 20 * clients:
                    ping(client)
                agent.wait("histogram_delta", where=lambda delta: any(f["waits"] for f in delta["functions"]))
                agent.stop()
                function, = agent.all("histogram_delta")[-1]["functions"]
        finally:
            process.kill()
            process.wait()
            for client in clients:
                client.close()
    one, = function["open_files"]
    equal("what redis watches", (one["kind"], one["watched_sockets"], {w["open_file"] for w in function["waits"]}), ("EPOLL", 1 + len(clients), {1}))


run_tests(each, too_many, server)
