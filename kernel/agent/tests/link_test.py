# SPDX-License-Identifier: GPL-2.0
"""The link: what is lost with a connection, and what is not."""
import os
import re
import signal
import socket
import subprocess
import time

from agent import of_nobody, status_of, wait_until
from checks import *
from linked import LinkedAgent
from made_calls import Calls, counts_equal, entries_in_trace, recorded, start

TIMEOUT_MS = 2000


def own_links(pid):
    """Those of one agent: others may record on this machine as well."""
    ids = set()
    for fd in os.listdir("/proc/%d/fdinfo" % pid):
        with open("/proc/%d/fdinfo/%s" % (pid, fd)) as file:
            ids |= {line.split()[1] for line in file if line.startswith("link_id:")}
    return ids


def attached(ids):
    listed = subprocess.run(["bpftool", "link", "list"], capture_output=True, text=True).stdout
    return {line.split(":")[0] for line in listed.splitlines()} & ids


def sockets():
    with open("/proc/net/unix") as file:
        return [line.split()[-1] for line in file if "@kview-agent/" in line]


def has_ended(pid):
    return status_of(pid) in (None, "Z")


def more_descriptors_than_asked_for():
    """Somebody of the same user knocks, with more descriptors than have a place, and goes."""
    calls = Calls()
    client = LinkedAgent()
    functions = start(client, calls)
    folder = "/proc/%d/fd" % client.pid
    before = len(os.listdir(folder))
    for count in (1, 2, 3, 4, 5, 64, 253):
        for content in (b"", b"x" * 55, b"WRVK" + bytes(52), b"x" * 4096):
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as knocking:
                knocking.connect(b"\0kview-agent/" + client.token[:16].hex().encode())
                socket.send_fds(knocking, [content or b"x"], [0] * count)
                knocking.settimeout(20)
                say(knocking.recv(1) == b"", "%d descriptors with %d bytes are refused" % (count, len(content)))
    say(wait_until(lambda: len(os.listdir(folder)) == before), "none of them stays open", len(os.listdir(folder)) - before)
    counts_equal("knocked at", client, functions, calls.made())
    client.notice("goodbye")
    equal("it ends in peace", client.close(), 0)


def notices():
    with LinkedAgent() as client:
        equal("it understands the link", client.hello["link"], True)
        before = time.clock_gettime_ns(time.CLOCK_REALTIME)
        pong = client.ping(7)
        after = time.clock_gettime_ns(time.CLOCK_REALTIME)
        say(before - 1000000 <= pong["realtime_ns"] <= after + 1000000, "a pong tells the time",
            "%d us there and back" % ((after - before) / 1000))
        client.notice("acknowledge", sequence=99)
        client.process.wait(120)
        say(client.process.returncode == 1 and "never sent" in client.errors(),
            "what was never sent can't be acknowledged")
    with LinkedAgent(acknowledging=False) as client:
        for _ in range(3):
            client.request("list_processes")
        equal("messages are numbered", client.sequence, 4)
    with Agent() as client:
        refused("a grace time without acknowledging", "BAD_REQUEST",
                lambda: client.request("start_recording", pid=os.getpid(), grace_ms=1000, probes=[
                    dict(function_id=0, binary="/bin/true", symbol="main")]))


def cut_in_the_middle():
    calls = Calls(seconds=4)
    one = LinkedAgent()
    functions = start(one, calls, events=True, interval_ms=100)
    wait_until(lambda: len(one.all("histogram_delta")) > 3)
    one.cut()
    time.sleep(0.5)
    say(not has_ended(one.pid), "the agent goes on without a client")
    two = LinkedAgent(predecessor=one)
    time.sleep(0.2)
    two.cut()
    three = LinkedAgent(predecessor=two)
    made = calls.made()
    counts_equal("cut twice", three, functions, made)
    equal("cut twice: drops", three.losses()["events_dropped"], 0)
    equal("cut twice: events", entries_in_trace(three), (made, made))
    three.notice("goodbye")
    equal("its place-keeper ends as it does", three.close(), 0)
    one.process.wait(120)
    equal("and so does the agent", one.process.returncode, 0)
    say(wait_until(lambda: has_ended(two.pid)), "the place-keeper in between has ended")
    two.process.wait()


def what_was_on_the_way():
    """A client that gets nothing any more, on a link that nobody saw break."""
    calls = Calls(seconds=2.0)
    one = LinkedAgent()
    functions = start(one, calls, interval_ms=50)
    time.sleep(0.3)
    one.may_read.clear()
    one.acknowledging = False
    time.sleep(0.5)
    lost_on_the_way = one.send("list_processes")
    two = LinkedAgent(predecessor=one)
    two.ask_again(lost_on_the_way, "list_processes")
    say(two.answer(lost_on_the_way)["processes"], "a request of the old link is answered once")
    made = calls.made()
    counts_equal("stalled link, newest client wins", two, functions, made)
    one.may_read.set()
    say(wait_until(lambda: one.ended), "the old client sees the end")
    equal("nobody got figures twice", two.duplicates, 0)
    two.notice("goodbye")
    two.close()
    one.close()


def speaking():
    """One that was there for three timeouts, its functions and its calls.  Where it did not get to speak in time, another one."""
    for _ in range(5):
        calls = Calls(seconds=6 * TIMEOUT_MS / 1000)
        one = LinkedAgent(timeout_ms=TIMEOUT_MS)
        functions = start(one, calls, interval_ms=50)
        time.sleep(3 * TIMEOUT_MS / 1000)
        if not one.ended or one.longest_pause < TIMEOUT_MS / 2000:
            break
        print("# a client that speaks is not judged: it waited for a CPU for %.2f s" % one.longest_pause)
        one.close()
    equal("a client that speaks is there", one.ended, False)
    return one, functions, calls


