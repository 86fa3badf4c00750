# SPDX-License-Identifier: GPL-2.0
"""Symbols that are kept apart from their file, and versions of symbols."""
import lzma
import os
import struct
import tempfile
import zlib

from common import BUILD, NO_SUCH_FUNCTION, PROGRAMS, check, find, run

LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
WHOLE = PROGRAMS + "/shapes-split.whole"


def finds_it(path):
    return b'"symbol":"chosen"' in run(BUILD + "/find-asan", "0", path, "chosen").stdout


def stripped(folder, name):
    """A program with exported functions alone, its debug file, and no build id to find it by."""
    path, debug = f"{folder}/{name}", f"{folder}/{name}.dbg"
    run("objcopy", "--remove-section=.note.gnu.build-id", WHOLE, path + ".whole")
    run("objcopy", "--only-keep-debug", path + ".whole", debug)
    run("strip", "-o", path, path + ".whole")
    return path, debug


def add_section(path, section, content):
    with open(path + "." + section, "wb") as file:
        file.write(content)
    run("objcopy", f"--add-section=.{section}={path}.{section}", path)


def linked(folder, name, link=None, crc=0):
    """The same, with a .gnu_debuglink: a name, padding, and the CRC of what it names."""
    path, debug = stripped(folder, name)
    with open(debug, "rb") as file:
        right = zlib.crc32(file.read())
    link = (link or os.path.basename(debug)).encode() + b"\0"
    link += b"\0" * (-len(link) % 4)
    add_section(path, "gnu_debuglink", link + struct.pack("<I", right ^ crc))
    return path, debug


def check_link(folder):
    path, debug = linked(folder, "beside")
    check("a debug link beside the file", finds_it(path))
    os.mkdir(folder + "/.debug")
    os.rename(debug, f"{folder}/.debug/beside.dbg")
    check("a debug link to .debug", finds_it(path))
    with open(f"{folder}/.debug/beside.dbg", "ab") as file:
        file.write(b"\0")
    check("not one of another CRC", not finds_it(path))
    path, debug = linked(folder, "other", crc=1)
    check("not one whose CRC the link has not", not finds_it(path))
    path, debug = linked(folder, "far")
    # Its own mount namespace, so that the machine's debug files stay as they are.
    where = "/usr/lib/debug" + os.path.realpath(folder)
    done = run("unshare", "-m", "sh", "-c", f"mount -t tmpfs none /usr/lib/debug && mkdir -p {where} "
               f"&& mv {debug} {where} && {BUILD}/find-asan 0 {path} chosen")
    check("a debug link below /usr/lib/debug", b'"symbol":"chosen"' in done.stdout, done.stderr)
    os.mkdir(folder + "/within")
    path, debug = linked(folder, "within/away", link="../away.dbg")
    os.rename(debug, folder + "/away.dbg")
    check("a debug link leads to no other folder", not finds_it(path))
    path, debug = linked(folder, "fifo")
    os.unlink(debug)
    os.mkfifo(debug)
    check("a debug link to a pipe", not finds_it(path))
    for number, link in enumerate(("..", ".", "x" * 3000)):
        path, debug = linked(folder, f"odd{number}", link=link)
        check(f"a debug link named {link[:4]}", not finds_it(path))
    path, debug = stripped(folder, "short")
    add_section(path, "gnu_debuglink", b"short.dbg\0\0")
    check("a debug link without a CRC", not finds_it(path))
    # Both with ids: one of another build is not this one's, whatever its CRC.
    path = folder + "/id"
    run("cp", PROGRAMS + "/shapes-split", path)
    with open(PROGRAMS + "/shapes-split.debug", "rb") as file:
        content = bytearray(file.read())
    build_id = bytes.fromhex(find(path, "main")[0]["build_id"])
    at = content.find(build_id)
    content[at] ^= 1
    with open(folder + "/id.dbg", "wb") as file:
        file.write(content)
    add_section(path, "gnu_debuglink", b"id.dbg\0\0" + struct.pack("<I", zlib.crc32(content)))
    check("a debug link to another build", at > 0 and not finds_it(path))


def packed(folder, name, content):
    path, _ = stripped(folder, name)
    add_section(path, "gnu_debugdata", content)
    return path


