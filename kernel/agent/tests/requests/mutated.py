# SPDX-License-Identifier: GPL-2.0
"""
Requests as hostile clients may send them, each over a connection of its own.  They are made from the schema:
valid ones first, of which then values, lengths, fields and the order are changed.  All that a client sends
follows from its seed.
"""
import random
import struct

from wire import varint

NUMBERS = (0, 1, 2, 7, 127, 128, 255, 4095, 65535, 65536, 1 << 20, (1 << 24) + 1, (1 << 31) - 1, 1 << 31,
           (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
LONG = b"x" * 70000
TEXTS = (b"", b"\0", b"a\0b", b"*", b"[", b"[a-", b"\\", b"*" * 300, b"?" * 300, b"[!a]*" * 50, b"%s%n%p", b"/", b"//", b".",
         b"..", b"../../../../etc/shadow", b"/proc/self/mem", b"/proc/self/fd/0", b"/dev/zero", b"/dev/stdin", b"/etc/passwd",
         b"\xff\xfe\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\x1b[31m\x07", b"\xe2\x80\xae", b"a" * 255, b"a" * 4096, LONG,
         b"_ZN" + b"3foo" * 400 + b"Ev", b"_Z" + b"St" * 200, b"_R" + b"Nv" * 200, b"_ZN1AIXadL_Z1BvEEE1CE" * 10, b"a@@b", b"@")

# Of those that a thread's end, a new thread and a wait have something to do with, too.
SYSTEM_CALLS = ("read", "write", "futex", "clock_nanosleep", "getppid", "mmap", "poll", "clone", "vfork", "execve", "exit",
                "exit_group", "rt_sigreturn", "restart_syscall", "pause")


class Client:
    """
    frames: bytes of each.  expected: how many answers each id must get; None where that can't be told.
    system_calls: how many recordings of system calls are asked for.  proper: how many of them by each id as no
    client should be refused, by a client that is plain: these begin, whatever came before.
    """

    def __init__(self, schema, seed, victim):
        self.schema, self.victim, self.random = schema, victim, random.Random(seed)
        # Of whatever seeds a run is, some of its clients are plain, for root and for others.
        self.must_be_plain = seed % 8 < 2
        self.frames, self.expected, self.next_id = [], {}, 1
        self.system_calls, self.proper = 0, {}
        self.texts = TEXTS + (victim.path.encode(), b"libc.so.6", b"f_empty", b"f_*")
        self.numbers = {name: number for number, (name, _, _) in schema.messages["ToAgent"].items()}

    # Values

    def number(self, name):
        r = self.random
        if name == "pid":
            # Of other processes of this host nothing is measured: none that lives has such a number.
            return r.choice((self.victim.pid, self.victim.pid, self.victim.pid, 0, 4194305, 1 << 31, (1 << 32) - 1, 1 << 40))
        if name == "grace_ms":
            return r.choice((0, 0, 1, 300))
        if name == "link_timeout_ms":
            return r.choice((0, 0, 100000, (1 << 32) - 1))
        return r.choice(NUMBERS) if r.random() < 0.8 else r.getrandbits(r.randint(1, 64))

    def text(self):
        r = self.random
        text = r.choice(self.texts)
        if text is LONG and r.random() < 0.7:  # else most bytes that a client sends are of it
            text = text[:300]
        if r.random() < 0.2 and text:
            at = r.randrange(len(text))
            text = text[:at] + bytes([r.randrange(256)]) + text[at + 1:]
        return text

    def value(self, name, type_, depth):
        if type_ in self.schema.messages:
            return self.message(type_, {}, depth + 1)
        return self.text() if type_ in ("string", "bytes") else self.number(name)

    # Fields

    def field(self, number, type_, value, chance=0.12):
        if isinstance(value, dict):
            value = self.message(type_, value, chance=chance)
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes):
            return varint(number << 3 | 2) + varint(len(value)) + value
        if type_ in self.schema.enums and isinstance(value, str):
            value = 0
        return varint(number << 3) + varint(int(value) & (1 << 64) - 1)

    def message(self, name, values, depth=0, chance=0.12):
        """values, with some of the fields changed, left out, said twice or many times, or in another order."""
        r, parts = self.random, []
        for number, (field, type_, repeated) in self.schema.messages[name].items():
            given = values.get(field, [])
            if field not in values and r.random() < chance and depth < 3:
                given = self.value(field, type_, depth)
            if not isinstance(given, list):
                given = [given]
            if given and r.random() < chance / 2:
                given = given * r.choice((0, 2, 2, 3, 17)) if len(given) < 20 else given[:1]
            for value in given:
                if r.random() < chance and type_ not in self.schema.messages:
                    value = self.value(field, type_, depth)
                parts.append(self.field(number, type_, value, chance))
        if r.random() < chance / 2:
            r.shuffle(parts)
        if r.random() < chance / 2:
            parts.append(varint(r.choice((15, 99, 1000, 536870911)) << 3) + varint(r.choice(NUMBERS)))
        return b"".join(parts)

    # Requests

    def request(self, body, changed=True, **values):
        r = self.random
        request_id = self.next_id
        self.next_id += 1
        chance = 0.12 if changed else 0
        content = self.message(self.schema.messages["ToAgent"][self.numbers[body]][1], values, chance=chance)
        data = varint(1 << 3) + varint(request_id) + self.field(self.numbers[body], "", content)
        self.frames.append(struct.pack("<I", len(data)) + data)
        self.expected[request_id] = self.expected.get(request_id, 0) + 1

    def notice(self, body, **values):
        data = self.field(self.numbers[body], "", self.message(
            self.schema.messages["ToAgent"][self.numbers[body]][1], values))
        self.frames.append(struct.pack("<I", len(data)) + data)

    def condition(self):
        """One that is right until it is changed: tests lead on, and those of what calls return come last."""
        r, nr = self.random, self.random.choice((1, 2, 32))
        late = r.randint(0, nr)
        return dict(tests=[dict(field=2 if i >= late else r.choice((1, 3, 4)), argument=r.randrange(6), bits=r.choice((8, 16, 32, 64)),
                                sign=r.randrange(3), mask=r.choice(NUMBERS), comparison=r.choice((1, 2)), value=r.choice(NUMBERS),
                                thread_name="plain", **{way: r.choice((32, 33, *range(i + 1, nr))) for way in ("if_true", "if_false")})
                           for i in range(nr)])

    def probe(self):
        probe = dict(function_id=0, binary=self.victim.path, symbol=self.random.choice(("f_empty", "f_spin", "g_one")),
                     file_offset=self.victim.offset, **self.random.choice(({}, dict(user_function={}))))
        if self.random.random() < 0.4:
            probe["condition"] = self.condition()
        if self.random.random() < 0.3:
            probe["split"] = dict(field=self.random.randrange(1, 5), argument=self.random.randrange(6), bits=self.random.choice((8, 16, 32, 64)),
                                  sign=self.random.randrange(3), mask=self.random.choice(NUMBERS))
        return probe

    def record_system_calls(self):
        """Names of the kernel's, once each; what else makes a request is changed as everywhere, the names in it too."""
        r = self.random
        names = r.sample(SYSTEM_CALLS, r.choice((1, 1, 1, 2, 5)))
        if r.random() < 0.1:
            names.append(r.choice(names + ["", "raed", "READ", "read "]))
        probes = [dict(function_id=i, system_call=dict(name=name)) for i, name in enumerate(names)]
        if r.random() < 0.1:
            probes.append(dict(self.probe(), function_id=len(probes)))
        self.system_calls += 1
        self.request("start_recording", pid=self.victim.pid, probes=probes, filter=r.choice((0, 0, 2)), interval_ms=10)
        self.request("stop_recording", False)

    def record_system_calls_properly(self):
        """When nothing is recorded, and with nothing changed."""
        r = self.random
        names = r.sample(SYSTEM_CALLS, r.choice((1, 2, 5)))
        self.request("stop_recording", False)
        self.system_calls += 1
        self.proper[self.next_id] = self.proper.get(self.next_id, 0) + 1
        self.request("start_recording", False, pid=self.victim.pid, interval_ms=10,
                     probes=[dict(function_id=i, system_call=dict(name=name)) for i, name in enumerate(names)])
        self.request("stop_recording", False)

    def survey(self):
        """Each is ended, and so answered, however long it would last.  Most are refused: others take a tenth of a second."""
        r = self.random
        self.request("survey", pid=r.choice((self.victim.pid, 0, 4194305, 1 << 31)), duration_ms=r.choice((0, 1, 20, 600001)),
                     samples_per_second=r.choice((0, 1, 4999, 5000)))
        self.request("end_survey", False)

    def one(self):
        r, pid = self.random, self.victim.pid
        choice = r.choices(("find", "mapped", "record", "record changed", "record system calls", "properly", "stop", "launch", "resume", "end", "processes", "ping",
                            "unknown", "hello", "again", "acknowledge", "calibrate", "survey", "end survey", "clean", "measure way"),
                           (30, 20, 0.15, 6, 1, 0.3, 6, 0.6, 6, 6, 0.5, 10, 5, 0.2, 3, 0, 0.01, 1, 3, 1, 0.05))[0]
        if choice == "find":
            self.request("find_functions", pid=pid, binary=self.victim.path, limit=r.choice((1, 5, 100)),
                         pattern=r.choice(("f_empty", "f_*", "main", "nothing_such")))
        elif choice == "mapped":
            self.request("list_mapped_files", pid=pid)
        elif choice == "record":
            self.request("start_recording", False, pid=pid, probes=[self.probe()], interval_ms=10, events=r.random() < 0.5)
            self.request("stop_recording", False)
        elif choice == "record changed":
            probes = [self.probe() for _ in range(r.choices((0, 1, 2, 1030), (6, 6, 6, 1))[0])]
            for i, probe in enumerate(probes):
                probe["function_id"] = i + (r.random() < 0.5)
            scopes = [dict(process=dict(pid=pid))] * r.choice((0, 1, 1, 2))
            self.request("start_recording", pid=pid, probes=probes, filter=r.choice((0, 1, 3, 9)), scopes=scopes)
        elif choice == "record system calls":
            self.record_system_calls()
        elif choice == "properly":
            self.record_system_calls_properly()
        elif choice == "launch":
            self.request("launch", arguments=["/bin/true"], environment=["A=B"])
        elif choice == "survey":
            self.survey()
        elif choice == "measure way":
            self.request("measure_way", way=r.choice((0, 1, 2, 3, 7, (1 << 31) - 1)))
        elif choice == "unknown":
            data = varint(1 << 3) + varint(self.next_id) + varint(r.choice((10, 16, 29, 77)) << 3 | 2) + varint(1) + b"x"
            self.expected[self.next_id] = self.expected.get(self.next_id, 0) + 1
            self.next_id += 1
            self.frames.append(struct.pack("<I", len(data)) + data)
        elif choice == "again":
            if r.random() < 0.5 and self.frames:
                self.next_id = max(1, self.next_id - r.randint(1, 5))
        elif choice == "ping":
            self.notice("ping", id=r.choice(NUMBERS))
        else:
            body = dict(stop="stop_recording", resume="resume", end="end_program", processes="list_processes",
                        hello="hello", acknowledge="acknowledge", calibrate="calibrate", clean="clean", **{"end survey": "end_survey"})[choice]
            # One that offers a link has requests that come again passed over.
            self.request(body, body != "hello" or not self.plain, **({"pid": pid} if choice in ("resume", "end", "clean") else
                                  {"protocol_version": 1} if choice == "hello" else {}))

    def damage(self):
        """What makes the rest of a stream worthless comes last: behind it nothing would be looked at."""
        r = self.random
        frame = r.choice(self.frames)
        at = r.randrange(len(frame))
        self.frames.append(r.choice((
            frame[:at],
            struct.pack("<I", r.choice((0, 1, (16 << 20) + 1, (1 << 32) - 1, 1 << 31))) + frame[4:],
            frame[:4] + bytes(b ^ (r.randrange(256) if r.random() < 0.05 else 0) for b in frame[4:]),
            struct.pack("<I", 40) + b"\x2b" * 40,
            struct.pack("<I", 12) + b"\x3a\xff\xff\xff\xff\x0f" + b"a" * 6)))

    def make(self, requests):
        r = self.random
        self.plain = self.must_be_plain or r.random() < 0.7
        greeted = self.must_be_plain or r.random() < 0.97
        if greeted:
            window = {} if self.plain else {"link_window_bytes": r.choice((1, 1000, 1 << 20, (1 << 64) - 1))}
            self.request("hello", not self.plain, protocol_version=1, **window)
            self.record_system_calls_properly()
        while len(self.frames) < requests:
            self.one()
        if not greeted:  # a hello in between may have come too late for some
            self.proper = {}
        if not self.plain:
            for _ in range(3):
                self.notice("acknowledge", sequence=r.choice((0, 1, 2, 1 << 63)))
            self.notice("goodbye")
            if r.random() < 0.3:
                self.request("rejoin", token=r.randbytes(r.choice((0, 47, 48, 49, 5000))), sequence=r.choice(NUMBERS))
        if not self.must_be_plain and r.random() < 0.5:
            self.damage()
            self.plain = False
        return self
