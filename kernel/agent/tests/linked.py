# SPDX-License-Identifier: GPL-2.0
"""A client with a link: it acknowledges, and takes up what another one had."""
import os
import threading
import time

from agent import SCHEMA, Agent
from wire import frame

WINDOW = 1 << 20


class LinkedAgent(Agent):
    """
    acknowledging=False: receives and stays silent about it.  With predecessor, a client that
    was cut off: goes on where that one stopped, with all that it had got.
    """

    def __init__(self, window=WINDOW, timeout_ms=0, acknowledging=True, predecessor=None, **options):
        self.acknowledging, self.duplicates = acknowledging, 0
        self.sequence = self.packets = self.outputs = 0
        self.token, self.started = b"", None
        super().__init__(hello=False, **options)
        self.alive = threading.Event()  # while not set, it says nothing by itself
        self.longest_pause = 0.0  # between two of its words, in seconds: on a busy machine its thread waits
        if timeout_ms:
            self.alive.set()
            threading.Thread(target=self._keep_alive, args=(timeout_ms,), daemon=True).start()
        if predecessor is None:
            self.hello = self.request("hello", protocol_version=1, link_window_bytes=window,
                                      link_timeout_ms=timeout_ms)
        else:
            self._take_over(predecessor, timeout_ms)

    def _take_over(self, other, timeout_ms):
        self.hello, self.token, self.started = other.hello, other.token, other.started
        with self.changed:
            self.messages, self.answers = list(other.messages), dict(other.answers)
            self.sequence, self.packets, self.outputs = other.sequence, other.packets, other.outputs
            self.next_id = other.next_id
        self.request("rejoin", token=self.token, sequence=self.sequence, link_timeout_ms=timeout_ms)

    def _is_new(self, kind, message):
        number = message["sequence"]
        if kind in ("pong", "rejoin") or not number:
            return True
        if number <= self.sequence:
            self.duplicates += 1
            return False
        assert number == self.sequence + 1, "a gap: %d after %d" % (number, self.sequence)
        self.sequence = number
        if kind == "event_packet":
            self.packets += len(message[kind]["packet"])
        if kind == "process_output":
            self.outputs += len(message[kind]["data"])
        if self.acknowledging:
            self.acknowledge()
        return True

    def _keep_alive(self, timeout_ms):
        time.sleep(timeout_ms / 4000)
        while self.alive.is_set() and not self.ended:
            said = time.monotonic()
            self.notice("ping", id=0)
            time.sleep(timeout_ms / 4000)
            self.longest_pause = max(self.longest_pause, time.monotonic() - said)

    def notice(self, body, **values):
        data = frame(SCHEMA.encode("ToAgent", {body: values}))
        try:
            os.write(self.process.stdin.fileno(), data)
        except (OSError, ValueError, AttributeError):
            pass  # it was cut meanwhile

    def acknowledge(self):
        self.notice("acknowledge", sequence=self.sequence, consumed_packet_bytes=self.packets,
                    consumed_output_bytes=self.outputs)

    def record(self, pid, functions, grace_ms=120000, **options):
        reply = super().record(pid, functions, grace_ms=grace_ms, **options)
        self.started, self.token = reply, reply["resume_token"]
        return reply

    def ask_again(self, request_id, body, **values):
        """A request whose answer did not come, under its old number."""
        data = SCHEMA.encode("ToAgent", {"request_id": request_id, body: values})
        self.process.stdin.write(frame(data))
        self.process.stdin.flush()

    def cut(self):
        """As a host sees a connection that broke; what is on the way is lost."""
        self.acknowledging = False
        self.process.stdin.close()
        self.process.stdin = None
        self.may_read.set()
        self.reader.join(60)
        assert self.ended, "the agent did not let go of its output"

    def ping(self, number):
        self.notice("ping", id=number)
        return self.wait("pong", where=lambda pong: pong["id"] == number)

