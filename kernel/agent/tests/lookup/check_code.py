# SPDX-License-Identifier: GPL-2.0
"""The ends and entries that lookup finds, against objdump and against execution."""
import bisect
import json
import os
import re
import shutil
import subprocess

from common import (BUILD, EMULATED, JUMP, JUMP_COND, JUMP_MEM, JUMP_REG, PROGRAMS, RET, SITES,
                    WORKLOADS, check, find, run)

# ./test --long sets it: more of what python does is done step by step.
LONG = "KVIEW_AGENT_SAMPLES" in os.environ
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(.*)$")
IS_RET = re.compile(r"^(repz |bnd |data16 )?ret")
IS_JUMP = re.compile(r"^(?:notrack |bnd |data16 |cs |ds )*(j[a-z]+)(?:,p[nt])?\s+([0-9a-f]+)\b")


def disassemble(binary):
    """The text of each instruction by its address."""
    text = run("objdump", "-d", "--no-show-raw-insn", "-w", binary).stdout.decode("utf-8", "replace")
    return {int(m[1], 16): m[2] for m in map(LINE.match, text.splitlines()) if m}


def is_inside(ranges, address):
    return any(start <= address < end for start, end in ranges)


def direct_ends(instructions, addresses, ranges):
    """Returns, and jumps out of the function, as objdump prints them."""
    rets, jumps = set(), set()
    for address in addresses:
        text = instructions[address]
        jump = IS_JUMP.match(text)
        if IS_RET.match(text):
            rets.add(address)
        elif jump and not is_inside(ranges, int(jump[2], 16)):
            jumps.add(address)
    return rets, jumps


def is_cheap(text):
    return bool(re.match(r"^(push\s+%r|nop$|pause|call\s+[0-9a-f]|j[a-z]+\s+[0-9a-f])", text))


def check_against_objdump(binary, minimum):
    instructions = disassemble(binary)
    ordered = sorted(instructions)
    header, functions = find(binary, "*", limit=10**6, sanitized=False)
    wrong_ends, wrong_entries, rets_seen, decoded = [], [], 0, 0
    for f in functions:
        if not f["probeable"]:
            continue
        decoded += 1
        addresses = [a for start, end in f["ranges"]
                     for a in ordered[bisect.bisect_left(ordered, start):
                                      bisect.bisect_left(ordered, end)]]
        rets, jumps = direct_ends(instructions, addresses, f["ranges"])
        entry = f["address"] + f["entry_offset"] - f["file_offset"]
        if entry not in instructions or \
                is_cheap(instructions[entry]) != (f["entry_cost"] == EMULATED):
            wrong_entries.append(f["name"])
        if f["exit_kind"] != SITES:
            # Then all its ends are returns.
            if jumps:
                wrong_ends.append(f["name"])
            continue
        rets_seen += len(rets)
        if rets != {s["address"] for s in f["sites"] if s["kind"] == RET} or \
                jumps != {s["address"] for s in f["sites"] if s["kind"] in (JUMP, JUMP_COND)}:
            wrong_ends.append(f["name"])
    name = os.path.basename(binary)
    share = decoded / len(functions)
    check(f"ends in {name} are objdump's", not wrong_ends and decoded,
          f"{decoded} functions, {rets_seen} returns, {len(wrong_ends)} differ {wrong_ends[:3]}")
    check(f"entries in {name} cost what objdump's do", not wrong_entries,
          f"{sum(f['entry_cost'] == EMULATED for f in functions)} emulated, "
          f"{len(wrong_entries)} differ {wrong_entries[:3]}")
    check(f"functions of {name} that can be probed", share >= minimum,
          f"{decoded} of {len(functions)}, {share:.1%}")


def kinds(functions, name):
    return sorted(s["kind"] for f in functions if f["symbol"] == name for s in f["sites"])


def check_shapes():
    # In a file of which no process tells what else is loaded, and in C++, ends are sites.
    _, functions = find(PROGRAMS + "/shapes-split", "*")
    expected = {"tail_call": [JUMP], "maybe_tail_call": [RET, JUMP], "pointer_tail_call": [JUMP_MEM],
                "member_tail_call": [JUMP_MEM], "handler_tail_call": [JUMP_MEM]}
    for name, ends in expected.items():
        # one of tail_call's aliases is shorter
        found = kinds(functions, "sh" if name == "tail_call" else name)
        check(f"ends of {name}", found == ends, found)
    for build in ("shapes", "shapes-cet", "shapes-nopie", "shapes-clang"):
        _, functions = find(f"{PROGRAMS}/{build}", "*")
        by_name = {f["symbol"]: f for f in functions}
        outside = [n for n in ("jump_table", "interpreter", "cold_half") if any(
            s["kind"] == JUMP_REG for s in by_name[n]["sites"])]
        check(f"jump tables of {build} are internal", not outside, outside)
        check(f"what is chosen at load in {build} is refused",
              "chosen" in by_name["chosen_at_load"]["reason"], by_name["chosen_at_load"]["reason"])
    _, (f,) = find(PROGRAMS + "/shapes", "cold_half")
    check("cold parts belong to their function", len(f["ranges"]) == 2 and len(f["sites"]) >= 2,
          f"{len(f['ranges'])} ranges, {len(f['sites'])} ends")
    _, (f,) = find(PROGRAMS + "/shapes", "cold_half.cold")
    check("a cold part alone is refused", not f["probeable"] and "part" in f["reason"], f["reason"])
    _, (f,) = find(PROGRAMS + "/shapes-cet", "one_return")
    check("endbr64 is passed over", f["entry_offset"] == f["file_offset"] + 4)
    header, functions = find(PROGRAMS + "/shapes", "shape_of_alias")
    check("an alias is found by its own name", functions[0]["symbol"] == "shape_of_alias")
    header, functions = find(PROGRAMS + "/shapes", "one_return")
    header, both = find(PROGRAMS + "/shapes", "*")
    same = [f["symbol"] for f in both if f["address"] == functions[0]["address"]]
    check("aliases are one function", same == ["one_return"], same)
    check("that knows its other names", [f["aliases"] for f in both if f["symbol"] == "one_return"] ==
          [["shape_of_alias"]], functions[0]["aliases"])