def check_data(folder):
    run("objcopy", "-S", "--keep-symbol=chosen", WHOLE, folder + "/mini")
    with open(folder + "/mini", "rb") as file:
        mini = file.read()
    whole = lzma.compress(mini)
    path = packed(folder, "packed", whole)
    check("symbols packed within the file", finds_it(path))
    header, functions = find(path, "*")
    check("and its exported ones", len(functions) > 5, header)
    for name, content in (("cut", whole[:len(whole) // 2]), ("nothing", b""),
                          ("text", b"no xz at all"), ("alone", lzma.compress(mini, lzma.FORMAT_ALONE)),
                          ("other", lzma.compress(b"not an ELF file")),
                          ("damaged", whole[:200] + bytes([whole[200] ^ 255]) + whole[201:])):
        path = packed(folder, name, content)
        header, _ = find(path, "chosen")
        check(f"packed symbols: {name}", header.get("error") == NO_SUCH_FUNCTION, header)
    # 20 KiB that stand for 160 MiB: more than is unpacked; 64 MiB are, and are no ELF file.
    for mib in (64, 160):
        path = packed(folder, f"bomb{mib}", lzma.compress(mini + bytes(mib << 20), preset=0))
        done = run("sh", "-c", f"ulimit -v 1000000; exec {BUILD}/find 0 {path} chosen")
        found = b'"symbol":"chosen"' in done.stdout
        check(f"packed symbols of {mib} MiB", found == (mib < 128), done.stdout[:100])


def check_libc():
    """The machine's own: in its debug file where that is installed, exported ones else."""
    for pattern, symbol, others in (
            ("pthread_cond_wait", "pthread_cond_wait", 1),
            ("pthread_cond_wait@GLIBC_2.3.2", "pthread_cond_wait", 0),
            ("pthread_cond_wait@@GLIBC_2.3.2", "pthread_cond_wait", 0),
            ("pthread_cond_wait@GLIBC_2.2.5", "pthread_cond_wait@GLIBC_2.2.5", 0),
            ("pthread_cond_wait@*", "pthread_cond_wait", 1)):
        for apart in (True, False):
            command = f"{BUILD}/find-asan 0 {LIBC} '{pattern}'"
            if not apart:
                command = "mount -t tmpfs none /usr/lib/debug && " + command
            done = run("unshare", "-m", "sh", "-c", command).stdout.decode()
            check(f"{pattern} {'with' if apart else 'without'} a debug file",
                  f'"symbol":"{symbol}"' in done and done.count('"symbol":') == 1 + others and
                  (not others or '"symbol":"pthread_cond_wait@GLIBC_2.2.5"' in done), done[-200:])
    header, _ = find(LIBC, "pthread_cond_wait@@GLIBC_2.2.5")
    check("an old version is not the one in use", header.get("error") == NO_SUCH_FUNCTION, header)
    _, functions = find("/lib/x86_64-linux-gnu/libstdc++.so.6", "*@GLIBCXX_3.4", limit=5000,
                        sanitized=False)
    names = [f["name"] for f in functions if f["symbol"].endswith("@GLIBCXX_3.4")]
    check("old versions of C++ are demangled", names and not [n for n in names if n.startswith("_Z")],
          names[:3])


def check_inlined():
    for kind in ("4", "5", "clang-4", "clang-5", "packed", "apart"):
        path = f"{PROGRAMS}/inlining-{kind}"
        header, _ = find(path, "inlined_one")
        check(f"inlined functions are named as such: {kind}", header.get("error") == NO_SUCH_FUNCTION and
              "was inlined" in header["message"] and "3 places" in header["message"] and
              sorted(header["suggestions"]) == ["caller_a", "caller_b"], header)
        for pattern in ("shop::Basket::price", "shop::twice<int>", "_ZNK4shop6Basket5priceEi"):
            header, _ = find(path, pattern)
            check(f"and of C++, {pattern}: {kind}", "was inlined" in header.get("message", "") and
                  header["suggestions"] == ["shop::total(shop::Basket const&, int)"], header)
        header, _ = find(path, "inlined_two")
        check(f"others are not: {kind}", "inlined:" not in header["message"] and
              "was inlined" not in header["message"], header)
        header, functions = find(path, "caller_a")
        check(f"nor is what is a function: {kind}", [(f["name"], f["inlined_places"]) for f in functions] ==
              [("caller_a", 0)], header)
        header, functions = find(path, "inlined_at_times")
        check(f"what is both has its places: {kind}", [f["inlined_places"] for f in functions] == [2], functions)


def main():
    check_inlined()
    with tempfile.TemporaryDirectory() as folder:
        check_link(folder)
    with tempfile.TemporaryDirectory() as folder:
        check_data(folder)
    check_libc()
