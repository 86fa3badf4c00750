# SPDX-License-Identifier: GPL-2.0
"""What a policy of root's lets an agent do that has more rights than whoever started it."""
import os
import pwd
import shutil
import subprocess
import sys

from other_users import *
from agent import wait_until
from checks import *

POLICY = "/etc/kview/agent.conf"


def with_policy(text, mode=0o644, folder=0o755, owner=0):
    os.makedirs("/etc/kview", exist_ok=True)
    os.chmod("/etc/kview", folder)
    with open(POLICY, "w") as policy:
        policy.write(text)
    os.chmod(POLICY, mode)
    os.chown(POLICY, owner, 0)
    return through_sudo()


def a_policy_allows_more():
    path = os.path.join(PLACE, "plain")
    with Program(BOB, CALLS) as other:
        for text in ("# for one\nuser %s processes-of %s\n" % (ALICE, BOB),
                     "group %s processes-of %s" % (GROUP, BOB), "user %s all-processes" % ALICE):
            with with_policy(text) as agent:
                program = Program(BOB, CALLS)
                with program:
                    records("a policy: " + repr(text), agent, program)
                refused("it starts no program all the same", "NO_PERMISSION",
                        lambda: agent.request("launch", arguments=["id"]))
                os.chmod(path, 0o700)
                refused("nor reads files that the process does not map", "NO_PERMISSION",
                        lambda: agent.find(other.pid, path, "main"))
                os.chmod(path, 0o755)
        for text in ("", "user %s processes-of %s" % (BOB, BOB), "user %s processes-of root" % ALICE,
                     "group root all-processes", "user %s service %s.service" % (ALICE, BOB)):
            with with_policy(text) as agent:
                refused("a policy that does not allow it: " + repr(text), "NO_PERMISSION",
                        lambda: agent.find(other.pid, "libc.so.6", "setlocale"))
    with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent, Program("root") as roots:
        refused("one user's processes are not root's", "NO_PERMISSION",
                lambda: agent.find(roots.pid, "libc.so.6", "setlocale"))


def a_policy_allows_no_harm():
    """It allows measuring: what can end a process, or slow it without bound, is for the caller's own."""
    risks = (("forced return probes", dict(force_return_probes=True, budget_ppm=50000)),
             ("no budget", {}), ("a wide budget", dict(budget_ppm=250001)))
    with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent:
        for user, refuses in ((BOB, True), (ALICE, False)):
            for name, options in risks:
                with Program(user, CALLS) as program:
                    program.process.stdout.readline()
                    functions = agent.find(program.pid, "libc.so.6", "setlocale")
                    if refuses:
                        refused("%s for another user's process" % name, "NO_PERMISSION",
                                lambda: agent.record(program.pid, functions, **options))
                    else:
                        say(agent.record(program.pid, functions, **options), "%s for one of the caller's own" % name)
                        agent.stop()
        with Program(BOB, CALLS) as program:
            program.process.stdout.readline()
            say(agent.record(program.pid, agent.find(program.pid, "libc.so.6", "setlocale"), budget_ppm=50000),
                "a budget of 5 % for another user's process")
            agent.stop()


def only_who_has_no_rights_beyond_the_users():
    """A user's process that runs with another group, or with capabilities, is more than that user's."""
    sleeps = os.path.join(PLACE, "sleeps")
    for name, spoil in (("a setgid program", lambda: (os.chown(sleeps, 0, 42), os.chmod(sleeps, 0o2755))),
                        ("a program with capabilities", lambda: run("setcap", "cap_dac_read_search+ep", sleeps)),
                        (None, lambda: None)):
        shutil.copy("/bin/sleep", sleeps)
        os.chmod(sleeps, 0o755)
        spoil()
        program = subprocess.Popen(as_user(BOB, sleeps, "600"))
        try:
            wait_until(lambda: sleeps in os.readlink("/proc/%d/exe" % program.pid))
            with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent:
                if name:
                    refused(name + " of the user's", "NO_PERMISSION",
                            lambda: agent.find(program.pid, "libc.so.6", "setlocale"))
                else:
                    say(agent.find(program.pid, "libc.so.6", "setlocale"), "any other program of the user's")
        finally:
            program.kill()
            program.wait()
            os.unlink(sleeps)


MAPS = """
import mmap, sys, time
file = open(sys.argv[1], 'rb')
held = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
print(flush=True)
time.sleep(600)
"""