def check_assembly():
    header, functions = find(PROGRAMS + "/assembly", "*")
    by_name = {f["symbol"]: f for f in functions}
    refused = {"loop_at_entry": "loop", "only_jumps": "leaves", "only_returns": "leaves",
               "falls_through": "falls into", "counted_exit": "no probe can follow",
               "into_the_middle": "middle", "data_inside": "no instructions",
               "starts_with_trap": "nothing leads to", "starts_with_lock": "any of its first",
               "string_inside": "nothing leads to", "table_behind": "nothing leads to",
               "refused_exit": "ways out", "pointer_table_jump": "table", "no_end": "loop"}
    for name, why in refused.items():
        f = by_name[name]
        check(f"{name} is refused", not f["probeable"] and why in f["reason"] and
              f["reason"].endswith("."), f["reason"])
    entries = {"loop_behind_endbr": 0, "loop_behind_first": 0, "wide_nop_first": 2,
               "long_nop_first": 4, "stack_moves_first": 0, "loads_first": 0, "past_lock": 4,
               "two_entries": 0, "calls_itself": 0, "takes_its_address": 0,
               "without_size": 0, "only_jumps_cet": 0, "untracked_jump": 0, "ends_in_trap": 4}
    for name, entry in entries.items():
        f = by_name[name]
        check(f"entry of {name}", f["probeable"] and f["entry_offset"] - f["file_offset"] == entry,
              f"+{f['entry_offset'] - f['file_offset']} {f['reason']}")
    check("without a size, up to the next function",
          by_name["without_size"]["address"] + by_name["without_size"]["size"] ==
          by_name["behind_without_size"]["address"], by_name["without_size"]["size"])
    (jump,) = by_name["tracked_jump"]["sites"]
    check("a register's jump is decided at run time", jump["kind"] == JUMP_REG and
          jump["reg"] == 0, jump)
    out = [s for s in by_name["conditional_exit"]["sites"] if s["kind"] == JUMP_COND]
    check("a conditional tail call has its condition", [s["condition"] for s in out] == [4], out)


def check_execution():
    """Every call passes the entry once and one end, seen by single steps."""
    limit = "400000"
    for name in ("shapes", "shapes-cet", "shapes-nopie", "shapes-clang", "shapes-split"):
        program = f"{PROGRAMS}/{name}"
        seen = json.loads(run(BUILD + "/step", program, limit, program).stdout)
        check(f"calls of {name}, step by step", seen["by_probes"] == seen["by_truth"] > 1000 and
              seen["lost_ends"] == 0 and seen["lost_entries"] == 12, seen)
    throwing = PROGRAMS + "/throwing"
    seen = json.loads(run(BUILD + "/step", throwing, limit, throwing).stdout)
    # 10 exceptions leave check and price each.
    check("calls of throwing, step by step", seen["by_probes"] == seen["by_truth"] and
          seen["lost_ends"] == 0 and seen["lost_entries"] == 20, seen)
    rusty = PROGRAMS + "/rusty"
    if os.path.exists(rusty):
        quiet = dict(os.environ, RUST_BACKTRACE="0")
        seen = json.loads(run(BUILD + "/step", rusty, limit, rusty, env=quiet).stdout)
        check("calls of rusty, step by step", seen["by_probes"] == seen["by_truth"] > 50 and
              seen["lost_ends"] == 0 and 0 < seen["lost_entries"] < 12, seen)
    python = os.path.realpath("/usr/bin/python3")
    if os.path.exists(python):
        seen = json.loads(run(BUILD + "/step", python, "250000" if LONG else "120000", python, "-S", "-c", "0").stdout)
        check("calls of python, step by step", seen["by_probes"] == seen["by_truth"] > 100 and
              seen["lost_ends"] == seen["lost_entries"] == 0, seen)
    libc = os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6")
    seen = json.loads(run(BUILD + "/step", libc, limit, WORKLOADS + "/kview-calls", "--calls", "3",
                          "--rate", "0").stdout)
    # mempcpy jumps behind the entry of memcpy, which counts as a call of it.
    check("calls of the C library, step by step", seen["by_truth"] > 100 and
          0 <= seen["by_probes"] - seen["by_truth"] < 20 and seen["lost_ends"] == 0 and
          seen["lost_entries"] == 0, seen)


