# SPDX-License-Identifier: GPL-2.0
"""
Writes programs of random call graphs that know what became of each of their calls.

usage: generate.py SEED [GRAPH]     the program, or only what runs one graph of it, on standard output
"""
import os
import random
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = next((c for c in ("clang", "clang-14", "clang-16", "clang-19") if shutil.which(c)), None)
# ./test --long sets it: else of each dialect two programs, one with all of its functions probed and one with half, as far as there are.
LONG = "KVIEW_AGENT_SAMPLES" in os.environ
SEEDS = range(1, 25) if LONG else (4, 6, 10, 11, 12, 13, 14, 16, 17, 19, 20, 21, 23)
LARGE, SMALL = 20, 22  # graphs of one program: what compiles them takes longest, and small ones take half of that
GRAPHS = LARGE + SMALL
MAX_CALLS, MAX_US = 120, 4000  # of one graph, at most, in one thread or coroutine

# What a program may do beside calling and returning.
DIALECTS = {
    "plain": set(),
    "signals": {"signals"},
    "jumps": {"jumps", "signals", "thread_exit"},
    "throws": {"throws"},
    "hand": {"coroutines"},
    "libc": {"coroutines"},
    "libc-jumps": {"coroutines", "jumps"},
}
DEFINES = {"jumps": ["JUMPS"], "hand": ["HAND_COROUTINES"], "libc": ["LIBC_COROUTINES"],
           "libc-jumps": ["LIBC_COROUTINES", "JUMPS"]}


class Function:
    def __init__(self, name, number):
        self.name, self.id = name, number
        self.calls, self.us = 1, 0  # of one call with all that it calls, at most
        self.deep = 0               # how deep it may recurse
        self.unsafe = set()         # of "jumps", "throws", "signals", "coroutines": what it does, or what it calls
        self.assembly = False
        self.lines = []


