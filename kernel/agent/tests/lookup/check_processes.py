# SPDX-License-Identifier: GPL-2.0
"""Files that processes map, whether return addresses may be replaced, and the process list."""
import json
import os
import shutil
import subprocess
import tempfile
import time

from common import (BUILD, NO_SUCH_BINARY, PROGRAMS, SITES, URETPROBE, WORKLOADS, check, find, run)

DEMO = WORKLOADS + "/kview-demo"


def waits(pid):
    """In read() of its standard input, or in poll()."""
    with open(f"/proc/{pid}/syscall", encoding="ascii") as file:
        number, first = (file.read().split() + [""])[:2]
    return (number, first) == ("0", "0x0") or number == "7"


def is_static(_):
    """It has all its code from the start."""
    return True


class Waiting:
    """
    A process that waits at its input, which all of its code is loaded for; ended by closing that.
    until: what else tells that it is so far.
    """

    def __init__(self, *command, until=waits):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        deadline = time.monotonic() + 120
        while not until(self.pid):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{command} does not wait at its input")
            time.sleep(0.01)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def is_found(binary, pid, pattern="render_page"):
    header, functions = find(binary, pattern, pid=pid)
    return len(functions) == 1 and functions[0]["probeable"], \
        header.get("message", header.get("open_path"))


def check_mapped():
    with Waiting(DEMO, "--wait") as demo:
        for binary in ("", "kview-demo", os.path.realpath(DEMO)):
            check(f"render_page of a process in '{os.path.basename(binary)}'",
                  *is_found(binary, demo.pid))
        for binary in ("libc.so.6", "libc", os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6"),
                       "/lib/x86_64-linux-gnu/libc.so.6"):
            check(f"malloc of a process in {binary}", *is_found(binary, demo.pid, "malloc"))
        header, _ = find("libssl.so.3", "*", pid=demo.pid, sanitized=False)
        check("a library that is not mapped waits for being loaded", header.get("not_loaded") or
              header.get("error") == NO_SUCH_BINARY, header)
        header, _ = find("libc.so.6", "malloc", pid=demo.pid)
        check("what is mapped does not", header.get("not_loaded") is False, header)
        for binary in ("libnosuch.so.3", "ld"):  # ld-linux-x86-64.so.2 is no version of ld
            header, _ = find(binary, "*", pid=demo.pid)
            check(f"{binary} is not mapped", header.get("error") == NO_SUCH_BINARY, header)
        header, functions = find("", "render_page", pid=demo.pid)
        check("a plain C process allows uretprobes", functions[0]["exit_kind"] == URETPROBE)
        header, functions = find("libc", "setjmp", pid=demo.pid)
        check("but not on setjmp", functions[0]["exit_kind"] == SITES or
              not functions[0]["probeable"], functions[0]["reason"])


def check_link(folder):
    """As python3 is python3.11: the process maps what the link leads to."""
    where = folder + "/linked"
    os.mkdir(where)
    shutil.copy(DEMO, where + "/demo3.11")
    os.symlink("demo3.11", where + "/demo3")
    shutil.copy("/usr/bin/cat", where + "/beside")
    with Waiting(where + "/demo3", "--wait") as demo:
        check("a program by its link's name", *is_found("demo3", demo.pid))
        header, _ = find("beside", "*", pid=demo.pid)
        check("but not what is only beside it", header.get("error") == NO_SUCH_BINARY, header)


def check_gone(folder):
    path = folder + "/kview-demo"
    shutil.copy(DEMO, path)
    with Waiting(path, "--wait") as demo:
        os.unlink(path)
        check("its program was deleted", *is_found("", demo.pid))
        check("and asked for by name", *is_found("kview-demo", demo.pid))
        shutil.copy(BUILD + "/find", path)
        check("and replaced by another", *is_found(path, demo.pid))


