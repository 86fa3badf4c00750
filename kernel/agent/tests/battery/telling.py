# SPDX-License-Identifier: GPL-2.0
"""
Real programs that tell how long they took for something, by clocks of their own.

work() makes one do what is compared, and few_us() something with many calls of one function, some us each.  Both return what
it told, in ns: "wall", and "cpu" where it tells that; and "calls", how often it did it.  A Compiler is run once, and told() reads what it said.
"""
import json
import os
import random
import re
import socket
import subprocess

from agent import wait_until
from servers import ConnectedRedis, Nginx, Postgres
from subjects import Batch, Jvm, Missing, Node, Server, installed_or_unpacked, library, need


class TellingRedis(ConnectedRedis):
    """INFO: call() reads a clock before and after the command's function, and a getrusage of the main thread is told as well."""
    script = b"local k = string.rep('x', 10000) for i = 1, 500 do redis.call('EXISTS', k .. i) end"

    def prepare(self):
        super().prepare()
        self.command(b"RPUSH", b"list", *(b"%d" % (i * 7919 % 20000) for i in range(20000)))
        self.command(b"EVAL", self.script, b"0")

    def told(self, name):
        """It begins with the CPU time, as that goes on."""
        cpu, calls = (self.command(b"INFO", section).decode() for section in (b"cpu", b"commandstats"))
        spent = re.search(r"^cmdstat_%s:calls=(\d+),usec=(\d+)" % name, calls, re.M)
        return {"calls": int(spent.group(1)) if spent else 0, "wall": int(spent.group(2)) * 1000 if spent else 0,
                "cpu": round(sum(map(float, re.findall(r"^used_cpu_\w+_main_thread:([\d.]+)", cpu, re.M))) * 1e9)}

    def several(self, name, times, *words):
        # It waits in a turn of its loop that may have begun before the recording.
        self.command(b"PING")
        before = self.told(name)
        for _ in range(times):
            self.command(*words)
        after = self.told(name)
        return {k: after[k] - before[k] for k in after}

    def work(self):
        return self.several("sort", 10, b"SORT", b"list", b"ALPHA", b"LIMIT", b"0", b"1")

    def few_us(self):
        return self.several("eval", 5, b"EVAL", self.script, b"0")


class TellingNginx(Nginx):
    """
    $upstream_response_time, in ms, of a worker that is its own upstream: what it does for the upstream's request lies
    between the two moments at which it reads its clock, as it does nothing else.
    """
    requests = 8
    log = "log_format told '$upstream_response_time'; access_log off;"
    places = ("location /front { access_log %(d)s/told.log told; proxy_pass http://127.0.0.1:%(p)d/letters.txt; "
              "proxy_set_header Accept-Encoding gzip; proxy_http_version 1.1; } gzip_comp_level 9;")

    def prepare(self):
        chance = random.Random(1)
        self.path("letters.txt", "".join(chance.choice("ab") for _ in range(30000)))
        super().prepare()

    def get(self, path):
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as s:
            s.sendall(b"GET %s HTTP/1.0\r\n\r\n" % path)
            while s.recv(1 << 16):
                pass

    def work(self):
        path = os.path.join(self.folder, "told.log")
        # It waits in a turn of its loop that may have begun before the recording.
        self.get(b"/here")
        for _ in range(self.requests):
            self.get(b"/front")
        lines = []

        def all_told():
            with open(path) as log:
                lines[:] = log.read().split()
            return len(lines) >= self.requests
        if not wait_until(all_told, 20):
            raise TimeoutError("nginx told %d times" % len(lines))
        os.truncate(path, 0)
        # That for the first one, and for each its own and the upstream's.
        return {"calls": 1 + 2 * len(lines), "wall": round(sum(map(float, lines)) * 1e9)}


