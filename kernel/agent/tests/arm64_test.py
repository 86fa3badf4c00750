# SPDX-License-Identifier: GPL-2.0
"""
The agent for arm64 under qemu-user, as far as that goes: it has no eBPF.  Which instructions
end a call is compared with what binutils make of the same code.
"""
import os
import re
import subprocess

from checks import *

HERE = os.path.dirname(os.path.abspath(__file__))
CROSS = "aarch64-linux-gnu-"
ARM64 = os.path.join(BUILD, "kview-agent-aarch64")
LIBC = "/usr/aarch64-linux-gnu/lib/libc.so.6"
EMULATED = ["qemu-aarch64-static", ARM64]


def program(name, *flags):
    path = os.path.join(BUILD, "traced", name + "-aarch64")
    subprocess.run([CROSS + "gcc", "-O2", *flags, "-o", path, os.path.join(HERE, "arm64", "jumps.c")], check=True)
    return path


def disassembled(path):
    """By symbol: (address, mnemonic, operands) of each instruction."""
    text = subprocess.run([CROSS + "objdump", "-d", "--no-show-raw-insn", path],
                          capture_output=True, text=True, check=True).stdout
    functions, current = {}, None
    for line in text.splitlines():
        head = re.match(r"([0-9a-f]+) <(.*)>:", line)
        insn = re.match(r"\s+([0-9a-f]+):\s+(\S+)\s*(.*)", line)
        if head:
            current = functions.setdefault(int(head[1], 16), [])
        elif insn and current is not None:
            current.append((int(insn[1], 16), insn[2], insn[3]))
    return functions


def instructions(code, start, size):
    """Symbols within a function do not end it."""
    found = []
    for address in sorted(code):
        if start <= address < start + size:
            found += [i for i in code[address] if i[0] < start + size]
    return found


def ways_out(code, body, start, size):
    """What leaves the function, as binutils read it; None where a part of it may be elsewhere, without a name."""
    count = 0
    for _, mnemonic, operands in body:
        target = re.match(r"([0-9a-f]+) <", operands)
        target = int(target[1], 16) if target else start
        outside = not start <= target < start + size
        if mnemonic in ("ret", "br"):
            count += 1
        elif outside and re.fullmatch(r"b(\.\w+)?", mnemonic):
            if target not in code:
                return None
            count += 1
    return count


def greeting(agent):
    equal("arm64: machine", agent.hello["machine"], "aarch64")
    bpf = [c for c in agent.hello["capabilities"] if c["name"] == "bpf"][0]
    say(bpf["required"] and not bpf["available"] and "CONFIG_BPF_SYSCALL" in bpf["detail"],
        "arm64: a kernel without eBPF is told", bpf["detail"])
    jump = [c for c in agent.hello["capabilities"] if c["name"] == "jump"][0]
    say(not jump["available"] and "by jumps on this kind of processor" in jump["detail"], "arm64: that no jumps are put is told", jump["detail"])
    refused("arm64: calibration without eBPF", "UNSUPPORTED", lambda: agent.request("calibrate"))
    processes = agent.request("list_processes")["processes"]
    say(any(p["pid"] == os.getpid() for p in processes), "arm64: processes", len(processes))
    refused("arm64: a file of another machine", "UNSUPPORTED", lambda: agent.find(0, PLAIN, "f_empty"))


def lookup(agent, name, path, pattern, at_least):
    code = disassembled(path)
    reply = agent.request("find_functions", binary=path, pattern=pattern, limit=5000)
    wrong, compared = [], 0
    for f in reply["functions"]:
        body = instructions(code, f["address"], f["size_bytes"])
        if not f["probeable"] or f["exit_kind"] != "EXIT_RETURN_SITES" or not body:
            continue
        expected = ways_out(code, body, f["address"], f["size_bytes"])
        compared += expected is not None
        if expected is not None and f["exit_sites"] != expected:
            wrong.append("%s: %d, binutils: %d" % (f["name"], f["exit_sites"], expected))
    say(not wrong and compared >= at_least, "arm64: ways out of %s" % name,
        "%d functions, as binutils have them" % compared if not wrong else wrong[:5])
    return {f["name"]: f for f in reply["functions"]}


def all_of_it():
    version = subprocess.run(EMULATED + ["--version"], capture_output=True, text=True)
    say(version.returncode == 0 and version.stdout.strip(), "arm64: version", version.stdout.strip())
    with Agent(command=EMULATED) as agent:
        greeting(agent)
        functions = lookup(agent, "C", program("jumps"), "f_*", 3)
        equal("arm64: how calls end", [(functions[n]["exit_kind"], functions[n]["exit_sites"]) for n in
                                       ("f_tail", "f_tail_if", "f_tail_reg")], [("EXIT_RETURN_SITES", n) for n in (1, 2, 1)])
        # Nothing is proven of Arm code yet.
        equal("arm64: return addresses stay", functions["f_recurse"]["exit_kind"], "EXIT_RETURN_SITES")
        equal("arm64: what is simulated and what is stepped", [functions[n][c] for n, c in
              (("f_tail", "exit_cost"), ("f_tail", "entry_cost"), ("f_tail_reg", "entry_cost"))],
              ["INSTRUCTION_EMULATED", "INSTRUCTION_SINGLE_STEPPED", "INSTRUCTION_EMULATED"])
        say("no probe can follow" in functions["f_zero"]["reason"], "arm64: a way out that no probe can follow",
            functions["f_zero"]["reason"])
        say("keeps data" in functions["f_data"]["reason"], "arm64: data among instructions",
            functions["f_data"]["reason"])
        lookup(agent, "branch-protected C", program("protected", "-mbranch-protection=standard"), "f_*", 3)
        lookup(agent, "the C library", LIBC, "*", 1000)


if os.path.exists(ARM64):
    run_tests(all_of_it)
else:
    say(False, "arm64", ARM64 + " was not built: make arm64")
