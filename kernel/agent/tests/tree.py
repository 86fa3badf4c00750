# SPDX-License-Identifier: GPL-2.0
"""The tree of calls that a survey found."""


class Tree:
    def __init__(self, reply):
        self.reply = reply
        self.threads = {t["tid"]: t["name"] for t in reply["threads"]}
        self.names = [f["symbol"] or f["name"] for f in reply["functions"]]

    def path(self, node):
        """Names of functions, the innermost first."""
        names = []
        while node:
            names.append(self.names[self.reply["node_functions"][node]])
            node = self.reply["parents"][node]
        return names

    def times(self, thread, metrics):
        """metrics: None for all."""
        return (t for t in self.reply["times"] if (thread is None or self.threads.get(t["tid"]) == thread) and
                (metrics is None or t["metric"] in metrics))

    def inclusive(self, function, thread=None, metrics=None):
        """The time with a function on the stack."""
        return sum(t["time_ns"] for t in self.times(thread, metrics) if function in self.path(t["node"]))

    def depth(self, function, thread=None):
        """How often it is on a stack, at most."""
        return max((self.path(t["node"]).count(function) for t in self.times(thread, None)), default=0)

    def show(self, most=30):
        functions = sorted(((self.inclusive(f), f) for f in set(self.names)), reverse=True)
        for ns, f in functions[:most]:
            print("#   %8.1f ms  %s" % (ns / 1e6, f))