class TellingPostgres(Postgres):
    """log_executor_stats: PortalRun() reads the clock and getrusage before and after the executor."""

    def prepare(self):
        self.start_server()
        arguments = self.as_user + [self.bin("psql"), "-h", self.data, "-X", "-A", "-t", "postgres"]
        self.client = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       env=self.env, text=True, cwd=self.data)
        self.pid = int(self.answer("select pg_backend_pid()").strip())
        self.answer("set jit = off; set client_min_messages = log; set log_executor_stats = on")

    def answer(self, text):
        self.client.stdin.write(text + ";\n\\echo that was all\n")
        self.client.stdin.flush()
        lines = []
        for line in self.client.stdout:
            if line == "that was all\n":
                break
            lines.append(line)
        return "".join(lines)

    def told(self, query):
        text = self.answer(query)
        found = re.findall(r"^!\s+([\d.]+) s user, ([\d.]+) s system, ([\d.]+) s elapsed$", text, re.M)
        if len(found) != 1:
            raise RuntimeError("postgres said " + text[-500:])
        user, system, elapsed = map(float, found[0])
        # The rows that it counted.
        calls = int(re.search(r"^(\d+)\|?$", text, re.M).group(1))
        return {"calls": calls, "wall": round(elapsed * 1e9), "cpu": round((user + system) * 1e9)}

    def work(self):
        """Work and waiting."""
        return self.told("select count(md5(repeat(i::text, 500))), pg_sleep(0.02) from generate_series(1, 10000) i") | {"calls": 1}

    def few_us(self):
        return self.told("select count(md5(repeat(i::text, 1500))) from generate_series(1, 1500) i")

    def close(self):
        if getattr(self, "client", None):
            self.client.stdin.close()
        super().close()


