# SPDX-License-Identifier: GPL-2.0
"""
What callers with fewer rights than their agent can do by files that they write: debug files, links,
and files that change between the look and the probe.
"""
import os
import pwd
import shutil
import signal
import subprocess

from other_users import *
from agent import Agent, status_of, wait_until
from checks import *

SOURCE = """
#include <stdio.h>
#include <unistd.h>
/* mov $0x9090c031, %eax; ret: from its second byte on it is xor %eax, %eax; nop; nop; ret. */
int answer(void);
asm(".text\\n.globl answer\\n.type answer, @function\\nanswer: .cfi_startproc\\n.byte 0xb8, 0x31, 0xc0, 0x90, 0x90, 0xc3\\n"
    ".cfi_endproc\\n.size answer, . - answer");
int main(void) { for (int i = 0; i < 3; i++) { printf("%d %x\\n", geteuid(), answer()); fflush(stdout); } }
"""
# Maps a file executable, and has a function that goes on in it, by a slot such as the dynamic linker fills.
GOES_ON = """
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
asm(".section .got.plt,\\"aw\\",@progbits\\n.balign 8\\n.globl slot\\n.type slot, @object\\n.size slot, 8\\nslot: .quad 0\\n"
    ".text\\n.globl leaps\\n.type leaps, @function\\nleaps: .cfi_startproc\\n lea 1(%rdi), %eax\\n nop\\n"
    " jmp *slot(%rip)\\n.cfi_endproc\\n.size leaps, . - leaps\\n");
extern char *slot;
extern int leaps(int);
int main(int argc, char **argv)
{
        int fd = open(argv[1], O_RDONLY);
        unsigned long at = strtoul(argv[2], 0, 16), page = at & ~4095ul;

        slot = (char *)mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, page) + (at - page);
        puts("ready");
        fflush(stdout);
        for (;;)
                pause();
        return leaps(argc);
}
"""
LIBRARY = "int of_hers(int a) { return a + 3; }"
EXPECTED = b"0 9090c031\n" * 3


def compile_(source, path, *options):
    subprocess.run(("gcc", "-O2", "-o", path, "-x", "c", "-", *options), input=source.encode(), check=True)


def setuid_program(name, where):
    """A stripped program of root's, whose debug file (in the folder where) has symbols that are none."""
    whole, program, debug = (os.path.join(PLACE, name + end) for end in (".whole", "", ".debug"))
    compile_(SOURCE, whole)
    symbols = {line.split()[2]: int(line.split()[0], 16) for line in run("nm", whole).splitlines() if len(line.split()) == 3}
    text = [line.split() for line in run("readelf", "-SW", whole).replace("[ ", "[").splitlines() if " .text " in line][0]
    at = symbols["answer"] - int(text[3], 16)
    run("objcopy", "--add-symbol", "amid=.text:0x%x,function,global" % (at + 1), "--remove-section=.note.gnu.build-id", whole)
    run("objcopy", "--only-keep-debug", whole, debug)
    run("objcopy", "--strip-all", "--add-gnu-debuglink=" + debug, whole, program)
    os.chmod(program, 0o4755)
    if where != PLACE:
        shutil.move(debug, where)
    return program


def hers(name):
    folder = os.path.join(PLACE, name)
    os.mkdir(folder)
    os.chown(folder, *pwd.getpwnam(ALICE)[2:4])
    return folder


def chown_all(folder):
    for name in os.listdir(folder):
        os.chown(os.path.join(folder, name), *pwd.getpwnam(ALICE)[2:4], follow_symlinks=False)


def found(agent, pid, binary, pattern):
    """The functions that can be probed."""
    try:
        return [f for f in agent.find(pid, binary, pattern) if f["probeable"]]
    except AgentError as error:
        print("    refused:", error)
        return []


def executes(program, path):
    tell(program, path)
    return program.process.stdout.read()


def no_place_where_a_call_goes_on():
    """A function of hers may end with a jump into root's program, and what is put there would come along."""
    goes_on, target = (os.path.join(PLACE, name) for name in ("goes-on", "gone-on-to"))
    compile_(GOES_ON, goes_on, "-Wl,-z,norelro", "-Wl,-z,lazy", "-Wno-builtin-declaration-mismatch")
    compile_(SOURCE, target)
    place = [line.split()[0] for line in run("nm", target).splitlines() if line.endswith(" answer")][0]
    text = [line.split() for line in run("readelf", "-SW", target).replace("[ ", "[").splitlines() if " .text " in line][0]
    offset = int(place, 16) - int(text[3], 16) + int(text[4], 16)
    for mode in (0o755, 0o4755):
        os.chmod(target, mode)
        program = subprocess.Popen(as_user(ALICE, goes_on, target, "%x" % offset), stdout=subprocess.PIPE)
        try:
            equal("a program that goes on in another file", program.stdout.readline(), b"ready\n")
            with through_sudo() as agent:
                functions = agent.find(program.pid, goes_on, "leaps")
                say(functions[0]["probeable"], "its function can be probed", functions[0]["reason"])
                if mode == 0o755:
                    say(agent.record(program.pid, functions), "and is, where that file gives no rights")
                else:
                    refused("not where that file is setuid", "NO_PERMISSION",
                            lambda: agent.record(program.pid, functions))
        finally:
            program.kill()
            program.communicate()


