# SPDX-License-Identifier: GPL-2.0
"""Finding functions: by every form of their names, in every kind of file, and not at all."""
import json
import multiprocessing
import os
import struct
import subprocess
import tempfile

from common import (BUILD, NO_SUCH_BINARY, NO_SUCH_FUNCTION, NO_SUCH_PROCESS, BAD_REQUEST, PROGRAMS,
                    STRIPPED, UNSUPPORTED, WORKLOADS, check, find, run)

PAGE = 4096
DAMAGED_COPIES = os.environ.get("KVIEW_DAMAGED_COPIES", "600")
UNKNOWN, C, CPP, RUST, GO = range(5)


def symbols(functions):
    return sorted(f["symbol"] for f in functions)


def check_demangling(binary):
    """Against nm -C, and that no function symbol is missing."""
    name = os.path.basename(binary)
    _, functions = find(binary, "*", limit=10**6, sanitized=False)
    plain = "\n".join(f["symbol"] for f in functions)
    truth = run("c++filt", "-i", input=plain.encode()).stdout.decode().splitlines()
    differ = [(f["name"], t) for f, t in zip(functions, truth) if f["name"] != t]
    check(f"names of {name} are c++filt's", not differ, f"{len(functions)} names, {differ[:2]}")
    text = run("readelf", "-sW", "--dyn-syms", binary).stdout.decode("utf-8", "replace")
    addresses = {int(line.split()[1], 16) for line in text.splitlines()
                 if len(line.split()) >= 8 and line.split()[3] in ("FUNC", "IFUNC") and
                 line.split()[6] not in ("UND", "ABS") and ".cold" not in line}
    found = {f["address"] for f in functions}
    # Its separate debug file, where installed, brings more.
    check(f"no function of {name} is missed", addresses - {0} <= found,
          f"{len(found)} found, {len(addresses)} by readelf")


def check_patterns():
    throwing = PROGRAMS + "/throwing"
    price = "_ZNK4shop6BasketIiE5priceEi.isra.0"
    visit = "_ZN4shop5visitERKNS_6BasketIiEEi"
    for pattern, expected in (
            ("shop::visit", [visit]), ("shop::visit(shop::Basket<int> const&, int)", [visit]),
            (visit, [visit]), ("shop::Basket<int>::price", [price]),
            ("shop::Basket<int>::price(int) const", [price]), ("shop::Basket<*>::price", [price]),
            ("*::Basket<int>::operator[]*", ["_ZNK4shop6BasketIiEixEi"]), ("plain_c", ["plain_c"]),
            ("shop::Basket<int>::operator[]", ["_ZNK4shop6BasketIiEixEi"]),
            ("*4shop5c*", ["_ZN4shop5checkEi"]), ("shop::[cv]*(*int)",
                                                  ["_ZN4shop5checkEi", visit])):
        header, functions = find(throwing, pattern)
        check(f"C++ by {pattern}", symbols(functions) == sorted(expected),
              symbols(functions) or header.get("message"))
    _, functions = find(throwing, "*")
    languages = {f["symbol"]: f["language"] for f in functions}
    check("C++ is C++, and C beside it is not said to be C", languages[visit] == CPP and
          languages["plain_c"] == UNKNOWN, languages["plain_c"])
    header, functions = find(throwing, "*", limit=2)
    check("a limit keeps the count", len(functions) == 2 and header["total"] > 10, header["total"])
    if os.path.exists(PROGRAMS + "/rusty"):
        for pattern in ("rusty::shop::check", "*shop::total*", "<rusty::shop::Basket<u64> as *>::price"):
            header, functions = find(PROGRAMS + "/rusty", pattern, sanitized=False)
            check(f"Rust by {pattern}", len(functions) == 1 and functions[0]["language"] == RUST,
                  [f["name"] for f in functions] or header)
    header, _ = find(WORKLOADS + "/kview-demo", "rendr_pgae")
    check("a mistyped name", header["error"] == NO_SUCH_FUNCTION and
          header["suggestions"][0] == "render_page", header)
    header, _ = find(throwing, "shop::vist")
    check("a mistyped C++ name", header["suggestions"] == ["shop::visit"], header["suggestions"])
    header, _ = find(throwing, "vissit")
    check("without its namespace", header["suggestions"] == ["shop::visit"], header["suggestions"])
    header, _ = find(WORKLOADS + "/kview-demo", "basket*")
    check("a glob that begins too late", header["error"] == NO_SUCH_FUNCTION and
          header["message"].endswith("match '*basket*'."), header["message"])
    header, _ = find(WORKLOADS + "/kview-demo", "*zzzz*")
    check("a glob of nothing", header["message"].endswith("matches *zzzz*; look for another part of its name."),
          header["message"])


