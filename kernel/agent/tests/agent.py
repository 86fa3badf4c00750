# SPDX-License-Identifier: GPL-2.0
"""Drives an agent as the workbench does, and keeps what it sends."""
import contextlib
import os
import signal
import struct
import subprocess
import threading
import time

from wire import Schema, frame

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = Schema(os.path.join(HERE, "../../protocol/agent.proto"))
BINARY = os.path.abspath(os.environ.get("KVIEW_AGENT", os.path.join(HERE, "../build/kview-agent")))


class AgentError(Exception):
    def __init__(self, error):
        super().__init__("%s: %s" % (error["code"], error["message"]))
        self.code, self.suggestions = error["code"], error["suggestions"]


def stat_field(pid, index):
    """Of those behind the name in /proc/PID/stat; None: the process has ended."""
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rpartition(")")[2].split()[index]
    except OSError:
        return None


def started(pid):
    """When a process began, which tells it from a later one of its number; None: it has ended."""
    return stat_field(pid, 19)


def status_of(pid):
    """The letter of the state that a process is in; None: it has ended, and was waited for."""
    return stat_field(pid, 0)


def bounds(index):
    """The least value of a bucket and of the next, see MetricDelta in agent.proto."""
    if index < 16:
        return index, index + 1
    shift = (index >> 4) - 1
    low = (16 + (index & 15)) << shift
    return low, low + (1 << shift)


class Figures:
    """Deltas of one function summed up."""

    def __init__(self):
        self.calls = self.abandoned = self.unfinished = 0
        self.cut = self.inconsistent = self.passed = 0
        self.removed_ns = self.uncertain_ns = self.cost_ns = self.off_ns = self.off_ppm = 0
        self.inner_ns = self.most_wall_ns = self.most_cost_ns = 0
        self.waited_ns = self.unmatched = 0
        self.lost, self.off = {}, ""
        self.failed = {}
        self.metrics = {}

    def add(self, delta):
        self.calls, self.abandoned = delta["calls"], delta["abandoned"]
        self.unfinished, self.lost = delta["unfinished"], delta.get("lost", {})
        self.cut, self.inconsistent = delta["cut_calls"], delta["inconsistent_calls"]
        self.passed, self.cost_ns = delta["passed_sites"], delta["cost_ns"]
        self.removed_ns, self.uncertain_ns = delta["removed_ns"], delta["uncertain_ns"]
        self.waited_ns, self.unmatched = delta["waited_ns"], delta["unmatched_calls"]
        self.inner_ns, self.most_wall_ns = delta["inner_ns"], delta["most_wall_ns"]
        self.most_cost_ns = delta["most_cost_ns"]
        self.off_ns, self.off = delta["probes_off_ns"], delta["probes_off"]
        self.off_ppm = delta["probes_off_ppm"]
        self.failed = {f["error_number"]: f["calls"] for f in delta.get("failed", [])}
        for m in delta["metrics"]:
            sums = self.metrics.setdefault(m["metric"], dict(count=0, total=0, max=0, buckets={}))
            sums["count"] += m["count"]
            sums["total"] += m["total_ns"]
            sums["max"] = m["max_ns"]
            assert len(m["bucket_index"]) == len(m["bucket_count"])
            assert m["bucket_index"] == sorted(set(m["bucket_index"]))
            assert sum(m["bucket_count"]) == m["count"]
            for index, count in zip(m["bucket_index"], m["bucket_count"]):
                sums["buckets"][index] = sums["buckets"].get(index, 0) + count

    def count(self, metric):
        return self.metrics.get(metric, {}).get("count", 0)

    def total(self, metric):
        return self.metrics.get(metric, {}).get("total", 0)

    def max(self, metric):
        return self.metrics.get(metric, {}).get("max", 0)

    def quantile(self, metric, share):
        """The middle of the bucket that holds it."""
        left = share * self.count(metric)
        for index, count in sorted(self.metrics.get(metric, {}).get("buckets", {}).items()):
            left -= count
            if left <= 0:
                return sum(bounds(index)) / 2
        return 0.0

    def mean(self, metric):
        return self.total(metric) / self.count("WALL") if self.count("WALL") else 0.0

    def unaccounted(self):
        """Calls that ended in none of the ways that there are, see FunctionDelta."""
        return self.calls - self.count("WALL") - self.abandoned - self.unfinished - sum(self.lost.values())

    def off_cpu(self):
        return {m: s["total"] for m, s in self.metrics.items() if m not in ("WALL", "ON_CPU")}


def of_nobody():
    """Options for an agent without rights.  It starts although only root may enter a folder above it, such as /root."""
    binary = os.open(BINARY, os.O_RDONLY)
    return dict(command=("/proc/self/fd/%d" % binary,), pass_fds=(binary,), preexec=lambda: os.setuid(65534))


