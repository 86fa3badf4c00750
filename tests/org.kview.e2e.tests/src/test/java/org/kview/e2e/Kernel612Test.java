// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Debian's kernel 6.12, at the end of a network that is slow and loses packets. */
class Kernel612Test extends GuestTest {
    private static final String READER = "while sleep 0.05; do echo x; done | bash -c 'echo $$ >&2; exec cat > /dev/null'";

    Kernel612Test() {
        super("6.12", Optional.of("delay 200ms loss 1%"));
    }

    /** Of both kernels the older one decides; on this one it is tried in the longer form. */
    @Test
    @Tag("long")
    @Override
    void callsAreChosenByConditions() throws Exception {
        super.callsAreChosenByConditions();
    }

    /** Likewise: in a view, tracepoints are tried on this one too. */
    @Test
    @Tag("long")
    @Override
    void hitsOfTracepointsAreCounted() throws Exception {
        super.hitsOfTracepointsAreCounted();
    }

    /**
     * A function of a program, the system call in it and the kernel's functions in that, all but the first in the process's own
     * view: of one process, while another one makes the same calls.
     */
    @Test
    void pointsOfAllKindsAreCountedTogether() throws Exception {
        int calls = 300;
        String inPrograms = "kernel:copy_from_kernel_nofault";
        try (Running other = Running.start(guest().shell("root", "echo $$ >&2; exec /tmp/kview-calls --writes --rate 100 --seconds 100000"))) {
            String pid = Files.readString(other.awaitSaid("\n").errors()).strip();
            Kview.Result result = guest().kview(folder(), "record", "--target", "root@guest", "--probe", "kview-calls:writing_call",
                    "--probe", "syscall:write", "--probe", "kernel:ksys_write", "--probe", "kernel:vfs_write", "--probe", inPrograms,
                    "--budget", "none", "-o", "together.kview", "--", "/tmp/kview-calls", "--writes", "--rate", "0", "--calls",
                    Integer.toString(calls));
            assertThat(result.exitCode()).as(result.errors()).isZero();
            assertThat(result.output()).contains("\"calls\":" + calls + ",");
            guest().run("root", "kill " + pid);
        }
        Session session = Session.read(folder().resolve("together.kview"));
        // With what it prints in the end. What the agent's eBPF programs call is none of the process's calls.
        Map.of("writing_call", calls, "syscall:write", calls + 1, "kernel:ksys_write", calls + 1, "kernel:vfs_write", calls + 1,
                inPrograms, 0).forEach((name, expected) -> {
                    assertThat(session.function(name).calls()).as(name).isEqualTo((long) expected);
                    assertThat(session.function(name).returned()).as(name).isEqualTo((long) expected);
                });
        assertThat(removedNanos(session, "writing_call")).as("with what the kernel's probes within it cost")
                .isGreaterThanOrEqualTo(removedNanos(session, "syscall:write") - 1);
        assertThat(session.json().path("session").path("filter").asText()).as("for all of it").isEqualTo("view");
        assertThat(session.json().path("session").path("filter_note").asText()).contains(
                "ontext switches for functions of programs", "ystem calls", "unctions of the kernel", " are measured in the process's own view")
                .doesNotContain("Filtered in the eBPF programs");
        nothingIsLeft();
    }