def check_hostile_names(folder):
    names = [b"new\nline\x07\x01\x02_12345", b"\x1b[31mr\x1b[0m_12345", b"quo'te$(id);rm -r",
             b"not\xff\xfe_utf8_12345", "größe_ß_12345".encode(), b"star*[a]?_1234567"]
    with open(PROGRAMS + "/hostile", "rb") as file:
        content = file.read()
    for letter, name in zip(b"abcdef", names):
        content = content.replace(b"NAME_0123456789_%c" % letter, name.ljust(17, b"_")[:17])
    path = folder + "/hostile"
    with open(path, "wb") as file:
        file.write(content)
    _, functions = find(path, "*")
    shown = [f["name"] for f in functions if "_1234" in f["name"] or "quo" in f["name"]]
    bad = [n for n in shown if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in n)]
    check("hostile names are escaped", len(shown) == 6 and not bad, shown)
    for name in shown:
        _, functions = find(path, name)
        check(f"found again by {name}", [f["name"] for f in functions] == [name])


def check_bad_files(folder):
    demo = WORKLOADS + "/kview-demo"
    with open(demo, "rb") as file:
        content = file.read()
    os.mkfifo(folder + "/fifo")
    os.mkdir(folder + "/folder")
    bad = {"empty": (b"", NO_SUCH_BINARY), "text": (b"#!/bin/sh\n" * 9, NO_SUCH_BINARY),
           "short": (content[:40], NO_SUCH_BINARY),
           "arm": (content[:18] + b"\xb7\0" + content[20:], UNSUPPORTED),
           "elf32": (content[:4] + b"\1" + content[5:], UNSUPPORTED),
           "half": (content[:len(content) // 2], STRIPPED)}
    for name, (data, code) in bad.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(data)
        header, _ = find(f"{folder}/{name}", "*")
        check(f"file: {name}", header.get("error") == code and header["message"].endswith("."),
              header.get("message", header))
    for name in ("fifo", "folder", "missing"):
        header, _ = find(f"{folder}/{name}", "*")
        check(f"file: {name}", header.get("error") == NO_SUCH_BINARY, header.get("message"))
    header, _ = find("/dev/null", "*")
    check("file: a device", header.get("error") == NO_SUCH_BINARY, header.get("message"))
    header, _ = find(PROGRAMS + "/shapes-stripped", "main")
    check("file: stripped", header.get("error") == STRIPPED and "debug symbols" in
          header["message"], header.get("message"))
    header, _ = find(demo, "")
    check("no pattern", header.get("error") == BAD_REQUEST, header.get("message"))
    header, _ = find("", "main", pid=2**22 - 3)
    check("no process", header.get("error") == NO_SUCH_PROCESS, header.get("message"))
    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        for binary in ("", "true", "libc", "libc.so.6", "/bin/true"):
            header, _ = find(binary, "main", pid=ended.pid)
            check(f"a process that has ended: '{binary}'", header.get("error") == NO_SUCH_PROCESS and
                  "has ended" in header["message"], header.get("message"))


def make_large(path, count):
    """
    A library with so many C++ functions of two instructions each, all of them exported and in its table
    of symbols as well.  Written as it is: a linker takes a minute for a million.
    """
    code = b"\x31\xc0\xc3"  # xor %eax,%eax; ret
    names = b"\0" + b"".join(b"_ZN4shop4Item13price_%07dERKSsi\0" % i for i in range(count))
    length = (len(names) - 1) // count
    entry = struct.Struct("<IBBHQQ").pack
    symbols = entry(0, 0, 0, 0, 0, 0) + b"".join(
        entry(1 + i * length, 0x12, 0, 1, PAGE + i * len(code), len(code)) for i in range(count))
    section_names = b"\0.text\0.dynsym\0.dynstr\0.symtab\0.strtab\0.shstrtab\0"
    # name, type, flags, content, index of the names, index of the first global symbol, size of an entry
    sections = [(".text", 1, 6, code * count, 0, 0, 0), (".dynsym", 11, 2, symbols, 3, 1, 24),
                (".dynstr", 3, 2, names, 0, 0, 0), (".symtab", 2, 0, symbols, 5, 1, 24),
                (".strtab", 3, 0, names, 0, 0, 0), (".shstrtab", 3, 0, section_names, 0, 0, 0)]
    headers, at = [bytes(64)], PAGE
    for name, kind, flags, content, link, info, size in sections:
        headers.append(struct.pack("<IIQQQQIIQQ", section_names.index(name.encode() + b"\0"), kind, flags,
                                   at if flags else 0, at, len(content), link, info, 16, size))
        at += -(-len(content) // 16) * 16
    with open(path, "wb") as file:
        file.write(struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0, 64, at, 0, 64, 56, 1, 64,
                               len(headers), len(headers) - 1))
        file.write(struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, at, at, PAGE))  # all of it, to be executed
        file.seek(PAGE)
        for _, _, _, content, *_ in sections:
            file.write(content + bytes(-len(content) % 16))
        file.write(b"".join(headers))


def measured(path, pattern):
    """How many functions it finds, the CPU time that it takes in s, and memory in MiB."""
    with subprocess.Popen([BUILD + "/find", "0", path, pattern], stdout=subprocess.PIPE) as process:
        header = json.loads(process.stdout.readline())
        for _ in iter(lambda: process.stdout.read(1 << 20), b""):
            pass
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return header.get("total", header), usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10


def check_size(folder):
    """Memory decides; the time, which others' work stretches, is printed for people."""
    for count, limit_mib in ((100000, 100), (1000000, 800)):
        path = f"{folder}/large{count}"
        # In a process of its own: what a process had counts as its children's memory, too.
        maker = multiprocessing.Process(target=make_large, args=(path, count))
        maker.start()
        maker.join()
        for pattern, expected in (("shop::Item::price_0004711", 1), ("*price_000471*", 10), ("*", count),
                                  ("shop::Itm::price_0004711", None)):
            found, used_s, mib = measured(path, pattern)
            check(f"{pattern} among {count} functions", mib < limit_mib and
                  (found == expected if expected else found["suggestions"][0] == "shop::Item::price_0004711"),
                  f"{found if expected else found['suggestions']}, {used_s:.3f} s of CPU, {mib} MiB")


def check_go(folder):
    path = folder + "/go"
    run("objcopy", "--add-section", ".gopclntab=/dev/null", PROGRAMS + "/shapes", path)
    _, functions = find(path, "one_return")
    check("Go is refused", functions and not functions[0]["probeable"] and
          functions[0]["language"] == GO and "stacks move" in functions[0]["reason"], functions)


def check_debug_file(folder):
    """Its own mount namespace, so that the machine's debug files stay as they are."""
    split = PROGRAMS + "/shapes-split"
    header, _ = find(split, "chosen")
    check("without its debug file a local function is unknown",
          header.get("error") == NO_SUCH_FUNCTION and "exported" in header["message"], header)
    build_id = find(split, "main")[0]["build_id"]
    where = f"/usr/lib/debug/.build-id/{build_id[:2]}"
    script = f"mount -t tmpfs none /usr/lib/debug && mkdir -p {where} && " \
             f"cp {split}.debug {where}/{build_id[2:]}.debug && " \
             f"{BUILD}/find-asan 0 {split} chosen"
    done = run("unshare", "-m", "sh", "-c", script)
    check("with it, it is found", b'"symbol":"chosen"' in done.stdout,
          done.stdout.decode()[:80] or done.stderr)


def main():
    for binary in (PROGRAMS + "/throwing", PROGRAMS + "/rusty",
                   "/lib/x86_64-linux-gnu/libstdc++.so.6"):
        if os.path.exists(binary):
            check_demangling(os.path.realpath(binary))
    check_patterns()
    with tempfile.TemporaryDirectory() as folder:
        check_hostile_names(folder)
        check_bad_files(folder)
        check_debug_file(folder)
        check_go(folder)
        check_size(folder)
    for damage in ((), (".note.stapsdt",)):
        done = run(BUILD + "/fuzz", f"{PROGRAMS}/statics", DAMAGED_COPIES, *damage, timeout=None)
        check(f"{DAMAGED_COPIES} copies of static probes, damaged in {damage[0] if damage else 'any part'}",
              done.returncode == 0 and b" 0 static probes" not in done.stdout,
              f"{done.stdout.decode().strip()} {done.stderr.decode()[-300:]}")
    for name in ("shapes", "throwing", "shapes-packed", "inlining-4", "inlining-5"):
        done = run(BUILD + "/fuzz", f"{PROGRAMS}/{name}", DAMAGED_COPIES, timeout=None)
        check(f"{DAMAGED_COPIES} damaged copies of {name}", done.returncode == 0,
              f"{done.stdout.decode().strip()} {done.stderr.decode()[-300:]}")
