# SPDX-License-Identifier: GPL-2.0
"""Servers, and clients of theirs that know each answer."""
import http.client
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

from subjects import Server, installed_or_unpacked, need


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Clients:
    """Ask until they are told to end; a wrong answer is kept in words."""

    def __init__(self, number, ask):
        self.wrong, self.asked, self.going = [], 0, True
        self.threads = [threading.Thread(target=self._run, args=(ask, i)) for i in range(number)]
        for thread in self.threads:
            thread.start()

    def _run(self, ask, number):
        try:
            for count in ask(number):
                self.asked += count
                if not self.going:
                    break
        except Exception as error:  # whatever it is, the server failed its client
            self.wrong.append("%s: %s" % (type(error).__name__, error))

    def end(self):
        self.going = False
        for thread in self.threads:
            thread.join(30)
        return self.wrong


class Redis(Server):
    """Debian's redis-server is redis-check-rdb by another name, which a package without a service has."""
    name = "redis"
    hot = ["lrangeCommand", "call", "processCommand", "lookupKey*", "dictFind", "dictNext", "stringmatchlen", "keysCommand",
           "addReply*", "ae*"]

    def prepare(self):
        binary = need("redis-check-rdb")
        self.benchmark = need("redis-benchmark")
        program = self.path("redis-server")
        os.symlink(binary, program)
        self.port = free_port()
        self.pid = self.start([program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                               "--dir", self.folder])
        self.binaries = [binary]
        self.until(lambda: socket.socket().connect_ex(("127.0.0.1", self.port)) == 0)

    @staticmethod
    def answer(file):
        line = file.readline()
        kind, rest = line[:1], line[1:].strip()
        if kind == b"$":
            return None if rest == b"-1" else file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [Redis.answer(file) for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest

    @staticmethod
    def text(word):
        return b"$%d\r\n%s\r\n" % (len(word), word)

    @staticmethod
    def array(*words):
        return b"*%d\r\n" % len(words) + b"".join(map(Redis.text, words))

    def ask(self, number):
        with socket.create_connection(("127.0.0.1", self.port), timeout=120) as s:
            file = s.makefile("rb")

            def command(*words):
                s.sendall(self.array(*words))
                return self.answer(file)

            def expect(expected, *words):
                got = command(*words)
                if got != expected:
                    raise ValueError("%r to %r" % (got, words))
            n = b"%d" % number
            for round_ in range(1 << 30):
                value = b"v%d" % round_
                expect(b"OK", b"SET", b"k" + n, value)
                expect(value, b"GET", b"k" + n)
                expect(1, b"DEL", b"k" + n)
                command(b"DEL", b"l" + n, b"h" + n, b"z" + n)
                items = [b"%d" % (i * 7 % 50) for i in range(50)]
                expect(50, b"RPUSH", b"l" + n, *items)
                expect(items, b"LRANGE", b"l" + n, b"0", b"-1")
                expect(sorted(items, key=int), b"SORT", b"l" + n)
                expect(1, b"HSET", b"h" + n, b"f", value)
                expect([b"f", value], b"HGETALL", b"h" + n)
                expect(2, b"ZADD", b"z" + n, b"2", b"b", b"1", b"a")
                expect([b"a", b"b"], b"ZRANGE", b"z" + n, b"0", b"-1")
                expect([b"h" + n], b"KEYS", b"h" + n)
                expect(b"5", b"EVAL", b"return '' .. (2 + 3)", b"0")
                yield 13

    def load(self):
        """Beside the clients that know the answers."""
        run = subprocess.run([self.benchmark, "-h", "127.0.0.1", "-p", str(self.port), "-q", "-n", "400", "-c", "20", "-t",
                              "set,get,lpush,lrange_100,zadd,mset"], capture_output=True, text=True, timeout=120, check=False)
        return [] if run.returncode == 0 and not run.stderr else [run.stderr[-200:]]


class ConnectedRedis(Redis):
    """With one client, that stays."""

    def prepare(self):
        super().prepare()
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self.file = self.socket.makefile("rb")

    def command(self, *words):
        self.socket.sendall(self.array(*words))
        return self.answer(self.file)

    def close(self):
        for opened in (getattr(self, "file", None), getattr(self, "socket", None)):
            if opened:
                opened.close()
        super().close()


class Nginx(Server):
    name = "nginx"
    log = "access_log off;"
    places = ""
    hot = ["ngx_http_process_request*", "ngx_http_*filter*", "ngx_palloc", "ngx_process_events_and_timers"]

    def prepare(self):
        (program, environment), self.ab = installed_or_unpacked("nginx", "nginx", "/usr/sbin/nginx"), need("ab")
        self.port = free_port()
        self.text = "".join("line %d\n" % i for i in range(3000))
        self.path("page.txt", self.text)
        self.path("nginx.conf", """
daemon off; worker_processes 1; pid %(d)s/pid; error_log %(d)s/error.log; user %(u)s;
events { worker_connections 64; }
http { %(l)s client_body_temp_path %(d)s/b; proxy_temp_path %(d)s/p; fastcgi_temp_path %(d)s/f;
  uwsgi_temp_path %(d)s/u; scgi_temp_path %(d)s/s; gzip on; gzip_types text/plain; gzip_min_length 10;
  server { listen 127.0.0.1:%(p)d; root %(d)s; default_type text/plain;
    location /here { return 200 "here $arg_x"; } location /gone { return 404; } %(m)s } }
""" % {"d": self.folder, "p": self.port, "l": self.log,
       "m": self.places % {"d": self.folder, "p": self.port}, "u": pwd.getpwuid(os.geteuid()).pw_name})
        self.start([program, "-p", self.folder, "-c", "nginx.conf", "-e", self.path("error.log")], env=environment)
        self.until(lambda: socket.socket().connect_ex(("127.0.0.1", self.port)) == 0)
        children = "/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)
        self.until(lambda: open(children).read().split())
        self.pid = int(open(children).read().split()[0])
        self.binaries = [program]

    def alive(self):
        return super().alive() and os.path.exists("/proc/%d/exe" % self.pid)

    def ask(self, number):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        for round_ in range(1 << 30):
            for path, status, body in (("/page.txt", 200, self.text), ("/here?x=%d" % round_, 200, "here %d" % round_),
                                       ("/gone", 404, None), ("/missing", 404, None)):
                connection.request("GET", path)
                answer = connection.getresponse()
                text = answer.read().decode()
                if answer.status != status or body is not None and text != body:
                    raise ValueError("%d and %d bytes to %s" % (answer.status, len(text), path))
            yield 4

    def load(self):
        run = subprocess.run([self.ab, "-q", "-k", "-c", "8", "-n", "1000", "-H", "Accept-Encoding: gzip",
                              "http://127.0.0.1:%d/page.txt" % self.port],
                             capture_output=True, text=True, timeout=120, check=False)
        good = re.search(r"^Complete requests: +1000$.*^Failed requests: +0$", run.stdout, re.M | re.S)
        return [] if run.returncode == 0 and good else [run.stderr[-200:] + run.stdout[-500:]]


class Postgres(Server):
    """One backend is probed, that of a client which runs pgbench's transactions."""
    name = "postgres"
    hot = ["ExecutorRun", "standard_ExecutorRun", "exec_simple_query", "heap_*", "ExecProc*", "AllocSet*"]

    def start_server(self):
        program, self.env = installed_or_unpacked("postgresql", "/usr/lib/postgresql/*/bin/postgres")
        if self.env:
            program, self.env = self.readable_by_all(program, self.env)
        folder = os.path.dirname(program)
        self.bin = lambda name: os.path.join(folder, name)
        self.binaries = [self.bin("postgres")]
        user = self.unprivileged()
        self.data = self.path("data")
        os.mkdir(self.data)
        os.chown(self.data, user.pw_uid, user.pw_gid)
        self.as_user = ["setpriv", "--reuid=%d" % user.pw_uid, "--regid=%d" % user.pw_gid, "--clear-groups"]
        self.run(["initdb", "-D", self.data, "-A", "trust", "--no-sync"])
        # Its own: the process is told by id to end fast.
        self.start(self.as_user + [self.bin("postgres"), "-D", self.data, "-k", self.data, "-c", "listen_addresses=", "-F"],
                   env=self.env)
        self.until(lambda: self.run(["pg_isready", "-h", self.data], check=False).returncode == 0)

    def prepare(self):
        self.start_server()
        self.run(["pgbench", "-h", self.data, "-i", "-q", "-s", "1", "postgres"])
        self.client = subprocess.Popen(self.as_user + [self.bin("pgbench"), "-h", self.data, "-n", "-c", "1", "-T", "3600", "-l",
                                                       "--log-prefix", os.path.join(self.data, "done"), "postgres"],
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.env)
        # Not that of the connection by which it first looks at the tables, and which it then closes.
        backend = "select pid from pg_stat_activity where application_name = 'pgbench' and query ~ '^(BEGIN|UPDATE|INSERT|END)'"
        found = []
        self.until(lambda: found.append(self.query(backend)) or found[-1])
        self.pid = int(found[-1])

    @staticmethod
    def unprivileged():
        """Postgres refuses to be root."""
        try:
            return pwd.getpwnam("postgres")
        except KeyError:
            return pwd.getpwnam("nobody")

    def readable_by_all(self, program, environment):
        """What was unpacked may lie where root alone may look: a copy, of the same places below its root."""
        root = program[:program.index("/usr/lib/postgresql/")]
        copy = self.path("unpacked")
        shutil.copytree(root, copy, symlinks=True)
        return (copy + program.removeprefix(root),
                dict(environment, LD_LIBRARY_PATH=environment["LD_LIBRARY_PATH"].replace(root, copy)))

    def run(self, arguments, check=True):
        ran = subprocess.run(self.as_user + [self.bin(arguments[0])] + arguments[1:], capture_output=True, text=True, env=self.env)
        if check and ran.returncode:
            raise RuntimeError("%s ended with status %d: %s" % (arguments[0], ran.returncode, (ran.stdout + ran.stderr)[-600:]))
        return ran

    def query(self, text):
        return self.run(["psql", "-h", self.data, "-X", "-A", "-t", "-c", text, "postgres"]).stdout.strip()

    def alive(self):
        return super().alive() and self.client.poll() is None and os.path.exists("/proc/%d/exe" % self.pid)

    def answered(self, begin, end):
        """pgbench's transactions; it writes its log some late."""
        time.sleep(max(0, end + 2 - time.time()))
        with open(os.path.join(self.data, "done.%d" % self.client.pid)) as log:
            done = [int(words[4]) + int(words[5]) / 1e6 for words in map(str.split, log) if len(words) == 6]
        return sum(begin <= at < end for at in done)

    def ask(self, number):
        while True:
            got = self.query("select sum(abalance) = (select sum(delta) from pgbench_history), count(*) from pgbench_accounts")
            if got not in ("t|100000", "|100000"):
                raise ValueError("the accounts don't add up: " + got)
            time.sleep(0.2)
            yield 1

    def load(self):
        return []

    def close(self):
        client = getattr(self, "client", None)
        if client and client.poll() is None:
            client.terminate()
            client.wait()
        if client:
            client.stdout.close()
        if getattr(self, "process", None) and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        super().close()
        if hasattr(self, "data"):
            shutil.rmtree(self.data, ignore_errors=True)
