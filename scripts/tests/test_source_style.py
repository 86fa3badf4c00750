# SPDX-License-Identifier: GPL-2.0
"""What sources look like, where no compiler looks: Spotless checks the Java ones besides."""
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_LINES = 400

# The protocol is one file on purpose: both sides' code is generated from it.
LONG = {"kernel/protocol/agent.proto"}


def sources(*suffixes):
    """Path within the repository, and text, of what is kept there."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True, text=True).stdout
    for name in listed.split("\0"):
        path = ROOT / name
        if name.endswith(suffixes) and path.is_file():
            yield name, path.read_text(encoding="utf-8")


# eBPF programs consist of headers, whose order matters; so do tests that put parts of them together.
PUT_TOGETHER = (".bpf.c", ".bpf.h", "kernel-types.h")

# These may also stand before the others.
FIRST = {"kview.h", "check.h"}
# The kernel's own order: general headers, then a processor's. trace.h defines what it names where it is included last.
LAST = ("trace/", "asm/", "trace.h")


def place(included):
    header = included[1:-1]
    kind = next((at for at, start in enumerate(LAST, 1) if header.startswith(start)), 0)
    return included[0] != "<", kind, header


def meant(name, header, names):
    """The file of the same part of kernel/ that this name in an #include leads to; None where it is built."""
    beside = os.path.normpath(os.path.join(os.path.dirname(name), header))
    part = "/".join(name.split("/", 2)[:2]) + "/"
    return beside if beside in names else next((n for n in names if n.startswith(part) and n.endswith("/" + header)), None)


# How the kernel's sources are laid out, of C without its comments and texts. What a tool would do more than that is to undo
# tables that are aligned by hand.
LAYOUT = {
    "a blank before the parenthesis": r"\b(?:if|for|while|switch)\(",
    "a blank before the brace": r"\b(?:if|for|while|switch) \([^\[\n]*\)\{(?: /\*\.*\*/)?$|\b(?:else|do)\{",
    "the brace of a function on a line of its own": r"^\w[^;={\n]*\) ?\{$",
    "else behind the brace": r"^\s*\}\s*\n\s*else\b",
    "the star at the name": r"\b(?:char|void|int|u8|u16|u32|u64|__u32|__u64|u?int\d+_t|size_t|struct \w+)\*+ ?\w",
    "comments in /* */": r"(?<!:)//",
    "no blank before a tab": r" \t",
    "a blank behind a comma": r",(?=[^\s\\)])",
    "blanks around what compares and assigns": r"[\w\])](?:==|!=|<=|>=|&&|\|\||\+=|-=|=)[\w(]",
    "no blanks within parentheses": r"\( \w|\w \)",
    "no more than one empty line": r"\n\n\n",
}


def layout_wrong(text):
    """The lines of C that are laid out in another way, by what they miss."""
    head, _, rest = text.partition("\n")

    def emptied(found):
        kept = 2 if found[0].startswith("/*") else 1
        return found[0][:kept] + re.sub(r"[^\n]", ".", found[0][kept:-kept]) + found[0][-kept:]
    # The first line may name the licence as the kernel's do.
    code = "\n" + re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', emptied,
                         rest if head.startswith("// SPDX") else text, flags=re.S)
    return [(code.count("\n", 0, found.start()) + head.startswith("// SPDX"), missing)
            for missing, wrong in LAYOUT.items() for found in re.finditer(wrong, code, re.M)]


class SourceStyleTest(unittest.TestCase):
    def assert_none(self, wrong):
        self.assertEqual([], wrong, "\n" + "\n".join(wrong))

    def test_no_file_is_long(self):
        seen = 0
        wrong = []
        for name, text in sources(".java", ".c", ".h", ".S", ".py", ".sh", ".proto", ".tsdl"):
            seen += 1
            if text.count("\n") > MOST_LINES and name not in LONG:
                wrong.append(f"{name}: {text.count(chr(10))} lines")
        self.assertGreater(seen, 500)
        self.assert_none(wrong)

    def test_licence(self):
        wrong = []
        for name, text in sources(".c", ".h", ".S", ".py", ".sh", ".proto"):
            first = text.split("\n", 2)
            if not any("SPDX-License-Identifier: " in line for line in first[:2]):
                wrong.append(name)
        self.assert_none(wrong)

    def test_c_is_indented_by_tabs_and_has_no_blanks_at_the_ends_of_lines(self):
        wrong = []
        for name, text in sources(".c", ".h"):
            if name.startswith("kernel/"):
                wrong += [f"{name}:{number}: {line}" for number, line in enumerate(text.split("\n"), 1)
                          if line.startswith(" " * 8) or line != line.rstrip()]
                if not text.endswith("\n"):
                    wrong.append(f"{name}: no newline at the end")
        self.assert_none(wrong)

    def test_c_is_laid_out_as_the_kernels_is(self):
        wrong = [f"{name}:{line}: {missing}" for name, text in sources(".c", ".h") if name.startswith("kernel/")
                 for line, missing in layout_wrong(text)]
        self.assert_none(wrong)

    def test_what_is_laid_out_in_another_way_is_seen(self):
        right = "// SPDX\nint f(char *a, int b)\n{\n\tif (a == b) { /* if( */\n\t} else {\n\t\tg(\",,\", ',');\n\t}\n}\n"
        self.assertEqual([], layout_wrong(right))
        for was, becomes in (("if (", "if("), (") {", "){"), ("b)\n{", "b) {"), ("} else", "}\n\telse"), ("char *a", "char* a"),
                             ("/* if( */", "// if"), ("\t\tg", "\t \tg"), (", int", ",int"), ("a == b", "a==b"), ("(a ==", "( a =="),
                             ("\n{", "\n\n\n{")):
            with self.subTest(becomes):
                self.assertNotEqual([], layout_wrong(right.replace(was, becomes, 1)))

    def test_includes_of_c_are_in_order(self):
        """In each block the system's, then ours, by the alphabet."""
        wrong = []
        for name, text in sources(".c", ".h"):
            if name.startswith("kernel/") and not name.endswith(PUT_TOGETHER) and not re.search(r'\.bpf\.[ch]"', text):
                for block in re.findall(r"(?:^#include .*\n)+", text, re.M):
                    named = re.findall(r"^#include ([<\"].*[>\"])", block, re.M)
                    named = [header for header in named if header[1:-1] not in FIRST]
                    if named != sorted(named, key=place):
                        wrong.append(f"{name}: {', '.join(named)}")
        self.assert_none(wrong)

    def test_headers_of_c_are_in_no_ring(self):
        texts = {name: text for name, text in sources(".c", ".h") if name.startswith("kernel/")}
        included = {name: [found for header in re.findall(r'^#\s*include "(.*)"', text, re.M)
                           for found in [meant(name, header, texts)] if found] for name, text in texts.items()}
        self.assertGreater(sum(map(len, included.values())), 1000)
        rings = []
        done = set()

        def walk(name, way):
            if name in way:
                rings.append(" > ".join(way[way.index(name):] + [name]))
            elif name not in done:
                for other in included[name]:
                    walk(other, way + [name])
                done.add(name)
        for name in included:
            walk(name, [])
        self.assert_none(rings)


if __name__ == "__main__":
    unittest.main()