def a_users_processes_choose_what_they_execute_next():
    """So a program that gives rights has no probes on one user's word, only on root's for all processes."""
    raising = os.path.join(PLACE, "raising")
    shutil.copy(PLAIN, raising)
    os.chmod(raising, 0o4755)
    program = subprocess.Popen(as_user(BOB, sys.executable, "-c", MAPS, raising), stdout=subprocess.PIPE)
    try:
        program.stdout.readline()
        with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent:
            refused("a setuid program that a user's process maps", "NO_PERMISSION",
                    lambda: agent.find(program.pid, raising, "f_empty"))
        with with_policy("user %s all-processes" % ALICE) as agent:
            say(agent.find(program.pid, raising, "f_empty"), "but with a policy for all processes")
    finally:
        program.kill()
        program.communicate()
        os.unlink(raising)


def debug_files_are_opened_as_the_caller():
    """Also of a process that only the policy allows: whoever made its file names any other by it."""
    program, source = PLACE + "/split", PLACE + "/split.c"
    with open(source, "w") as file:
        file.write("#include <unistd.h>\nstatic __attribute__((noinline, noclone)) int unexported(int n)\n"
                   "{ return read(0, &n, 1) + n; }\nint main(void) { return unexported(1); }\n")
    run("gcc", "-O1", "-rdynamic", "-Wl,--build-id", "-o", program, source)
    build_id = run("readelf", "-n", program).split("Build ID: ")[1].split()[0]
    run("mount", "-t", "tmpfs", "none", "/usr/lib/debug")
    try:
        debug = "/usr/lib/debug/.build-id/%s/%s.debug" % (build_id[:2], build_id[2:])
        os.makedirs(os.path.dirname(debug))
        run("objcopy", "--only-keep-debug", program, debug)
        run("strip", program)
        with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent:
            started = subprocess.Popen(as_user(BOB, program), stdin=subprocess.PIPE)
            wait_until(lambda: program in open("/proc/%d/maps" % started.pid).read())
            say(agent.find(started.pid, program, "unexported"), "a debug file that the caller may read")
            os.chmod(debug, 0o600)
            refused("a debug file of root's alone", "NO_SUCH_FUNCTION",
                    lambda: agent.find(started.pid, program, "unexported"))
            started.kill()
            started.communicate()
    finally:
        run("umount", "/usr/lib/debug")


def a_policy_opens_no_other_files():
    """What stands where a file stood that the process maps is not that file, whatever its inode."""
    place = os.path.join(PLACE, "mounted")
    path = place + "/program"
    os.mkdir(place)
    inodes = []
    for program, mode in ((PLAIN, 0o755), (THROWS, 0o700)):
        run("mount", "-t", "tmpfs", "none", place)
        os.chmod(place, 0o755)
        shutil.copy(program, path)
        os.chmod(path, mode)
        inodes.append(os.stat(path).st_ino)
        if program == PLAIN:
            mapping = subprocess.Popen(as_user(BOB, path, "ticks"), stdout=subprocess.PIPE)
            mapping.stdout.readline()
    try:
        equal("two files have one inode", inodes[0], inodes[1])
        with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent:
            names = {f["name"] for f in agent.request("find_functions", pid=mapping.pid, binary=path,
                                                      pattern="*")["functions"]}
            say("f_empty" in names and not any("throw" in n for n in names), "of a mapped file only it is read",
                sorted(names)[:5])
    finally:
        mapping.kill()
        mapping.communicate()
        run("umount", place)
        run("umount", place)


def a_policy_lists_what_it_allows():
    with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent, Program(BOB) as bobs, \
            Program("root") as roots, Program(ALICE) as own:
        listed = {p["pid"]: p["executable"] for p in agent.request("list_processes")["processes"]}
        say(listed.get(bobs.pid), "it lists the program of a process that it allows", listed.get(bobs.pid))
        say(listed.get(own.pid), "and of one of the caller's own", listed.get(own.pid))
        equal("of others it tells what the caller sees", listed.get(roots.pid), "")


def a_policy_names_a_service():
    tree = os.path.join(PLACE, "cgroups")
    os.mkdir(tree)
    run("mount", "-t", "cgroup2", "none", tree)
    mine = not os.path.isdir(tree + "/system.slice")
    unit = tree + "/system.slice/%s.service" % BOB
    os.makedirs(unit)
    for name, folder, good in (("", unit, True), (" another one", unit + "-2", False),
                               (" one of a user's own", tree + "/%s.service" % BOB, False)):
        os.makedirs(folder, exist_ok=True)
        with with_policy("user %s service %s.service" % (ALICE, BOB)) as agent, Program(BOB) as program:
            open(folder + "/cgroup.procs", "w").write(str(program.pid))
            if good:
                say(agent.find(program.pid, "libc.so.6", "setlocale"), "a policy names a service")
            else:
                refused("a policy names a service:" + name, "NO_PERMISSION",
                        lambda: agent.find(program.pid, "libc.so.6", "setlocale"))
        wait_until(lambda: not open(folder + "/cgroup.procs").read())
        os.rmdir(folder)
    if mine:
        os.rmdir(tree + "/system.slice")
    run("umount", tree)