    /** Two users, each with a process and places of its own: neither sees the other's, also while one's link is cut. */
    @Test
    void twoRecordAtATimeWhileTheLinkOfOneIsCut() throws Exception {
        int calls = 300;
        String writer = "/tmp/kview-calls --wait --writes --rate 0 --seconds 1000 --calls " + calls;
        try (Running one = Running.start(guest().shell("root", writer)).awaitSaid("waits for SIGUSR1");
                Running other = Running.start(guest().shell("root", writer)).awaitSaid("waits for SIGUSR1");
                Running first = recordIt(one, "one.kview", "syscall:write", "kernel:ksys_write")) {
            String server = guest().run("root", "p=`pgrep -x kview-agent`; until grep -q ^sshd /proc/$p/comm; do "
                    + "set -- `grep PPid: /proc/$p/status`; p=$2; done; echo $p").strip();
            try (Running second = recordIt(other, "other.kview", "kernel:vfs_write")) {
                assertThat(guest().run("root", "/guest/bin/kviewctl stat")).contains("views 2\n", "processes 2\n");
                guest().run("root", "kill -9 " + server);
                first.awaitSaid("is lost (");
                Workload.go(one);
                Workload.go(other);
                assertThat(second.await(GuestHost.PATIENCE).errors()).doesNotContain("is lost (");
            }
            Kview.Result result = first.await(GuestHost.PATIENCE);
            assertThat(result.exitCode()).as(result.errors()).isZero();
            assertThat(result.errors()).contains("is back after");
        }
        Session one = Session.read(folder().resolve("one.kview"));
        Session other = Session.read(folder().resolve("other.kview"));
        // With what each prints in the end.
        assertThat(List.of(one.function("syscall:write"), one.function("kernel:ksys_write"), other.function("kernel:vfs_write")))
                .allSatisfy(function -> assertThat(function.returned()).isEqualTo(function.calls()).isEqualTo(calls + 1L));
        assertThat(List.of(one, other)).allSatisfy(session ->
                assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view"));
        nothingIsLeft();
    }

    private Running recordIt(Running program, String session, String... points) throws Exception {
        List<String> command = new ArrayList<>(List.of("record", "--target", "root@guest", "--pid", Long.toString(Workload.pid(program)),
                "--budget", "none", "-o", session));
        for (String point : points) {
            command.addAll(List.of("--probe", point));
        }
        return Running.start(guest().builder(folder(), command.toArray(String[]::new))).awaitSaid("recording process");
    }

    /** System calls, functions of the kernel and tracepoints. Those of the child, which makes the same calls, are nobody's. */
    @Test
    void nobodyElsePaysWhereAllPointsAreInAView() throws Exception {
        int calls = 500;
        String dd = "dd if=/dev/zero of=/dev/null bs=1 status=none count=";
        Kview.Result result = guest().kview(folder(), "record", "--target", "root@guest", "--probe", "syscall:write", "--probe",
                "kernel:vfs_write", "--probe", "tracepoint:syscalls:sys_e*_write", "--probe", "tracepoint:sched:sched_switch",
                "--filter", "view", "--budget", "none", "-o", "all.kview", "--", "bash", "-c", dd + "300; exec " + dd + calls);
        assertThat(result.exitCode()).as(result.errors()).isZero();
        Session session = Session.read(folder().resolve("all.kview"));
        for (String point : List.of("syscall:write", "kernel:vfs_write", "tracepoint:syscalls:sys_enter_write",
                "tracepoint:syscalls:sys_exit_write")) {
            assertThat(session.function(point).calls()).as(point).isEqualTo(calls);
        }
        assertThat(session.function("tracepoint:sched:sched_switch").calls()).as("it waited for its child").isPositive();
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(session.json().path("session").path("filter_note").asText()).contains(
                "System calls, functions of the kernel and tracepoints are measured in the process's own view");
        assertThat(session.json().path("overhead").path("calibration_note").asText()).contains("The process executed another program",
                "1 thread of the process ended: ");
        nothingIsLeft();
    }

    /** A shell of a service starts programs while it is recorded; another one makes the same calls elsewhere. */
    @Test
    void processesOfACgroupAreCountedAsTheyComeAndGo() throws Exception {
        String dd = "dd if=/dev/zero of=/dev/null bs=1 status=none count=";
        String cgroup = "/sys/fs/cgroup/kview-test.slice/kview-test.service";
        try (Running service = Running.start(guest().shell("root", "mkdir -p " + cgroup + " && echo $$ > " + cgroup + "/cgroup.procs && echo ready >&2;"
                + " while [ ! -e /tmp/kview-go ]; do sleep 0.2; done; " + dd + "300 & " + dd + "200; wait; rm /tmp/kview-go; exec sleep 1000")).awaitSaid("ready");
                Running recorder = Running.start(guest().builder(folder(), "record", "--target", "root@guest", "--cgroup", "kview-test.slice", "--probe",
                        "syscall:write", "--probe", "kernel:vfs_write", "--probe", "tracepoint:syscalls:sys_enter_write", "--filter", "view", "--budget",
                        "none", "-o", "cgroup.kview")).awaitSaid("recording the cgroup /kview-test.slice")) {
            guest().run("root", "touch /tmp/kview-go; " + dd + "1000; while [ -e /tmp/kview-go ]; do sleep 0.2; done");
            Kview.Result result = recorder.signal("INT").await();
            assertThat(result.exitCode()).as(result.errors()).isZero();
            guest().run("root", "kill $(cat " + cgroup + "/cgroup.procs)");
        }
        Session session = Session.read(folder().resolve("cgroup.kview"));
        for (String point : List.of("syscall:write", "kernel:vfs_write", "tracepoint:syscalls:sys_enter_write")) {
            assertThat(session.function(point).calls()).as(point).isEqualTo(500);
        }
        assertThat(session.function("kernel:vfs_write").returned()).isEqualTo(500);
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(session.json().at("/session/scopes/0/path").asText()).isEqualTo("/kview-test.slice");
        assertThat(session.json().at("/session/scopes/0/processes")).hasSize(2);
        nothingIsLeft();
    }

    /** The first shell has a child already, which starts programs; a fork of a fork, too, whose parent ends. Another one makes the same calls. */
    @Test
    void childrenAreCountedWithTheirParent() throws Exception {
        String dd = "dd if=/dev/zero of=/dev/null bs=1 status=none count=";
        String works = "while [ ! -e /tmp/kview-go ]; do sleep 0.2; done; " + dd + "300 & " + dd + "200; ({ " + dd + "50; touch /tmp/kview-done; } & );"
                + " wait; while [ ! -e /tmp/kview-done ]; do sleep 0.2; done; rm /tmp/kview-done /tmp/kview-go";
        try (Running shell = Running.start(guest().shell("root", "bash -c '" + works + "' & echo $$ >&2; wait; read line")).awaitSaid("\n")) {
            String pid = Files.readString(shell.errors()).strip();
            try (Running recorder = Running.start(guest().builder(folder(), "record", "--target", "root@guest", "--pid", pid, "--follow", "--probe",
                    "syscall:write", "--probe", "kernel:vfs_write", "--probe", "tracepoint:syscalls:sys_enter_write", "--filter", "view", "--budget",
                    "none", "-o", "children.kview")).awaitSaid("with its children")) {
                guest().run("root", "touch /tmp/kview-go; " + dd + "1000; while [ -e /tmp/kview-go ]; do sleep 0.2; done");
                Kview.Result result = recorder.signal("INT").await();
                assertThat(result.exitCode()).as(result.errors()).isZero();
            }
            guest().run("root", "kill " + pid);
        }
        Session session = Session.read(folder().resolve("children.kview"));
        for (String point : List.of("syscall:write", "kernel:vfs_write", "tracepoint:syscalls:sys_enter_write")) {
            assertThat(session.function(point).calls()).as(point).isEqualTo(550);
        }
        assertThat(session.function("kernel:vfs_write").returned()).isEqualTo(550);
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(session.json().at("/session/scopes/0/kind").asText()).isEqualTo("process-tree");
        nothingIsLeft();
    }

    /** As it ends, the kernel takes from all threads what brings them to the tracepoints of system calls. */
    @Test
    void anotherTracerOfSystemCallsIsTold() throws Exception {
        Kview.Result result = guest().kview(folder(), "record", "--target", "root@guest", "--probe", "syscall:getppid", "--budget", "none",
                "-o", "cut.kview", "--", "bash", "-c", "[ -d /sys/kernel/tracing/events ] || /guest/applets/mount -t tracefs t /sys/kernel/tracing;"
                        + " cd /sys/kernel/tracing/events/raw_syscalls/sys_enter && echo 1 > enable && echo 0 > enable");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        JsonNode json = Session.read(folder().resolve("cut.kview")).json();
        assertThat(json.path("session").path("filter").asText()).isEqualTo("view");
        assertThat(json.path("overhead").path("calibration_note").asText()).contains("Other tracers of system calls ended meanwhile", "took a last probe off a tracepoint of theirs 1 time)");
    }

    /** Of a call. */
    private static double removedNanos(Session session, String name) {
        return session.function(name).json().path("removed_ns").asDouble() / session.function(name).calls();
    }

    /** A program reads from a pipe into which something is written every 50 ms; another one does the same, and is not followed. */
    @Test
    void theSlowestCallsAreTreesWithTheirWaitsInThem() throws Exception {
        try (Running reader = Running.start(guest().shell("root", READER)).awaitSaid("\n");
                Running other = Running.start(guest().shell("root", READER)).awaitSaid("\n")) {
            String pid = Files.readString(reader.errors()).strip();
            JsonNode flow = new ObjectMapper().readTree(duringReads(pid, Pattern.compile("\"calls\"\\s*:\\s*([6-9]|\\d\\d)"), "flow", "--syscall",
                    "read", "--slowest", "5", "--json").output());
            System.out.println("what following reads took: " + flow.path("seen") + flow.path("view") + flow.path("losses") + flow.path("notes"));
            assertThat(flow.path("losses").path("calls").asLong(-1)).isZero();
            assertThat(flow.path("calls")).hasSize(5);
            // On a busy machine the reader may be preempted for longer than it waits, and find that something was written meanwhile.
            List<List<String>> waits = new ArrayList<>();
            for (JsonNode call : flow.path("calls")) {
                assertThat(call.path("tid").asText()).isEqualTo(pid);
                assertThat(call.path("result").asLong()).isEqualTo(2);
                FlowTrees.check(call);
                waits.addAll(FlowTrees.pathsOfWaits(call));
            }
            waits.removeIf(path -> path.getLast().equals("preempted"));
            assertThat(waits).isNotEmpty().allSatisfy(path ->
                    assertThat(path).startsWith("__x64_sys_read").containsSubsequence("vfs_read", "pipe_read", "schedule").endsWith("network"));
            readsAreCountedByTheirSites(pid);
            guest().run("root", "kill " + pid + " " + Files.readString(other.errors()).strip());
        }
        nothingIsLeft();
    }

    /** What is told of them as JSON is tried above, and how it is written in {@code FlowOutputsTest}; to follow them once more takes a minute. */
    @Test
    @Tag("long")
    void theSlowestCallsAreToldToPeople() throws Exception {
        try (Running reader = Running.start(guest().shell("root", READER)).awaitSaid("\n")) {
            String pid = Files.readString(reader.errors()).strip();
            assertThat(duringReads(pid, Pattern.compile("([6-9]|\\d\\d) calls of read"), "flow", "--syscall", "read", "--slowest", "5").output())
                    .contains("cat (pid " + pid + ")", "the 5 slowest of them", "  __x64_sys_read\n", "[network]");
            guest().run("root", "kill " + pid);
        }
        nothingIsLeft();
    }

    /**
     * Ends it early: once the process has read some times while it was in a view, however long the machine took for that. While it
     * comes into its view the process reads on; so if it was not seen often enough, it is done again for more reads.
     */
    private Kview.Result duringReads(String pid, Pattern seenOftenEnough, String command, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(command, "--target", "root@guest", "--pid", pid, "--duration", "10m"));
        words.addAll(List.of(arguments));
        for (int reads = 20;; reads *= 4) {
            try (Running running = Running.start(guest().builder(folder(), words.toArray(String[]::new)))) {
                guest().run("root", "until /guest/bin/kviewctl stat | grep -q '^processes 1$'; do sleep 0.1; done; n=$((`grep syscr /proc/" + pid
                        + "/io | cut -d: -f2` + " + reads + ")); while [ `grep syscr /proc/" + pid + "/io | cut -d: -f2` -lt $n ]; do sleep 0.1; done");
                Kview.Result result = running.signal("INT").await(GuestHost.PATIENCE);
                // 130: it was told to end before it had begun to count, which it does once the process is in its view.
                assertThat(result.exitCode()).as(result.errors()).isIn(0, 130);
                if (result.exitCode() == 0 && seenOftenEnough.matcher(result.output()).find()) {
                    return result;
                }
                assertThat(reads).as(result.output()).isLessThan(10_000);
            }
        }
    }