def silence():
    one, functions, calls = speaking()
    one.acknowledging = False
    one.alive.clear()
    say(wait_until(lambda: one.ended), "one that is silent is not")
    two = LinkedAgent(predecessor=one)
    counts_equal("after a silence", two, functions, calls.made())
    two.notice("goodbye")
    two.close()
    one.close()
    with LinkedAgent(timeout_ms=TIMEOUT_MS) as idle:
        idle.alive.clear()
        idle.process.wait(120)
        equal("without a recording silence is the end", idle.process.returncode, 1)


def the_end_comes_meanwhile():
    calls = Calls(seconds=0.8)
    one = LinkedAgent()
    functions = recorded(one, calls)
    one.cut()
    # However long that took, they come behind it.
    calls.go()
    made = calls.made()
    time.sleep(0.5)
    say(not has_ended(one.pid), "the agent waits with the end of the recording")
    two = LinkedAgent(predecessor=one)
    counts_equal("process ended while nobody was there", two, functions, made)
    say(two.wait("process_exited")["status"] == 0, "and its exit is told")
    wait_until(lambda: two.sequence and not two.acknowledge())
    two.cut()
    say(wait_until(lambda: has_ended(one.pid)), "with nothing owed a cut is the end")
    one.process.wait()
    two.process.wait()

    calls = Calls(seconds=20)
    one = LinkedAgent()
    functions = start(one, calls)
    time.sleep(0.3)
    stop = one.send("stop_recording")
    one.cut()
    two = LinkedAgent(predecessor=one)
    two.ask_again(stop, "stop_recording")
    two.answer(stop)
    equal("asked to stop on the broken link: ended", two.wait("recording_ended")["reason"], "REQUESTED")
    calls.process.kill()
    calls.process.wait()
    two.notice("goodbye")
    two.close()
    one.close()


def who_may_not():
    calls = Calls(seconds=20)
    one = LinkedAgent()
    start(one, calls, grace_ms=60000)
    one.cut()
    nothing = "NOTHING_TO_REJOIN"

    def rejoin(token, sequence=one.sequence, **options):
        with LinkedAgentBare(**options) as two:
            two.request("rejoin", token=token, sequence=sequence)
    wrong = one.token[:-1] + bytes([one.token[-1] ^ 1])
    refused("another secret", nothing, lambda: rejoin(wrong))
    refused("another name", nothing, lambda: rejoin(bytes(16) + one.token[16:]))
    refused("a short token", "BAD_REQUEST", lambda: rejoin(one.token[:20]))
    refused("another user", nothing, lambda: rejoin(one.token, **of_nobody()))
    refused("from what was never sent", nothing, lambda: rejoin(one.token, one.sequence + 1000))
    refused("from what was acknowledged", nothing, lambda: rejoin(one.token, 0))
    with Agent() as other:
        refused("after a greeting with a token that is wrong", nothing,
                lambda: other.request("rejoin", token=wrong))
    say(not has_ended(one.pid), "none of them did any harm")
    say(sockets(), "its place is there", len(sockets()))
    two = LinkedAgent(predecessor=one)
    two.stop()
    two.notice("goodbye")
    two.close()
    one.process.wait(120)
    calls.process.kill()
    calls.process.wait()


def too_late():
    calls = Calls(seconds=60)
    one = LinkedAgent()
    start(one, calls, grace_ms=500)
    own = own_links(one.pid)
    one.cut()
    say(wait_until(lambda: has_ended(one.pid)), "the grace time is over: it ends")
    one.process.wait()
    equal("its status", one.process.returncode, 1)
    refused("too late", "NOTHING_TO_REJOIN", lambda: LinkedAgent(predecessor=one))
    try:
        LinkedAgent(predecessor=one)
    except AgentError as error:
        told = re.search(r"booted anew, which was (\d+) s ago", str(error))
    say(told and abs(int(told[1]) - time.clock_gettime(time.CLOCK_BOOTTIME)) < 60, "and when the host was booted is told", told and told[0])
    say(own and wait_until(lambda: not attached(own)), "nothing stays attached", len(own))
    equal("the target runs on", calls.process.poll(), None)
    calls.process.kill()
    calls.process.wait()


class LinkedAgentBare(Agent):
    def __init__(self, **options):
        super().__init__(hello=False, **options)


def leaves_nothing():
    for how in ("goodbye", "killed", "signal"):
        calls = Calls(seconds=20)
        one = LinkedAgent()
        start(one, calls, grace_ms=60000)
        name, own = set(sockets()), own_links(one.pid)
        if how == "goodbye":
            one.notice("goodbye")
            begin = time.monotonic()
            equal(how + ": status", one.close(), 0)
            say(time.monotonic() - begin < 60, how + ": before the grace time is over")
        else:
            if how == "signal":
                one.cut()
                os.kill(one.pid, signal.SIGHUP)
                time.sleep(0.2)
                say(not has_ended(one.pid), "SIGHUP of a login that ends is no end")
            os.kill(one.pid, signal.SIGKILL if how == "killed" else signal.SIGTERM)
            one.process.wait(120)
        say(own and wait_until(lambda: not attached(own)), how + ": nothing stays attached")
        say(name - set(sockets()), how + ": no socket stays")
        calls.process.kill()
        calls.process.wait()


run_tests(notices, more_descriptors_than_asked_for, cut_in_the_middle, what_was_on_the_way, silence,
          the_end_comes_meanwhile, who_may_not, too_late,
          leaves_nothing)
