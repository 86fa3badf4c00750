# SPDX-License-Identifier: GPL-2.0
"""A process that maps the file of its code as data reads the file there, and no probes."""
import subprocess

from agent import AgentError
from checks import *


def mapped_as_data():
    for how in ("none", "shared", "writable", "private"):
        with subprocess.Popen([os.path.join(BUILD, "traced", "reads"), how], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as reads, Agent() as agent:
            def says(line=b""):
                reads.stdin.write(line)
                reads.stdin.flush()
                return reads.stdout.readline()
            name, expected = "its file is mapped as data, %s" % how, says()
            functions, refused_for = agent.find(reads.pid, "", "f_work"), ""
            try:
                agent.record(reads.pid, functions)
            except AgentError as error:
                refused_for = "%s: %s" % (error.code, error)
            say("NOT_PROBEABLE" in refused_for and "as data" in refused_for if how == "private" else not refused_for,
                name + ": refused where probes would be read", refused_for)
            equal(name + ": it reads what is there", says(b"\n"), expected)
            if not refused_for:
                agent.stop()
                equal(name + ": its calls are counted", agent.figures(functions)["f_work"].calls, 100)
            reads.stdin.close()
            reads.wait(60)


run_tests(mapped_as_data)
