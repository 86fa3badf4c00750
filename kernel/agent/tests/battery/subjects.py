# SPDX-License-Identifier: GPL-2.0
"""
The real programs: how each is run, what is probed in it, and how its answers are checked.

A batch program runs from its first to its last instruction with each set of probes, and must say
and end as without.  A server is started once, on loopback or a socket in a folder of its own, and
must answer each request right while one set of probes after the other is on.
"""
import glob
import os
import shutil
import subprocess

from agent import wait_until

HERE = os.path.dirname(os.path.abspath(__file__))


class Missing(Exception):
    """What would have to be installed."""


def need(*names):
    """The path of the first of some programs that there is."""
    for name in names:
        path = shutil.which(name) or next(iter(sorted(glob.glob(name))), None)
        if path:
            return path
    raise Missing(names[0])


def installed_or_unpacked(package, *names):
    """
    The path of the first of some programs that there is, and the environment that it needs (None: any); where
    there is none, of Debian's package, which is unpacked aside, see unpack.sh.
    """
    try:
        return need(*names), None
    except Missing:
        unpack = subprocess.run([os.path.join(HERE, "unpack.sh"), package], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, check=False)
        if unpack.returncode:
            why = (unpack.stderr.strip().splitlines() or ["no reason was given"])[-1]
            raise Missing("%s (%s)" % (names[0], why.removeprefix("kview: ").rstrip("."))) from None
    root = unpack.stdout.strip()
    folders = [folder for pattern in ("/lib/*-linux-gnu", "/usr/lib/*-linux-gnu") for folder in glob.glob(root + pattern)]
    return need(*(root + name for name in names if name.startswith("/"))), dict(os.environ, LD_LIBRARY_PATH=":".join(folders))


def library(name):
    return need("/usr/lib/x86_64-linux-gnu/" + name, "/lib/x86_64-linux-gnu/" + name)


class Batch:
    server = False
    long_only = False  # not in the sample of all programs
    loads_late = False  # what is probed is loaded once it runs; then it goes on when the file is there that is its argument
    at_once = 1000  # functions, where no more is asked for: starting takes long in the biggest binaries

    def __init__(self, folder):
        self.folder = folder
        self.environment = []
        self.prepare()

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w") as file:
                file.write(text)
        return path

    def maps_all(self, pid):
        """Whether it has what is probed."""
        with open("/proc/%d/maps" % pid) as maps:
            text = maps.read()
        return all(os.path.realpath(binary) in text for binary in self.binaries)

    def close(self):
        pass


class Python(Batch):
    """Debian's, with exceptions, generators, sorting, text and big numbers."""
    name = "python3"
    hot = ["_PyEval_EvalFrameDefault", "Py_RunMain", "Py_BytesMain", "PyRun_*", "PyEval_EvalCode", "Py_Finalize*", "PyObject_Call*",
           "PyDict_GetItem*", "PyErr_*", "_PyObject_GenericGet*"]
    script = """
import json, re, hashlib
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def numbers(n):
    for i in range(n):
        try:
            if i % 7 == 0: raise KeyError(i)
            yield i * i
        except KeyError as error:
            yield -error.args[0]
words = [str(x) for x in numbers(2000)]
print(fib(14), sum(map(int, words)), len(re.findall(r"1+2", " ".join(words))), 7 ** 500 % 10 ** 20)
print(hashlib.sha256(json.dumps(sorted(words)).encode()).hexdigest())
raise SystemExit(3)
"""

    def prepare(self):
        program = need("/usr/bin/python3.1[0-9]")
        self.arguments = [program, "-S", "-E", self.path("script.py", self.script)]
        self.binaries = [program]