class Program:
    def __init__(self, seed, only=None):
        self.seed, self.only, self.random = seed, only, random.Random(seed)
        self.dialect = self.random.choice(sorted(DIALECTS))
        self.can = DIALECTS[self.dialect]
        self.cpp = "throws" in self.can
        self.compiler = self.random.choice(["gcc", "gcc", "gcc", "clang"])
        if not CLANG:
            self.compiler = "gcc"
        self.functions, self.text, self.drives = [], [], []
        for graph in range(GRAPHS):
            self.graph(graph)

    def status(self):
        """That it ends with."""
        return self.seed % 7

    def language(self):
        return "cpp" if self.cpp else "c"

    def compile(self, folder):
        """
        Returns the program's path; the source lies beside it.  One that was made of the same by the
        same command stays.
        """
        path = os.path.join(folder, "s%d%s" % (self.seed, "" if self.only is None else "g%d" % self.only))
        source = self.source()
        compiler = {"gcc": "g++" if self.cpp else "gcc", "clang": CLANG + ("++" if self.cpp else "")}[self.compiler]
        if self.compiler == "clang":
            compiler = re.sub(r"(-\d+)\+\+$", r"++\1", compiler)
        command = [compiler, "-g1", "-w", "-D_GNU_SOURCE", "-pthread", "-I" + HERE, *self.options(),
                   *([] if self.cpp else ["-std=gnu11"]), "-o", path + ".new", path + "." + self.language()]
        with open(os.path.join(HERE, "runtime.h")) as file:
            made_of = "\n".join([*command, file.read(), source])
        if os.path.exists(path) and os.path.exists(path + ".made"):
            with open(path + ".made") as file:
                if file.read() == made_of:
                    return path
        with open(path + "." + self.language(), "w") as file:
            file.write(source)
        subprocess.run(command, check=True)
        os.replace(path + ".new", path)
        with open(path + ".made", "w") as file:
            file.write(made_of)
        return path

    def options(self):
        r = random.Random(self.seed * 7 + 1)
        out = [r.choice(["-O2", "-O2", "-O2", "-O1", "-O3", "-Os"])]
        out += r.choice([[], ["-fno-omit-frame-pointer"], ["-fcf-protection=full"], ["-fno-plt", "-fstack-protector-strong"]])
        out += r.choice([["-fPIE", "-pie"], ["-fPIE", "-pie"], ["-fno-pie", "-no-pie"]])
        return out

    # One function

    def call(self, to, x):
        """An expression's statements that call a function, and note its end."""
        n = self.random.randint(0, to.deep) if to.deep else 0
        enter = "enter(%d); " % to.id if to.assembly else ""
        return "to = depth(); %sr += %s(%s, %d); returned_to(to);" % (enter, to.name, x, n)

    def argument(self):
        return "(x * %d + %d) & 0xffff" % (self.random.choice([1, 3, 5, 7]), self.random.randint(0, 99))

    def account(self, f, to, times=1):
        """Whether a function can still call another so often; then it does."""
        calls, us = to.calls * times, to.us * times
        if f.calls + calls > MAX_CALLS or f.us + us > MAX_US:
            return False
        f.calls, f.us = f.calls + calls, f.us + us
        f.unsafe |= to.unsafe
        return True

    def catching(self, statements):
        if self.cpp:
            return ["try {", *statements, "} catch (int thrown) {", "left_to(caught); r += thrown;", "}"]
        return ["{", "struct catcher here; here.outer = self.calls->catcher; self.calls->catcher = &here;",
                "if (!sigsetjmp(here.env, 1)) {", *statements, "} else {", "left_to(caught); r += 5;", "}",
                "self.calls->catcher = here.outer;", "}"]

    def statement(self, f, later):
        r, kinds = self.random, ["work", "work", "call", "call", "branch", "loop", "switch", "early", "pointer"]
        for feature, kind in (("signals", "signal"), ("jumps", "jump"), ("jumps", "catch"), ("throws", "jump"),
                              ("throws", "catch"), ("coroutines", "yield"), ("coroutines", "yield"),
                              ("thread_exit", "exit")):
            if feature in self.can:
                kinds.append(kind)
        kind = r.choice(kinds)
        one = r.choice(later) if later else None
        if kind == "work":
            us = r.choice([2, 20, 100, 150, 300])
            if f.us + us > MAX_US:
                return []
            f.us += us
            return ["work(%d);" % us]
        if kind == "early":
            return ["if (x %% 11 == %d)" % r.randint(0, 10), "return r;"]
        if kind == "yield":
            f.unsafe.add("coroutines")
            return ["yield();"]
        if kind == "jump":
            f.unsafe.add("throws" if self.cpp else "jumps")
            leave = "throw (int)(x & 15)" if self.cpp else "siglongjmp(self.calls->catcher->env, 1)"
            return ["if (x %% 13 == %d)" % r.randint(0, 12), leave + ";"]
        if kind == "exit":
            f.unsafe.add("thread_exit")
            return ["if (x %% 97 == %d)" % r.randint(0, 96), "pthread_exit(NULL);"]
        if not one:
            return []
        if kind == "signal":
            able = [g for g in later if not g.unsafe - {"jumps"} and not g.assembly]
            if not able or not self.account(f, g := r.choice(able)):
                return []
            f.unsafe.add("signals")
            return ["r += signal_to(%s, %s);" % (g.name, self.argument())]
        if kind == "catch" and self.account(f, one):
            return ["caught = depth();"] + self.catching([self.call(one, self.argument())])
        if kind == "call" and self.account(f, one):
            return [self.call(one, self.argument())]
        if kind == "pointer" and not one.assembly and self.account(f, one):
            return ["{ static function_t volatile pointer = %s; to = depth(); r += pointer(%s, 0); returned_to(to); }" %
                    (one.name, self.argument())]
        if kind == "loop":
            times = r.randint(2, 6)
            if self.account(f, one, times):
                return ["for (VOLATILE int i = 0; i < %d; i++) {" % times, self.call(one, "(x + i) & 0xffff"), "}"]
        if kind == "branch" and self.account(f, one):
            return ["if (x & %d) {" % r.choice([1, 2, 4, 8]), self.call(one, self.argument()), "}"]
        if kind == "switch":
            cases = []
            for number in range(7):
                one = r.choice(later)
                if not self.account(f, one):
                    return cases and ["switch (x % 9) {", *cases, "}"]
                cases += ["case %d:" % number, self.call(one, self.argument()), "r += %d; break;" % r.randint(1, 99)]
            return ["switch (x % 9) {", *cases, "}"]
        return []

    def end(self, f, later):
        """How it ends: by a return, or by going on in another function."""
        r = self.random
        kind = r.choice(["return", "return", "tail", "tail-if", "tail-pointer", "tail-libc", "tail-self"])
        plain = [g for g in later if not g.assembly]
        one = r.choice(plain) if plain else None
        deep = r.randint(0, one.deep) if one and one.deep else 0
        if kind == "tail-self" and not f.deep and f.calls <= 2:
            depth = r.choice([1, 5, 100])
            if f.us * (depth + 1) <= MAX_US:
                f.deep, f.us, f.calls = depth, f.us * (depth + 1), f.calls * (depth + 1)
                # Not told to the compiler, which would make a loop of it.
                return ["if (n > 0) { static function_t volatile again = %s; return again(x + r, n - 1); }" % f.name,
                        "return r;"]
        if kind == "tail-libc":
            return ["{ static const char *volatile text = \"%d\"; return strtol(text, NULL, 10); }" % r.randint(0, 9999)]
        if one and kind in ("tail", "tail-if", "tail-pointer") and self.account(f, one):
            if kind == "tail":
                return ["return %s((x + r) & 0xffff, %d);" % (one.name, deep)]
            if kind == "tail-if":
                return ["if (r & %d)" % r.choice([1, 2, 4]), "return %s((x + r) & 0xffff, %d);" % (one.name, deep),
                        "return r;"]
            return ["{ static function_t volatile target = %s; return target((x + r) & 0xffff, %d); }" % (one.name, deep)]
        return ["return r;"]

    def function(self, f, later, statements):
        r = self.random
        body = []
        for _ in range(r.randint(1, statements)):
            body += self.statement(f, later)
        if r.random() < 0.25:
            deep = r.choice([1, 3, 8, 70, 140]) if f.calls == 1 and f.us < 30 else r.choice([1, 3])
            if f.calls * (deep + 1) <= 2 * MAX_CALLS and f.us * (deep + 1) <= MAX_US:
                f.deep, f.calls, f.us = deep, f.calls * (deep + 1), f.us * (deep + 1)
                body += ["if (n > 0) { to = depth(); r += %s(x + 1, n - 1); returned_to(to); }" % f.name]
                body += ["return r;"]
            else:
                body += self.end(f, later)
        else:
            body += self.end(f, later)
        attribute = r.choice(["", "", "", "", "__attribute__((optimize(\"O0\"))) "]) if self.compiler == "gcc" else ""
        # With the attribute gcc forgets -fPIE, and an address needs a text relocation: the agent refuses such files.
        if any("function_t" in line or "signal_to" in line for line in body):
            attribute = ""
        has_catch = any("sigsetjmp" in line for line in body)
        f.lines = ["PROBED %slong %s(long x, long n)" % (attribute, f.name), "{",
                   "%slong r = x; int to = 0; %sint caught = 0;" % (("volatile ",) * 2 if has_catch else ("", "")),
                   "(void)to; (void)caught; (void)n;", "enter(%d);" % f.id] + body + ["}"]

    ASSEMBLY = {
        # Past a jump that would leave, over and over.
        "loop": "push %%rbx\n pop %%rbx\n mov $%(k)d,%%ecx\n 1: test %%rdi,%%rdi\n js generated_never\n"
                " dec %%ecx\n jnz 1b\n mov %%rdi,%%rax\n ret",
        # Two kinds of end.
        "mixed": "push %%rbx\n mov %%rdi,%%rbx\n pop %%rbx\n test $1,%%dil\n je 1f\n jmp generated_leaf\n"
                 " 1: mov %%rdi,%%rax\n ret",
        # A first instruction that is not emulated, an end through a register.
        "register": "mov %%rdi,%%rax\n lea generated_leaf(%%rip),%%rdx\n jmp *%%rdx",
        "conditional": "test $%(k)d,%%dil\n jne generated_leaf\n mov %%rdi,%%rax\n ret",
    }

    def assembly(self, f):
        kind = self.random.choice(sorted(self.ASSEMBLY))
        text = self.ASSEMBLY[kind] % {"k": self.random.choice([1, 3, 20])}
        f.assembly = True
        code = ".text\n.globl %s\n.type %s,@function\n%s:\n %s\n.size %s,.-%s\n" % (f.name, f.name, f.name, text, f.name, f.name)
        f.lines = ["LINKED long %s(long x, long n);" % f.name, "__asm__(%s);" %
                   " ".join('"%s\\n"' % line for line in code.splitlines())]

    # One graph

    def graph(self, number):
        r = self.random
        functions, statements = [], 5 if number < LARGE else 2
        for i in range(r.randint(3, 8) if number < LARGE else r.randint(2, 4)):
            functions.append(Function("g%d_f%d" % (number, i), len(self.functions) + i))
        for i in reversed(range(len(functions))):
            later = functions[i + 1:]
            if i > 1 and r.random() < 0.15:
                self.assembly(functions[i])
            else:
                self.function(functions[i], later, statements)
        self.functions += functions
        for f in functions:
            if not f.assembly:
                self.text.append("long %s(long x, long n);" % f.name)
        for f in reversed(functions):
            self.text += f.lines
        first = functions[0]
        rounds = max(1, min(20, MAX_CALLS // first.calls, MAX_US // max(1, first.us)))
        call = "to = depth(); r += %s(x * 17 + number, %d); returned_to(to);" % (first.name, first.deep)
        body = ["for (VOLATILE long x = 0; x < %d; x++) {" % rounds]
        if self.can & {"jumps", "throws"}:
            body += ["caught = depth();"] + self.catching([call])
        else:
            body += [call]
        body += ["}", "add(r);"]
        self.text += ["static void g%d_body(long number)" % number, "{",
                      "volatile long r = 0; int to = 0; volatile int caught = 0;", "(void)to; (void)caught;"] + body + ["}"]
        if "coroutines" in self.can:
            # Most end, of some the last calls never do.
            self.text += ["static void g%d_drive(long number)" % number, "{", "(void)number;",
                          "run_coroutines(g%d_body, %d, %d);" % (number, r.randint(2, 6), r.choice([3, 10, 1000])), "}"]
        else:
            self.text += ["static void g%d_drive(long number) { g%d_body(number); }" % (number, number)]
        self.drives.append("run_threads(g%d_drive, %d, %d);" %
                           (number, r.choice([1, 1, 2, 3]), "signals" in self.can and r.random() < 0.7))

    def source(self):
        lines = ["// SPDX-License-Identifier: GPL-2.0",
                 "/* Generated: seed %d, %s, %s %s */" % (self.seed, self.dialect, self.compiler, " ".join(self.options()))]
        lines += ["#define " + d for d in DEFINES.get(self.dialect, [])]
        lines += ["#include \"runtime.h\"",
                  "#ifdef __cplusplus", "#define LINKED extern \"C\"", "#else", "#define LINKED extern", "#endif",
                  "#ifdef JUMPS", "#define VOLATILE volatile", "#else", "#define VOLATILE", "#endif"]
        if self.cpp:
            lines += ["extern \"C\" {"]
        leaf, never = len(self.functions), len(self.functions) + 1
        lines += ["PROBED long generated_leaf(long x, long n) { (void)n; __asm__ volatile(\"\" ::: \"memory\"); return x + 1; }",
                  "PROBED long generated_never(long x, long n) { (void)n; return x - 1; }"]
        lines += self.text
        if self.cpp:
            lines += ["}"]
        lines += ["struct truth truths[] = {"] + ["{ \"%s\", 0, 0, 0, 0, 0, 0 }," % f.name for f in self.functions] + ["};"]
        lines += ["const int nr_truths = %d;" % len(self.functions), "int main(void)", "{", "prepare();"]
        lines += [d for i, d in enumerate(self.drives) if self.only in (None, i)] + ["return %d;" % self.status(), "}"]
        return "\n".join(lines) + "\n"


if __name__ == "__main__":
    program = Program(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
    sys.stdout.write(program.source())
