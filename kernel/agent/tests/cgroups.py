# SPDX-License-Identifier: GPL-2.0
"""A control group of a test's own, by whichever version there is; None where there is none."""
import os
import tempfile

V2 = [f for f in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified") if os.path.exists(f + "/cgroup.controllers")]


def has_controller(folder, name):
    with open(folder + "/cgroup.subtree_control") as file:
        return name in file.read().split()


class Group:
    def __init__(self, parents):
        self.folder = None
        for parent in parents:
            try:
                self.folder = tempfile.mkdtemp(prefix="kview-test-", dir=parent)
                break
            except OSError:
                continue

    def __enter__(self):
        try:
            self.prepare()
        except OSError:
            self.__exit__()
            return None
        return self if self.folder else None

    def __exit__(self, *_):
        if self.folder:
            os.rmdir(self.folder)
            self.folder = None

    def prepare(self):
        pass

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(str(value))

    def add(self, pid):
        self.write("cgroup.procs", pid)

    def leave(self, pid):
        """Back to the group above; the memory that the process has stays this one's."""
        with open(os.path.join(os.path.dirname(self.folder), "cgroup.procs"), "w") as file:
            file.write(str(pid))


class Frozen(Group):
    def __init__(self):
        super().__init__(V2 + ["/sys/fs/cgroup/freezer"])

    def freeze(self, on):
        if os.path.exists(os.path.join(self.folder, "cgroup.freeze")):
            self.write("cgroup.freeze", int(on))
        else:
            self.write("freezer.state", "FROZEN" if on else "THAWED")

    def is_frozen(self):
        is_v2 = os.path.exists(os.path.join(self.folder, "cgroup.freeze"))
        with open(os.path.join(self.folder, "cgroup.events" if is_v2 else "freezer.state")) as file:
            return "frozen 1" in file.read() if is_v2 else file.read().strip() == "FROZEN"


class Throttled(Group):
    """May use a share of one CPU."""

    def __init__(self, share):
        self.share = share
        super().__init__([f for f in V2 if has_controller(f, "cpu")] + ["/sys/fs/cgroup/cpu"])

    def throttled_ns(self):
        with open(os.path.join(self.folder, "cpu.stat")) as file:
            stat = dict(line.split() for line in file)
        return int(stat["throttled_time"]) if "throttled_time" in stat else 1000 * int(stat["throttled_usec"])

    def prepare(self):
        quota = int(100000 * self.share)
        if os.path.exists(os.path.join(self.folder, "cpu.max")):
            self.write("cpu.max", "%d 100000" % quota)
        elif self.folder:
            self.write("cpu.cfs_period_us", 100000)
            self.write("cpu.cfs_quota_us", quota)


class Processes(Group):
    """None of its processes makes another one, or a thread."""

    def __init__(self):
        super().__init__([f for f in V2 if has_controller(f, "pids")] + ["/sys/fs/cgroup/pids"])

    def prepare(self):
        if self.folder:
            self.write("pids.max", 0)


class Memory(Group):
    """What its processes had, the kernel's memory for them included, may grow no more from a moment on."""

    def __init__(self):
        super().__init__([f for f in V2 if has_controller(f, "memory")] + ["/sys/fs/cgroup/memory"])

    def close(self, room=0):
        """room: bytes that they may have beside what they have."""
        is_v2 = os.path.exists(os.path.join(self.folder, "memory.max"))
        with open(os.path.join(self.folder, "memory.current" if is_v2 else "memory.usage_in_bytes")) as file:
            used = int(file.read())
        self.write("memory.max" if is_v2 else "memory.limit_in_bytes", used + room)