def no_place_by_a_forged_debug_file():
    folder = hers("forged")
    target = setuid_program("forged-setuid", folder)
    os.symlink(target, os.path.join(folder, "forged-setuid"))
    chown_all(folder)
    link = os.path.join(folder, "forged-setuid")
    with through_sudo() as agent, Program(ALICE, CALLS) as program:
        program.process.stdout.readline()
        functions = found(agent, program.pid, link, "amid")
        equal("a debug file beside a link to the file is none of its", functions, [])
        if functions:
            agent.record(program.pid, functions)
        equal("the setuid program does what it does", executes(program, target), EXPECTED)
    os.chmod(target, 0o755)
    with through_sudo() as agent:
        equal("nor without a process", found(agent, 0, link, "amid"), [])
    # Where it is right: root's own, beside root's file.
    os.chmod(target, 0o755)
    beside = os.path.join(PLACE, "forged-setuid.debug")
    shutil.copy(os.path.join(folder, "forged-setuid.debug"), beside)
    with through_sudo() as agent, Program(ALICE, CALLS) as program:
        good, = agent.find(program.pid, link, "answer")
        say(good["probeable"], "a debug file of root's beside the file itself is used, also through a link", good)
        bad, = agent.find(program.pid, link, "amid")
        say(not bad["probeable"] and "debug file" in bad["reason"],
            "and its symbol in the middle of a function is no place for a probe", bad["reason"])
    for name, spoil in (("the debug file is another user's", lambda: os.chown(beside, pwd.getpwnam(ALICE).pw_uid, 0)),
                        ("all may write the debug file", lambda: (os.chown(beside, 0, 0), os.chmod(beside, 0o666))),
                        ("all may write to its folder", lambda: (os.chmod(beside, 0o644), os.chmod(PLACE, 0o777)))):
        try:
            spoil()
            with Agent() as agent:
                equal(name, found(agent, 0, target, "answer"), [])
        finally:
            os.chmod(PLACE, 0o755)


def no_file_that_gives_rights():
    target = os.path.join(PLACE, "rights")
    compile_(SOURCE, target)
    for name, give in (("setuid", lambda: os.chmod(target, 0o4755)), ("setgid", lambda: os.chmod(target, 0o2755)),
                       ("capabilities", lambda: (os.chmod(target, 0o755), run("setcap", "cap_chown+ep", target)))):
        give()
        with through_sudo() as agent, Program(ALICE, CALLS) as program:
            refused("functions of a file with " + name, "NO_PERMISSION", lambda: agent.find(program.pid, target, "answer"))
    with through_sudo() as agent, Program(ALICE, CALLS) as program:
        run("setcap", "-r", target)
        say(agent.find(program.pid, target, "answer")[0]["probeable"], "one without them may be executed next")


def children_of(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


def while_prepared(agent, pid, functions, change):
    """What a recording answers when a file changes between the look for its functions and its probes."""
    through = agent.pid
    while os.readlink("/proc/%d/exe" % through) != AGENT:
        through = children_of(through)[0]
    probes = [dict(function_id=i, binary=f["binary"], symbol=f["symbol"], file_offset=f["file_offset"])
              for i, f in enumerate(functions)]
    request = agent.send("start_recording", pid=pid, probes=probes)
    # What probes cost is measured, with a child of the agent's: the file was looked at by now.
    say(wait_until(lambda: children_of(through)), "the recording is prepared")
    os.kill(through, signal.SIGSTOP)
    try:
        change()
    finally:
        # sudo stops with what it runs, as soon as it hears of it: what goes on earlier stops for good.
        wait_until(lambda: status_of(agent.pid) == "T", 10)
        os.kill(agent.pid, signal.SIGCONT)
        os.kill(through, signal.SIGCONT)
    return request


def no_other_file_of_its_name():
    folder = hers("swapped")
    target, pipe = setuid_program("swapped-setuid", PLACE), os.path.join(PLACE, "roots-pipe")
    os.mkfifo(pipe, 0o600)
    library = os.path.join(folder, "hers.so")
    for name, other in (("a setuid program", target), ("root's pipe", pipe)):
        compile_(LIBRARY, library, "-shared", "-fPIC")
        chown_all(folder)
        writer = subprocess.Popen(["sh", "-c", 'echo secret > "$0"', pipe])

        def swap():
            os.symlink(other, library + ".new")
            os.rename(library + ".new", library)

        with through_sudo() as agent, Program(ALICE, CALLS) as program:
            program.process.stdout.readline()
            functions = agent.find(program.pid, library, "of_hers")
            request = while_prepared(agent, program.pid, functions, swap)
            try:
                say(not agent.answer(request), "%s in the place of her file is refused" % name)
            except AgentError as error:
                say("another file" in str(error), "%s in the place of her file is refused" % name, error)
            equal("root's pipe was not opened", writer.poll(), None)
            equal("the setuid program does what it does", executes(program, target), EXPECTED)
        writer.kill()
        writer.wait()
        os.unlink(library)


run_with_users(no_place_where_a_call_goes_on, no_place_by_a_forged_debug_file, no_file_that_gives_rights, no_other_file_of_its_name)