def check_containers(folder):
    """A mount namespace, and a root, in which paths mean something else."""
    script = f"mount -t tmpfs none {folder} && cp {DEMO} {folder}/only-here && " \
             f"ln -s {folder}/only-here {folder}/link && exec {folder}/only-here --wait"
    with Waiting("unshare", "-m", "sh", "-c", script) as demo:
        check("the file can't be seen from here", not os.path.exists(folder + "/only-here"))
        check("a program in another mount namespace", *is_found("", demo.pid))
        check("by its path there", *is_found(folder + "/only-here", demo.pid))
        check("by a symbolic link there", *is_found(folder + "/link", demo.pid))
    root = folder + "/root"
    os.makedirs(root + "/bin")
    shutil.copy(PROGRAMS + "/shapes-static", root + "/bin/shapes")
    shutil.copy(BUILD + "/find", root + "/passwd")
    os.symlink("/bin/shapes", root + "/absolute")
    os.symlink("../../../../../../etc/passwd", root + "/escape")
    os.mkfifo(root + "/pipe")
    with Waiting("chroot", root, "/bin/shapes", "1000000",
                 until=lambda pid: os.readlink(f"/proc/{pid}/exe").endswith("/bin/shapes")) as chrooted:
        check("a program in another root", *is_found("/bin/shapes", chrooted.pid, "one_return"))
        check("an absolute link stays within it", *is_found("/absolute", chrooted.pid, "one_return"))
        header, _ = find("/escape", "*", pid=chrooted.pid)
        check("none leads out of it", header.get("error") == NO_SUCH_BINARY, header.get("message"))


def safety(pid):
    """Whether return addresses may be replaced, whether each thread has one stack, and why not."""
    words = run(BUILD + "/find-asan", "--uretprobes", str(pid)).stdout.decode().strip().split(" ", 2)
    return words[0], words[1], words[2] if len(words) > 2 else ""


def check_safety():
    """Each is proven or doubted for its own reason; what is harmless must stay allowed."""
    both, unwinds, neither = ("yes", "one"), ("no", "one"), ("no", "many")
    hand = "another stack pointer from memory in switch_stack"
    programs = [
        (DEMO, ["--wait"], both, ""), ("/usr/bin/cat", [], both, ""),
        ("/usr/bin/gzip", ["-c"], both, ""), ("/usr/bin/sort", [], unwinds, "forks"),
        ("frames", [], unwinds, "longjmp"), ("frames-clang", [], unwinds, "longjmp"),
        ("frames-protected", [], unwinds, "longjmp"), ("harmless_calls", [], both, ""),
        ("throwing", ["wait"], neither, ""), ("cancelling", [], unwinds, "pthread_exit"),
        ("by_hand", [], neither, hand), ("in_library", [], neither, "libswitching.so takes " + hand),
        ("register_switch", [], neither, "stack pointer"), ("popping", [], neither, "stack pointer"),
        ("own_system_call", [], neither, "calls the kernel by itself"),
        ("system_call", [], neither, "system call that can't be told"),
        ("dispatching", [], neither, "dispatched"), ("may_dispatch", [], neither, "dispatched"),
        ("may_make_code", [], neither, "may make code"), ("makes_code", [], neither, "of no file"),
        ("alternate_stack", [], neither, "sigaltstack"), ("coroutines", [], neither, "context"),
        ("loading", [], neither, "dlopen"), ("shapes-static", ["1000000"], neither, "by itself"),
        ("rusty", ["wait"], neither, ""), ("/usr/bin/python3", ["-c", "input()"], neither, "")]
    for program, arguments, expected, why in programs:
        path = program if program[0] == "/" else f"{PROGRAMS}/{program}"
        if not os.path.exists(path):
            continue
        with Waiting(path, *arguments, until=is_static if program == "shapes-static" else waits) as process:
            *said, reason = safety(process.pid)
        check(f"stacks of {os.path.basename(program)}", tuple(said) == expected and why in reason and
              bool(reason) == (expected != both) and reason.endswith("." if reason else ""),
              (*said, reason))
    *said, reason = safety(2**22 - 3)
    check("stacks of no process", tuple(said) == neither and "no process" in reason, said)


def make_libraries(folder, count):
    """A program with so many libraries of its own."""
    with open(folder + "/l.c", "w", encoding="ascii") as file:
        file.write("int NAME(int x) { return x + 1; }\n")
    for i in range(count):
        run("gcc", "-O1", "-shared", "-fPIC", f"-DNAME=f{i}", "-o", f"{folder}/libl{i}.so",
            folder + "/l.c")
    with open(folder + "/m.c", "w", encoding="ascii") as file:
        file.write("#include <unistd.h>\n" + "".join(f"int f{i}(int);\n" for i in range(count)) +
                   "int main(void) { char c; int x = read(0, &c, 1);\n" +
                   "".join(f"x += f{i}(x);\n" for i in range(count)) + "return !x; }\n")
    run("gcc", "-O1", "-o", folder + "/many", folder + "/m.c", "-L" + folder,
        *(f"-ll{i}" for i in range(count)), "-Wl,-rpath," + folder)
    return folder + "/many"