class Sqlite(Batch):
    name = "sqlite3"
    hot = ["sqlite3_step", "sqlite3_prepare_v2", "sqlite3_value_*"]
    script = """
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
insert into t select i, 'row ' || (i * 7919 % 1000), i / 3.0 from n;
create index t_b on t(b);
begin; update t set c = c + 1 where b like 'row 1%'; rollback;
select count(*), sum(a), round(avg(c), 6), max(b) from t;
select b, count(*) from t group by b order by 2 desc, 1 limit 5;
select * from missing;
"""

    def prepare(self):
        self.arguments = [need("sqlite3"), "-init", self.path("script.sql", self.script), ":memory:", ".quit"]
        self.binaries = [library("libsqlite3.so.0")]


class Gzip(Batch):
    """Has no names of its own, so the C library's functions are probed in it."""
    name = "gzip"
    hot = ["read", "write", "malloc", "free", "memcpy", "strlen"]

    def prepare(self):
        self.path("data", "".join("%d %x\n" % (i * i, i * 2654435761) for i in range(40000)))
        self.arguments = [need("gzip"), "-c", "-n", "-6", self.path("data")]
        self.binaries = [library("libc.so.6")]


class Xz(Gzip):
    name = "xz"
    hot = ["lzma_code", "lzma_crc*"]

    def prepare(self):
        super().prepare()
        self.arguments = [need("xz"), "-c", "-0", "-T1", self.path("data")]
        self.binaries = [library("liblzma.so.5")]


class Node(Batch):
    name = "node"
    at_once = 50
    hot = ["node::*Main*", "v8::Isolate::*", "uv_run", "uv__*"]
    script = """
const crypto = require('crypto');
let sum = 0, caught = 0;
for (let i = 0; i < 20000; i++) {
  try { if (i % 100 === 0) throw new Error('x' + i); sum += JSON.parse('{"a":' + i + '}').a; }
  catch (error) { caught++; }
}
console.log(sum, caught, crypto.createHash('sha1').update(String(sum)).digest('hex'));
setTimeout(() => { console.log('later'); process.exit(5); }, 5);
"""

    def prepare(self):
        program = need("node", "nodejs")
        self.arguments = [program, self.path("script.js", self.script)]
        # Debian's is a main() that has a library.
        shared = glob.glob("/usr/lib/*-linux-gnu/libnode.so.*") if os.path.getsize(os.path.realpath(program)) < 1 << 20 else []
        self.binaries = shared or [program]


class Jvm(Batch):
    """Compiles a small program and runs it; exceptions and null pointers are signals here."""
    name = "jvm"
    loads_late = True
    at_once = 100
    hot = ["JNI_*", "JVM_*"]
    script = """
public class Sum {
  public static void main(String[] args) throws Exception {
    while (args.length > 0 && !new java.io.File(args[0]).exists()) Thread.sleep(20);
    long sum = 0; int caught = 0; String none = args.length > 9 ? "" : null;
    for (int i = 0; i < 100000; i++) {
      try { if (i % 1000 == 0) sum += none.length(); sum += Integer.toString(i).hashCode(); }
      catch (NullPointerException e) { caught++; }
    }
    Thread[] threads = new Thread[4];
    for (int i = 0; i < 4; i++) { threads[i] = new Thread(() -> System.gc()); threads[i].start(); }
    for (Thread t : threads) t.join();
    System.out.println(sum + " " + caught);
    System.exit(6);
  }
}
"""

    def prepare(self):
        home = os.environ.get("JAVA_HOME") or os.path.dirname(os.path.dirname(os.path.realpath(need("java"))))
        self.binaries = [need(home + "/lib/server/libjvm.so")]
        self.arguments = [home + "/bin/java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", self.path("Sum.java", self.script)]