ASKS = """
import os, sys
print(flush=True)
for line in sys.stdin:
    for _ in range(5): os.getppid()
    words = line.split()
    if words: os.execv(words[0], words)
    print(flush=True)
"""


def record_system_calls(agent, pid, names=("getppid",), **options):
    agent.request("start_recording", pid=pid, interval_ms=20, **dict(dict(budget_ppm=250000), **options),
                  probes=[dict(function_id=i, system_call=dict(name=name)) for i, name in enumerate(names)])


def a_policy_allows_system_calls():
    """Which cost each process of the host: so no other line includes them, and they include no process."""
    both = "user %s system-calls\nuser %s processes-of %s" % (ALICE, ALICE, BOB)
    for text in ("user %s system-calls" % ALICE, "group %s system-calls" % GROUP, both):
        with with_policy(text) as agent, Program(BOB if text == both else ALICE, ASKS) as program:
            program.process.stdout.readline()
            record_system_calls(agent, program.pid)
            tell(program)
            program.process.stdout.readline()
            agent.stop()
            equal("a policy: " + repr(text), calls(agent), 5)
            detail = [c["detail"] for c in agent.hello["capabilities"] if c["name"] == "all_processes"][0]
            say("their system calls too" in detail, "the greeting tells so", detail)
    for text, user in (("", ALICE), ("user %s all-processes" % ALICE, ALICE), ("user %s system-calls" % BOB, ALICE),
                       ("user %s processes-of %s" % (ALICE, BOB), BOB), ("user %s system-calls" % ALICE, BOB)):
        with with_policy(text) as agent, Program(user, ASKS) as program:
            refused("system calls of %s's with a policy that does not allow it: %r" % (user, text), "NO_PERMISSION",
                    lambda: record_system_calls(agent, program.pid))
    with with_policy("user %s all-processes\nuser %s system-calls" % (ALICE, ALICE)) as agent, Program(ALICE, ASKS) as program:
        refused("tracepoints are root's alone, whatever a policy allows", "NO_PERMISSION", lambda: agent.request(
            "start_recording", pid=program.pid, budget_ppm=250000,
            probes=[dict(function_id=0, tracepoint=dict(category="sched", name="sched_switch"))]))
        refused("and so are their names", "NO_PERMISSION", lambda: agent.request("find_points", tracepoints="sched:*"))
    with with_policy(both) as agent, Program(BOB, ASKS) as program:
        refused("nor without a budget, of another user's", "NO_PERMISSION",
                lambda: record_system_calls(agent, program.pid, budget_ppm=0))


def system_calls_until_it_gets_rights():
    for name, mode in (("a setuid program", 0o4755), ("a program that can't be read", 0o711)):
        raising = os.path.join(PLACE, "raising")
        shutil.copy("/bin/sleep", raising)
        os.chmod(raising, mode)
        with with_policy("user %s system-calls" % ALICE) as agent, Program(ALICE, ASKS) as program:
            program.process.stdout.readline()
            # What sleep does at its beginning, and this program does not any more.
            record_system_calls(agent, program.pid, ("getppid", "brk", "arch_prctl", "set_tid_address", "prlimit64"))
            tell(program, raising + " 600")
            equal("%s ends a recording of system calls" % name, agent.wait("recording_ended")["reason"], "FAILED")
            told = {f["function_id"]: f["calls"] for d in agent.all("histogram_delta") for f in d["functions"]}
            say(told.get(0, 0) <= 5 and not any(told.get(i) for i in (2, 3, 4)), "nothing of it is told", told)
            equal("and none of the agent's programs is left at the tracepoints", links_of(agent), 0)
        os.unlink(raising)


def agent_itself(agent):
    """Behind sudo, which may have a process of its own between."""
    pid = agent.pid
    while os.readlink("/proc/%d/exe" % pid) != AGENT:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            pid = int(file.read().split()[0])
    return pid


def descriptors_of(agent):
    folder = "/proc/%d/fdinfo" % agent_itself(agent)
    for name in os.listdir(folder):
        try:
            with open(os.path.join(folder, name)) as file:
                yield dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        except FileNotFoundError:  # closed meanwhile
            pass


def links_of(agent):
    return sum("link_id" in fields and fields.get("tp_name", "") in ("sys_enter", "sys_exit")
               for fields in descriptors_of(agent))