def check_safety_cost(folder):
    """For people: what the proof takes, and what each of Debian's programs gets and why."""
    with Waiting(make_libraries(folder, 30)) as process:
        begin = time.monotonic()
        *said, reason = safety(process.pid)
        check("stacks of 30 libraries", said == ["yes", "one"],
              f"{time.monotonic() - begin:.2f} s with sanitizers {reason}")
    for path in ("/usr/bin/python3", "/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/gzip",
                 "/lib/x86_64-linux-gnu/libcrypto.so.3", "/usr/bin/sqlite3", "/usr/bin/redis-server",
                 "/usr/sbin/nginx", "/usr/bin/node", "/usr/lib/postgresql/15/bin/postgres"):
        if os.path.exists(path):
            said = run(BUILD + "/find", "--file", path).stdout.decode().strip()
            print("#", os.path.basename(path), said)


def listed(*pids):
    done = run(BUILD + "/processes", *map(str, pids))
    return done.returncode, [json.loads(line) for line in done.stdout.decode().splitlines()]


def all_pids():
    return {int(p) for p in os.listdir("/proc") if p.isdigit()}


def cpu_time(pid):
    """In ns, with the resolution of a tick."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        ticks = file.read().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) * 10**9 // os.sysconf("SC_CLK_TCK")


def check_list():
    before = all_pids()
    code, processes = listed()
    after = all_pids()
    by_pid = {p["pid"]: p for p in processes}
    me = by_pid[os.getpid()]
    with open("/proc/self/comm", encoding="utf-8") as file:
        name = file.read().strip()
    with open("/proc/self/cmdline", encoding="utf-8") as file:
        command = file.read()[:-1].split("\0")
    check("this process is listed", me["name"] == name and me["parent_pid"] == os.getppid() and
          me["executable"] == os.readlink("/proc/self/exe") and me["arguments"] == command and
          me["uid"] == os.geteuid() and me["user"] == "root", me)
    age = time.clock_gettime(time.CLOCK_MONOTONIC) - me["start_time_ns"] / 1e9
    check("its start is on CLOCK_MONOTONIC", 0 <= age < 3600, f"{age:.2f} s ago")
    kernel = [p for p in processes if p["kernel_thread"]]
    check("kernel threads are told apart", all(not p["executable"] and not p["arguments"]
                                               for p in kernel), f"{len(kernel)} of {len(processes)}")
    missed = (before & after) - set(by_pid)
    check("none is missed", not missed, f"{len(by_pid)} listed, not {sorted(missed)}")
    with Waiting(DEMO, "--seconds", "300", "--only", "poll_queue,render_page",
                 until=lambda pid: cpu_time(pid) >= 10**7 and len(os.listdir(f"/proc/{pid}/task")) == 3) as demo:
        least = cpu_time(demo.pid)
        _, (process,) = listed(demo.pid)
        check("threads and CPU time", process["threads"] == 3 and
              least <= process["cpu_time_ns"] <= cpu_time(demo.pid),
              (process["threads"], least, process["cpu_time_ns"]))
    hostile = ["", "a\nb", b"\xff\xfe", "ß", "x" * 100000]
    with Waiting("/bin/sh", "-c", "read x", *hostile) as process:
        _, (found,) = listed(process.pid)
        check("arguments of any bytes", found["arguments"][3:7] == ["", "a\\x0ab", "\\xff\\xfe", "ß"],
              [a[:12] for a in found["arguments"]])


def check_names_and_races(folder):
    # A name that looks like what follows it in /proc/PID/stat.
    path = folder + "/) R 1 (\n\x1b[0m"
    shutil.copy("/usr/bin/cat", path)
    with Waiting(path) as process:
        _, (found,) = listed(process.pid)
        check("a name like the file's own syntax", found["name"] == ") R 1 (\\x0a\\x1b[0m" and
              found["parent_pid"] == os.getpid(), found["name"])
    storm = subprocess.Popen(["sh", "-c", "while :; do /bin/true & /bin/true; done"])
    try:
        codes = [listed()[0] for _ in range(15)]
    finally:
        storm.kill()
        storm.wait()
    check("processes that end while they are listed", not any(codes), f"{len(codes)} lists")
    code, _ = listed(2**22 - 3)
    check("one that does not exist", code == 1)


def main():
    check_mapped()
    with tempfile.TemporaryDirectory() as folder:
        check_link(folder)
        check_gone(folder)
        check_containers(folder)
        check_names_and_races(folder)
        check_safety_cost(folder)
    check_safety()
    check_list()