class Rust(Batch):
    """Compiled here: panics that are caught, threads, closures, maps."""
    name = "rust"
    hot = ["work::*", "*panic*"]
    script = """
use std::collections::HashMap;
mod work {
    #[inline(never)]
    pub fn may_panic(i: u64) -> u64 { if i % 10 == 3 { panic!("three") } i * 2 }
    #[inline(never)]
    pub fn guarded(i: u64) -> u64 { std::panic::catch_unwind(|| may_panic(i)).unwrap_or(1) }
}
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let threads: Vec<_> = (0..4).map(|t| std::thread::spawn(move || (0..200).map(|i| work::guarded(i + t)).sum::<u64>())).collect();
    let total: u64 = threads.into_iter().map(|t| t.join().unwrap()).sum();
    let mut map = HashMap::new();
    for i in 0..2000u64 { *map.entry(format!("{}", i % 97)).or_insert(0) += i; }
    let mut keys: Vec<_> = map.into_iter().collect();
    keys.sort();
    println!("{} {:?}", total, &keys[..3]);
    std::process::exit(7);
}
"""

    def prepare(self):
        program = self.path("rusty")
        compiler, environment = installed_or_unpacked("rustc", "rustc", "/usr/bin/rustc")
        subprocess.run([compiler, "-O", "-g", "-o", program, self.path("rusty.rs", self.script)], check=True,
                       capture_output=True, env=environment)
        self.arguments, self.binaries = [program], [program]


class Apt(Batch):
    """A C++ library of Debian's, that throws and has virtual functions."""
    name = "apt (C++)"
    hot = ["pkgCache::*", "Configuration::*", "FileFd::*"]

    def prepare(self):
        self.arguments = [need("apt-cache"), "--no-generate", "depends", "libc6"]
        self.binaries = [library("libapt-pkg.so.6.0")]


class Throws(Batch):
    """With the code that unwinds, and the loader."""
    name = "C++ that throws"
    hot = ["_Unwind_*", "__cxa_*", "__gxx_personality*", "_dl_*", "std::*exception*"]

    def prepare(self):
        self.arguments = [need(os.path.join(os.environ["KVIEW_CASES"], "throws"))]
        self.binaries = [library("libstdc++.so.6"), self.arguments[0], library("libgcc_s.so.1"), need("/lib64/ld-linux-x86-64.so.2")]


class Perl(Batch):
    """It dies by longjmp, also out of a signal's handler."""
    name = "perl"
    long_only = True
    hot = ["Perl_*"]
    script = r"""
my %found;
for my $i (1..3000) {
  my $s = "abc$i" x 3;
  $s =~ s/(\d+)/<$1>/g;
  $found{$s}++;
  eval { die "seven\n" if $i % 7 == 0 };
}
local $SIG{ALRM} = sub { die "alarm\n" };
eval { alarm 1; select(undef, undef, undef, 30) };
print scalar(keys %found), " $@";
exit 4
"""

    def prepare(self):
        self.arguments = [need("perl"), self.path("script.pl", self.script)]
        self.binaries = [self.arguments[0]]


class Bash(Batch):
    """It forks for each pipe, and traps its own signals."""
    name = "bash"
    long_only = True
    hot = ["execute_*", "make_child", "waitpid", "trap_*", "run_*"]
    script = """
x=0
for i in $(seq 1 60); do
  y=$(echo $i | tr 0-9 a-j)
  x=$((x + i))
  trap true USR1
  kill -USR1 $$
done
(exit 3)
echo $x $? $y
cat <(echo substituted)
exit 8
"""

    def prepare(self):
        self.arguments = [need("bash"), self.path("script.sh", self.script)]
        self.binaries = [self.arguments[0], need("/lib64/ld-linux-x86-64.so.2")]


class Server(Batch):
    server = True

    def start(self, arguments, **options):
        self.log = open(self.path("log"), "wb")
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, **options)
        return self.process.pid

    def until(self, ready):
        if not wait_until(lambda: self.process.poll() is not None or ready(), 20) or self.process.poll() is not None:
            with open(self.path("log")) as log:
                raise RuntimeError("%s did not start: %s" % (self.name, log.read()[-500:]))

    def alive(self):
        return self.process.poll() is None

    def answered(self, begin, end):
        """How many requests, where the clients that ask are not those that count; times as time.time() has them."""
        return None

    def close(self):
        process = getattr(self, "process", None)
        if process and process.poll() is None:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process:
            self.log.close()