    /** What a view counted that was made for it; each read is one call of each of these. */
    private void readsAreCountedByTheirSites(String pid) throws Exception {
        Kview.Result result = duringReads(pid, Pattern.compile("\"hits\"\\s*:\\s*[1-9]"), "count", "--site", "vfs_read", "--site", "no_such",
                "--site", "return:vfs_read", "--site", "tracepoint:syscalls:sys_enter_read", "--json");
        assertThat(result.errors()).contains("1 of 2 are left out: no_such");
        JsonNode counted = new ObjectMapper().readTree(result.output());
        JsonNode view = counted.path("views").path(0);
        assertThat(view.path("name").asText()).isEqualTo("kview count");
        assertThat(view.path("attachments").path(0).path("pid").asText()).isEqualTo(pid);
        assertThat(view.path("sets")).hasSize(3);
        long hits = view.path("sets").path(0).path("hits").asLong();
        assertThat(hits).isPositive();
        for (JsonNode set : view.path("sets")) {
            JsonNode site = set.path("figures").path(0);
            assertThat(site.path("name").asText()).isIn("vfs_read", "syscalls:sys_enter_read");
            assertThat(site.path("hits").asLong()).as(set.toString()).isEqualTo(set.path("hits").asLong()).isBetween(hits - 1, hits + 1);
            assertThat(site.path("hits_per_second").asDouble()).isCloseTo(
                    site.path("hits").asLong() * 1e9 / counted.path("duration_ns").asLong(), within(0.1));
        }
    }