class Agent:
    def __init__(self, reading=True, hello=True, env=None, preexec=None, command=(BINARY,), pass_fds=(), patience=120):
        """patience: for how many seconds an answer is waited for."""
        self.patience = patience
        self.process = subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=env, preexec_fn=preexec, pass_fds=pass_fds)
        self.pid = self.process.pid
        self.changed = threading.Condition()
        self.messages, self.answers, self.next_id = [], {}, 1
        self.may_read = threading.Event()
        self.ended = False
        self.launched = {}
        if reading:
            self.may_read.set()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.hello = self.request("hello", protocol_version=1) if hello else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.may_read.set()
        if self.process.stdin:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self.process.wait(self.patience)
        finally:
            if self.process.poll() is None:
                self.process.kill()
        self.reader.join(10)
        # What was resumed runs on without the agent; nobody ends it but us.
        for pid, start in self.launched.items():
            if start and started(pid) == start:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        return self.process.returncode

    def errors(self):
        return self.process.stderr.read().decode()

    def _take(self, length):
        data = b""
        while len(data) < length:
            self.may_read.wait()
            part = self.process.stdout.read1(length - len(data))
            if not part:
                return None
            data += part
        return data

    def _read(self):
        while True:
            header = self._take(4)
            data = self._take(struct.unpack("<I", header)[0]) if header else None
            if data is None:
                break
            message = SCHEMA.decode("FromAgent", data)
            with self.changed:
                (kind,) = set(message) - {"request_id", "sequence"}
                if not self._is_new(kind, message):
                    continue
                self.messages.append((kind, message[kind]))
                if message["request_id"]:
                    assert message["request_id"] not in self.answers, "answered twice"
                    self.answers[message["request_id"]] = (kind, message[kind])
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def _is_new(self, kind, message):
        """For those that number messages."""
        return True

    def send(self, body, **values):
        request_id, self.next_id = self.next_id, self.next_id + 1
        data = SCHEMA.encode("ToAgent", {"request_id": request_id, body: values})
        self.process.stdin.write(frame(data))
        self.process.stdin.flush()
        return request_id

    def answer(self, request_id, timeout=None):
        with self.changed:
            self.changed.wait_for(lambda: request_id in self.answers or self.ended, timeout or self.patience)
            if request_id not in self.answers:
                raise TimeoutError("no answer")
            kind, body = self.answers[request_id]
        if kind == "error":
            raise AgentError(body)
        return body

    def request(self, body, timeout=None, **values):
        reply = self.answer(self.send(body, **values), timeout)
        if body == "launch":
            self.launched[reply["pid"]] = started(reply["pid"])
        return reply

    def wait(self, kind, timeout=None, where=lambda body: True):
        """The first message of a kind, come or to come."""
        def find():
            return next((b for k, b in self.messages if k == kind and where(b)), None)
        with self.changed:
            self.changed.wait_for(lambda: find() is not None or self.ended, timeout or self.patience)
            body = find()
        if body is None:
            raise TimeoutError("no " + kind)
        return body

    def all(self, kind):
        with self.changed:
            return [b for k, b in self.messages if k == kind]

    # Steps that most tests take.

    def find(self, pid, binary, *patterns):
        found = []
        for pattern in patterns:
            found += self.request("find_functions", pid=pid, binary=binary, pattern=pattern)["functions"]
        return found

    def record(self, pid, functions, conditions={}, splits={}, **options):
        """conditions, splits: those that functions have, by name."""
        probes = [dict(function_id=i, binary=f["binary"], symbol=f["symbol"],
                       file_offset=f["file_offset"]) for i, f in enumerate(functions)]
        for probe in probes:
            if probe["symbol"] in conditions:
                probe["condition"] = dict(tests=conditions[probe["symbol"]])
            if probe["symbol"] in splits:
                probe["split"] = splits[probe["symbol"]]
        return self.request("start_recording", pid=pid, probes=probes, **options)

    def stop(self):
        self.request("stop_recording")
        return self.wait("recording_ended")

    def figures(self, functions):
        sums = [Figures() for _ in functions]
        for delta in self.all("histogram_delta"):
            for function in delta["functions"]:
                sums[function["function_id"]].add(function)
        return {f["name"].split("(")[0]: s for f, s in zip(functions, sums)}

    def losses(self):
        return self.all("histogram_delta")[-1]["losses"]

    def output(self, error_stream=False):
        return b"".join(o["data"] for o in self.all("process_output")
                        if o["error_stream"] == error_stream)

    def run(self, arguments, patterns, timeout=120, **options):
        """Records a program from its first to its last instruction."""
        pid = self.request("launch", arguments=arguments)["pid"]
        functions = self.find(pid, "", *patterns)
        reply = self.record(pid, functions, **options)
        self.request("resume", pid=pid)
        self.exited = self.wait("process_exited", timeout, lambda b: b["pid"] == pid)
        return functions, reply


def wait_until(condition, timeout=60):
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
