# SPDX-License-Identifier: GPL-2.0
"""The link: what is lost with a connection, and what is not."""
import os
import signal
import socket
import subprocess
import tempfile
import time

from agent import of_nobody, status_of, wait_until
from checks import *
from linked import LinkedAgent
from traces import HEADER, check_packets, read_trace, write_trace

CALLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../workloads/build/kview-calls")
TIMEOUT_MS = 2000


class Calls:
    """Calls a function at a rate, from when it is told to; says how often."""

    def __init__(self, rate=20000, seconds=2.0, calls=0):
        command = [CALLS, "--wait", "--rate", str(rate), "--seconds", str(seconds)]
        self.process = subprocess.Popen(command + (["--calls", str(calls)] if calls else []),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.process.stderr.readline()

    def go(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def made(self):
        out, _ = self.process.communicate(timeout=60)
        return int(out.split(b'"calls":')[1].split(b",")[0].split(b"}")[0])


def recorded(client, calls, **options):
    functions = client.find(calls.process.pid, "", "counted_call")
    client.record(calls.process.pid, functions, **options)
    return functions


def start(client, calls, **options):
    functions = recorded(client, calls, **options)
    calls.go()
    return functions


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


def counts_equal(name, client, functions, made):
    client.wait("recording_ended")
    figures = invariants(name, client, functions)["counted_call"]
    equal(name + ": calls", (figures.calls, figures.count("WALL")), (made, made))


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


def entries_in_trace(client, complaints_too=True):
    with tempfile.TemporaryDirectory() as folder:
        write_trace(client, client.started, folder)
        names, complaints, _ = read_trace(folder)
        if complaints_too:
            equal("babeltrace2 has no complaint", complaints, [])
        return names["call_entry"], names["call_exit"]


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


def events_give_way():
    """Far more events than the window, while nobody is there: counted, and placed in the gap."""
    calls = Calls(rate=0, seconds=600, calls=400000)
    one = LinkedAgent(window=1 << 20)
    functions = start(one, calls, events=True, interval_ms=50)
    one.wait("event_packet")
    one.cut()
    cut_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    calls_made = calls.made()
    peak = int([l for l in open("/proc/%d/status" % one.pid) if l.startswith("VmHWM")][0].split()[1])
    back_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    two = LinkedAgent(predecessor=one)
    counts_equal("events gave way", two, functions, calls_made)
    dropped = two.losses()["events_dropped"]
    say(dropped > 0, "more was dropped than any buffer holds", dropped)
    missing = 2 * calls_made - sum(entries_in_trace(two, complaints_too=False))
    say(0 <= missing <= dropped, "each was counted", "%d missing, %d dropped" % (missing, dropped))
    told = check_packets(two)
    equal("packets and losses agree on drops", told, dropped)
    early, during = drops_between(two, 0, cut_ns), drops_between(two, cut_ns, back_ns)
    say(during == dropped - early and during > 0, "drops are placed where they were",
        "%d before, %d during, %d after the gap" % (early, during, dropped - early - during))
    say(peak < 24 << 10, "the agent's memory meanwhile", "%d KiB" % peak)
    two.notice("goodbye")
    two.close()
    one.close()


def drops_between(client, from_ns, until_ns):
    """Drops that stand between two packets of which the first ended in that time."""
    ends, told, sum_of = {}, {}, 0
    for packet in client.all("event_packet"):
        _, _, _, _, end, _, _, _, drops, cpu = HEADER.unpack_from(packet["packet"])
        if from_ns <= ends.get(cpu, 0) < until_ns:
            sum_of += drops - told.get(cpu, 0)
        ends[cpu], told[cpu] = end, drops
    return sum_of


def figures_go_first():
    """A client that consumes no event still gets its figures, and no event beyond the window."""
    calls = Calls(rate=0, seconds=600, calls=400000)
    window = 1 << 20
    with LinkedAgent(window=window, acknowledging=False) as client:
        functions = start(client, calls, events=True, interval_ms=50)
        most = 0
        while not client.all("recording_ended"):
            time.sleep(0.05)
            client.notice("acknowledge", sequence=client.sequence)
            sent = sum(len(p["packet"]) for p in client.all("event_packet"))
            # What the kernel's buffer holds at the end comes whatever the window.
            most = max(most, sent) if calls.process.poll() is None else most
        made = calls.made()
        counts_equal("events not consumed", client, functions, made)
        say(0 < most <= window + 3 * (64 << 10), "events stop at the window", most)
        say(client.losses()["events_dropped"], "and are dropped then")


def output_is_bounded():
    with LinkedAgent(acknowledging=False) as client:
        lines = 200000
        pid = client.request("launch", arguments=[PLAIN, "output", str(lines)])["pid"]
        client.request("resume", pid=pid)
        time.sleep(1)
        say(client.outputs <= 2 << 20, "output that nobody consumes waits", client.outputs)
        client.request("list_processes")
        client.acknowledging = True
        client.acknowledge()
        client.wait("process_exited")
        equal("and none is lost", client.output().count(b"\n"), lines)


run_tests(notices, more_descriptors_than_asked_for, cut_in_the_middle, what_was_on_the_way, silence,
          the_end_comes_meanwhile, who_may_not, too_late,
          leaves_nothing, events_give_way, figures_go_first, output_is_bounded)