def system_calls_take_no_more_memory_than_functions():
    with open(os.path.join(BUILD, "gen/syscall_names.h")) as file:
        names = [line.split('"')[1] for line in file if '"' in line]
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    with with_policy("user %s system-calls" % ALICE) as agent, Program(ALICE, ASKS) as program:
        program.process.stdout.readline()
        record_system_calls(agent, program.pid, names)
        say(links_of(agent) == 2, "the agent's programs are at the tracepoints", links_of(agent))
        # The figures are arrays; the states of threads, a hash, may take as much again.
        maps = [fields for fields in descriptors_of(agent) if "map_type" in fields]
        taken = [sum(int(fields["memlock"]) for fields in maps if (fields["map_type"] == "2") == figures) for figures in (True, False)]
        say(len(names) > 300 and max(taken) <= min(48 << 20, pages // 128), "maps of %d system calls" % len(names),
            "%.1f MiB and %.1f MiB" % tuple(nr / 1048576 for nr in taken))
        agent.stop()


def a_doubtful_policy_allows_nothing():
    good = "user %s all-processes\n" % ALICE
    for text in (good + "deny all\n", good + "user x kernel\n", good + "user x kernel-functions\n", good + "user x tracepoints\n",
                 good + "user x code-in-processes\n", good + "user x system-calls read\n", good + "user x System-Calls\n", good + "user\n", good + "user x all-processes more\n",
                 good + "user x processes-of nobody-of-this-name\n", good + "user x service ../x\n", good + "\0",
                 good + "#" * 70000):
        with with_policy(text) as agent:
            refused("a policy with " + repr(text[len(good):][:40]), "NO_PERMISSION",
                    lambda: agent.request("list_processes"))
    for name, options in (("writable by its group", dict(mode=0o664)), ("writable by all", dict(mode=0o646)),
                          ("of another owner", dict(owner=pwd.getpwnam(ALICE).pw_uid)),
                          ("in a folder that all may write", dict(folder=0o777))):
        with with_policy(good, **options) as agent:
            refused("a policy " + name, "NO_PERMISSION", lambda: agent.request("list_processes"))
    with_policy(good).close()
    os.rename(POLICY, "/etc/kview/other")
    os.symlink("/etc/kview/other", POLICY)
    with through_sudo() as agent:
        refused("a policy behind a symbolic link", "NO_PERMISSION", lambda: agent.request("list_processes"))
    os.unlink(POLICY)
    os.mkfifo(POLICY)
    with through_sudo() as agent:
        refused("a policy that is a pipe", "NO_PERMISSION", lambda: agent.request("list_processes"))
    shutil.rmtree("/etc/kview")


def what_is_not_seen_is_not_there():
    """Where /proc hides others' processes (hidepid) the agent does not tell which numbers they have."""
    run("mount", "-t", "proc", "-o", "hidepid=2", "none", "/proc")
    try:
        with with_policy("") as agent, Program(BOB) as bobs, Program("root") as roots, Program(ALICE, CALLS) as own:
            hidden = subprocess.run(as_user(ALICE, "test", "-e", "/proc/%d" % bobs.pid)).returncode
            equal("the host hides others' processes", hidden, 1)
            for what, ask in (("functions", lambda pid: agent.find(pid, "libc.so.6", "setlocale")),
                              ("mapped files", lambda pid: agent.request("list_mapped_files", pid=pid)),
                              ("a recording", lambda pid: agent.request("start_recording", pid=pid, probes=[
                                  dict(function_id=0, binary="libc.so.6", symbol="setlocale", file_offset=1)]))):
                answers = [answer_to(ask, pid) for pid in (0x3ffffff, bobs.pid, roots.pid)]
                equal("%s of another's process, of root's, and of none: one answer" % what, answers, answers[:1] * 3)
                say(answers[0].startswith("NO_SUCH_PROCESS: There is no process N that %s may see" % ALICE),
                    "it says what may be the reason", answers[0])
            records("a process of the caller's own is recorded there", agent, own)
        with with_policy("user %s processes-of %s" % (ALICE, BOB)) as agent, Program(BOB, CALLS) as bobs:
            records("and one that root allows", agent, bobs)
    finally:
        run("umount", "/proc")


def answer_to(ask, pid):
    """With the number itself left out."""
    try:
        return "no error: %s" % ask(pid)
    except AgentError as error:
        return str(error).replace(str(pid), "N")


run_with_users(what_is_not_seen_is_not_there, a_policy_allows_more, a_policy_allows_no_harm, only_who_has_no_rights_beyond_the_users,
               a_users_processes_choose_what_they_execute_next, debug_files_are_opened_as_the_caller, a_policy_opens_no_other_files, a_policy_lists_what_it_allows,
               a_policy_names_a_service, a_policy_allows_system_calls, system_calls_until_it_gets_rights,
               system_calls_take_no_more_memory_than_functions, a_doubtful_policy_allows_nothing)