class Commanded(Server):
    """Does something for each line that it reads, and answers by a line."""

    def begin(self, arguments):
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.pid = self.process.pid

    def command(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer.strip():
            raise RuntimeError("%s did not answer" % self.name)
        return answer

    def close(self):
        process = getattr(self, "process", None)
        if process:
            process.stdin.close()
            process.stdout.close()
        super().close()


class TellingNode(Commanded, Node):
    """process.hrtime and process.cpuUsage around calls that node's C++ makes in OpenSSL, told in a later turn of its loop."""
    script = """
const crypto = require('crypto');
process.stdin.on('data', line => {
  const [times, rounds] = String(line).split(' ').map(Number);
  setImmediate(() => {
    const cpu = process.cpuUsage(), begin = process.hrtime.bigint();
    for (let i = 0; i < times; i++) crypto.pbkdf2Sync('secret', 'salt' + i, rounds, 64, 'sha512');
    const wall = process.hrtime.bigint() - begin, used = process.cpuUsage(cpu);
    setTimeout(() => console.log(JSON.stringify({ calls: times, wall: Number(wall), cpu: (used.user + used.system) * 1000 })), 1);
  });
});
"""

    def prepare(self):
        Node.prepare(self)
        self.log = open(self.path("log"), "wb")
        self.begin(self.arguments)
        self.few_us()

    def told(self, times, rounds):
        return json.loads(self.command("%d %d" % (times, rounds)))

    def work(self):
        return self.told(10, 10000)

    def few_us(self):
        return self.told(2000, 5)


class TellingJvm(Commanded, Jvm):
    """The unified log: how long a pause of the collector was, in us, and how long its safepoint, in ns, around it."""
    collections = 8
    script = """
public class Sum {
  public static void main(String[] args) throws Exception {
    var kept = new java.util.ArrayList<String>();
    for (int i = 0; i < 400000; i++) kept.add("kept " + i);
    for (int c; (c = System.in.read()) >= 0; ) {
      if (c != '\\n') continue;
      for (int i = 0; i < COLLECTIONS; i++) System.gc();
      System.out.println(kept.size());
    }
  }
}
""".replace("COLLECTIONS", str(collections))

    def prepare(self):
        Jvm.prepare(self)
        self.log = open(self.path("log"), "wb")
        self.told_path = self.path("told.log")
        self.read = 0
        log = "-Xlog:gc,safepoint:file=%s:none:filecount=0" % self.told_path
        self.begin([self.arguments[0], "-Xmx256m", "-XX:+UseSerialGC", log] + self.arguments[1:])
        self.command("")
        self.new_lines()

    def new_lines(self):
        found = []

        def all_told():
            with open(self.told_path) as log:
                text = log.read()[self.read:]
            found[:] = [re.findall(r"Pause Full \(System\.gc\(\)\).* ([\d.]+)ms$", text, re.M),
                        re.findall(r'^Safepoint "[^"]*Collect\w*",.* At safepoint: +(\d+) ns', text, re.M), len(text)]
            return min(map(len, found[:2])) >= self.collections
        if not wait_until(all_told, 20):
            raise TimeoutError("the JVM told too little: %s" % found)
        self.read += found[2]
        return {"calls": len(found[1]), "pause": round(sum(map(float, found[0])) * 1e6), "wall": sum(map(int, found[1]))}

    def work(self):
        self.command("")
        return self.new_lines()


class Compiler(Batch):
    """Run by the agent from its first instruction on."""


class TellingClang(Compiler):
    """-ftime-trace: a clock, in us; -ftime-report: getrusage, in 0.1 ms."""
    name = "clang (C++)"
    text = """int f%d(int *a, int n) {
  int s = %d;
  for (int i = 0; i < n; i++) { s += a[i] * %d; if (s & 8) s ^= a[i]; else a[i] = s; }
  return s;
}
"""

    def prepare(self):
        source = self.path("source.c", "".join(self.text % (i, i, i + 3) for i in range(40)))
        self.arguments = [need("clang-14", "clang", "/usr/bin/clang-[1-9][0-9]"), "-c", "-O2", "-ftime-trace", "-ftime-report",
                          "-o", self.path("out.o"), source]
        self.binaries = [library("libclang-cpp.so.*")]

    def told(self, _, errors):
        with open(self.path("out.json")) as file:
            events = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X"]
        cpu = re.search(r"^(?: +[\d.]+ +\( *[\d.]+%\)){2} +([\d.]+) .* Code Generation Time$", errors, re.M)
        whole, backend = ([e["dur"] * 1000 for e in events if e["name"] == n] for n in ("ExecuteCompiler", "Backend"))
        return {"calls": len(backend), "whole": sum(whole), "wall": sum(backend), "cpu": round(float(cpu.group(1)) * 1e9)}


class TellingRust(Compiler):
    """rustc is written in Rust: -Z time-passes, by a clock, in ns."""
    name = "rustc (Rust)"
    text = """pub fn f%d(a: &mut Vec<String>, n: u64) -> u64 {
  let mut s = %d; for i in 0..n { a.push(format!("{}", i * %d)); s ^= a.len() as u64; } a.sort(); s }
"""

    def prepare(self):
        compiler, environment = installed_or_unpacked("rustc", "rustc", "/usr/bin/rustc")
        root = subprocess.run([compiler, "--print", "sysroot"], check=True, capture_output=True, text=True,
                              env=environment).stdout.strip()
        self.environment = ["RUSTC_BOOTSTRAP=1"]
        if environment:
            self.environment.append("LD_LIBRARY_PATH=" + environment["LD_LIBRARY_PATH"])
        # Of rustup's rustc, which executes it, the one that compiles.
        program = need(root + "/bin/rustc", compiler)
        self.binaries = [need(root + "/lib/librustc_driver-*.so", root + "/lib/*-linux-gnu/librustc_driver-*.so")]
        source = self.path("source.rs", "".join(self.text % (i, i, i + 3) for i in range(40)))
        self.arguments = [program, "--crate-type=lib", "--emit=obj", "-C", "codegen-units=1", "-Z", "time-passes",
                          "-Z", "time-passes-format=json", "-o", self.path("out.o"), source]

    def told(self, output, errors):
        found = re.findall(r'^time: (\{"pass":"codegen_crate",.*\})$', output + errors, re.M)
        if not found:
            raise Missing("a rustc that tells times as JSON")
        return {"calls": len(found), "wall": round(sum(json.loads(line)["time"] for line in found) * 1e9)}