def check_kernel():
    for binary, limit in ((PROGRAMS + "/shapes-split", 12), (PROGRAMS + "/throwing", 12),
                          (os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6"), 16)):
        done = run(BUILD + "/attach", binary, str(limit))
        name = f"the kernel takes probes in {os.path.basename(binary)}"
        if done.returncode == 3:
            print("#", name, "skipped: no right to probes here")
        else:
            check(name, done.returncode == 0, done.stdout.decode())


def check_goes_on():
    """Tail calls are followed to where each call ends, or named where that is not known."""
    _, functions = find(PROGRAMS + "/tails", "t_*")
    by_name = {f["symbol"]: f for f in functions}
    expected = {"t_direct": [("leaf", True)], "t_twice": [("t_direct", True), ("leaf", True)],
                "t_pointer": [], "t_to_pointer": [("t_pointer", False)],
                "t_into_the_middle": [], "t_even": [("t_odd", True), ("t_even", True)],
                "t_library": [("qsort", False)]}
    for name, followed in expected.items():
        f = by_name[name]
        found = [(g["name"], g["followed"]) for g in f["goes_on"]]
        check(f"{name} goes on", f["probeable"] and found == followed, (found, f["reason"]))
        wrong = [s for s in f["sites"] if s["kind"] != RET and s["kind"] != JUMP_REG and
                 not 0 <= s["goes_on"] < len(found)]
        check(f"each jump of {name} leads there", name == "t_into_the_middle" or
              len(wrong) == (name == "t_pointer"), f["sites"])
    with subprocess.Popen([PROGRAMS + "/tails"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        _, (f,) = find("", "t_library", pid=process.pid)
        names = [(g["name"], os.path.basename(g["binary"]), g["followed"]) for g in f["goes_on"]]
        check("in a process also into libraries", names and names[0] == ("qsort", "libc.so.6", True)
              and all(followed for *_, followed in names), names)
        _, (f,) = find("", "t_chosen", pid=process.pid)
        names = [(g["name"], os.path.basename(g["binary"])) for g in f["goes_on"]]
        check("to what this process uses", len(names) == 1 and names[0][1] == "libc.so.6" and
              names[0][0] != "memmove", names)
        process.stdin.close()


WHERE_ITS_LOOP_IS = """
import os, sys, sysconfig
print(sys.executable)
print(os.path.join(*(sysconfig.get_config_var(name) or "" for name in ("LIBDIR", "INSTSONAME"))))
"""


def interpreters():
    """
    The files that may have the loop of each python3 here, the program and its library.  Debian 12 has one version; others are looked for where the shell would, and
    those that KVIEW_PYTHONS names beside them (paths, with colons between): each version's loop has a shape of its own.
    """
    commands = ["python3.%d" % minor for minor in range(11, 15)] + [p for p in os.environ.get("KVIEW_PYTHONS", "").split(":") if p]
    found = set()
    for command in commands:
        path = shutil.which(command)
        told = path and run(path, "-c", WHERE_ITS_LOOP_IS)
        if told and not told.returncode:
            found |= {os.path.realpath(path) for path in told.stdout.decode().splitlines()}
        else:
            print(f"# jump tables of {command}'s loop: skipped, as it can't be run here")
    return sorted(path for path in found if os.path.isfile(path))


def check_register_jumps():
    """Interpreters jump by tables at each instruction: none of those jumps ends a call."""
    for binary in (*interpreters(), "/usr/bin/redis-server", "/usr/sbin/nginx",
                   "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/postgresql/15/bin/postgres"):
        if not os.path.exists(binary):
            continue
        _, functions = find(binary, "*", limit=10**6, sanitized=False)
        sites = [sum(s["kind"] == JUMP_REG for s in f["sites"]) for f in functions]
        print(f"# register jumps that may end a call in {os.path.basename(binary)}: {sum(sites)} in "
              f"{sum(map(bool, sites))} of {len(functions)} functions, most in one {max(sites)}")
        loops = [n for n, f in zip(sites, functions) if f["symbol"] == "_PyEval_EvalFrameDefault"]
        if loops:
            check(f"jump tables of {os.path.basename(binary)}'s loop are internal", loops == [0], loops)


def main():
    python = os.path.realpath("/usr/bin/python3")
    check_register_jumps()
    check_goes_on()
    check_shapes()
    check_assembly()
    for binary, minimum in ((WORKLOADS + "/kview-demo", 0.97), (PROGRAMS + "/shapes-static", 0.85),
                            ("/lib/x86_64-linux-gnu/libc.so.6", 0.9),
                            ("/lib/x86_64-linux-gnu/libstdc++.so.6", 0.98), (python, 0.9)):
        if os.path.exists(binary):
            check_against_objdump(binary, minimum)
    check_execution()
    check_kernel()