    /** Each way that the kernel and the module offer sees the calls of the agent's own process; others pass those in a view never. */
    @Test
    void theWaysToRecordStandSideBySide() throws Exception {
        Kview.Result result = guest().kview(folder(), "doctor", "--target", "root@guest", "--ways", "--json");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        JsonNode ways = new ObjectMapper().readTree(result.output()).path("ways");
        System.out.println("what the ways to record cost: " + ways);
        assertThat(ways).extracting(way -> way.path("way").asText()).containsExactly("call-view", "function-view", "call-in", "function-multi",
                "function-single");
        assertThat(ways).allSatisfy(way -> {
            assertThat(way.path("missing").asText()).isEmpty();
            assertThat(way.path("attached_ns").asLong() == 0).isEqualTo(way.path("way").asText().endsWith("-view"));
            assertThat(way.path("costs")).hasSize(2);
            assertThat(way.path("costs")).allSatisfy(cost -> assertThat(cost.path("rounds").asInt()).isGreaterThanOrEqualTo(15));
        });
        guest().run("root", "until /guest/bin/kviewctl stat | grep -q '^processes 0$'; do sleep 0.1; done");
    }

    /** Of no kernel in particular: what it takes is done word for word, and what users without rights are told is seen, in {@code InstalledAgentTest}. */
    @Test
    @Tag("long")
    void aUserWithoutSudoIsToldWhatItTakes() throws Exception {
        Kview.Result result = guest().kview(folder(), "doctor", "--target", "plain@guest");
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(4);
        assertThat(result.errors()).contains("plain ALL=(root) NOPASSWD: sha256:").contains("setcap");
    }
}
