// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The commands on a host that shares nothing with this machine but a network, and has another kernel, with the module
 * that gives processes views of it. It is emulated, so exact counts are judged, times are not; and each command is dear.
 */
@Tag("guest")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GuestTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    static final String EXECVE = "kernel:__x64_sys_execve";
    private static final Pattern PID = Pattern.compile("process (\\d+) waits");

    private final String kernel;
    private final Optional<String> network;
    private GuestHost guest;
    @TempDir
    private Path folder;

    /**
     * @param kernel  as {@code kernel/guest/ssh-host --kernel} names it
     * @param network what netem does to what the guest sends while it records, as tc has it; empty: nothing
     */
    GuestTest(String kernel, Optional<String> network) {
        this.kernel = kernel;
        this.network = network;
    }

    GuestHost guest() {
        return guest;
    }

    Path folder() {
        return folder;
    }

    @BeforeAll
    void boot(@TempDir Path guestFolder) throws Exception {
        guest = GuestHost.boot(guestFolder, kernel, List.of("--kview"));
        guest.bring(Workload.CALLS);
    }

    @AfterAll
    void stop() throws Exception {
        if (guest != null) {
            guest.close();
        }
    }

    /** Other tests show that this kernel can be recorded, and what sudo needs is tried on this machine as well. */
    @Test
    @Tag("long")
    void theDoctorLooksAtThatKernelThroughSudo() throws Exception {
        guest.run("kview", "rm -rf .cache");
        Kview.Result first = guest.kview(folder, "doctor", "--json", "--target", "kview@guest");
        assertThat(first.exitCode()).as(first.errors()).isZero();
        assertThat(first.errors()).contains("bringing the agent to").hasLineCount(1);
        JsonNode json = JSON.readTree(first.output());
        assertThat(json.path("target").asText()).isEqualTo("kview@guest");
        assertThat(json.path("host").asText()).isEqualTo("kview-guest");
        assertThat(json.path("kernel").asText()).isEqualTo(guest.run("kview", "uname -r").strip()).startsWith(kernel + ".");
        assertThat(json.path("agent").path("uid").asInt(-1)).isZero();
        assertThat(json.path("can_record").asBoolean()).isTrue();
        assertThat(guest.run("kview", "stat -c '%a %U' .cache/kview-workbench/agents/*/kview-agent")).isEqualTo("700 kview\n");
        assertThat(json.path("capabilities").findValuesAsText("detail")).anySatisfy(detail ->
                assertThat(detail).contains("The kview module is loaded"));
        // Whatever is asked: an emulated processor takes long to try all that a doctor looks at.
        Kview.Result second = guest.kview(folder, "views", "--target", "kview@guest");
        assertThat(second.exitCode()).as(second.errors()).isZero();
        assertThat(second.errors()).as("not brought again").isEmpty();
    }

    @Test
    void everyCallIsCounted() throws Exception {
        // Over a bad network so much that it all but certainly loses something.
        int calls = network.isPresent() ? 15_000 : 2000;
        try (Running workload = Running.start(guest.shell("kview", "/tmp/kview-calls --wait --rate 0 --calls " + calls
                + " --seconds 300")).awaitSaid("waits for SIGUSR1")) {
            Matcher pid = PID.matcher(Files.readString(workload.errors()));
            assertThat(pid.find()).isTrue();
            spoilTheNetwork();
            try (Running recording = Running.start(guest.builder(folder, "record", "--target", "kview@guest", "--pid",
                    pid.group(1), "--probe", "kview-calls:counted_call", "--budget", "none", "--events", "-o", "s.kview"))) {
                recording.awaitSaid("recording process");
                Workload.go(workload);
                assertThat(workload.await(GuestHost.PATIENCE).output()).contains("\"calls\":" + calls + ",");
                Kview.Result result = recording.await(GuestHost.PATIENCE);
                assertThat(result.exitCode()).as(result.errors()).isZero();
            }
        }
        Session session = Session.read(folder.resolve("s.kview"));
        assertThat(session.json().path("session").path("kernel").asText()).startsWith(kernel + ".");
        assertThat(session.function("counted_call").calls()).isEqualTo(calls);
        assertThat(session.function("counted_call").returned()).isEqualTo(calls);
        assertThat(session.loss("events_dropped")).isZero();
        assertThat(CtfTrace.read(folder.resolve("s.kview/trace")).callEvents()).isEqualTo(2L * calls);
        assertThat(guest.run("root", "pgrep -x kview-agent || echo none")).as("agents left").isEqualTo("none\n");
        if (network.isPresent()) {
            assertThat(session.json().path("session").path("clock").path("uncertainty_ns").asLong())
                    .as("half of the way there and back").isGreaterThan(100_000_000);
            String said = guest.run("root", "/sbin/tc -s qdisc show dev eth0");
            System.out.println("of what the guest sent, its network lost: " + said);
            assertThat(said).as("the network that it went through").contains("netem", "loss");
        }
    }

    /**
     * In the process's own view, so that nothing of the recording is where other processes come by, but in text that they do not
     * share. What its callers' own clocks and the scheduler say, beside a program that wants a CPU all the time, is what calls took.
     */
    @Test
    void functionsOfProgramsAreTimedInAView() throws Exception {
        List<String> functions = List.of("poll_queue", "fetch_rates", "build_index");
        guest.bring(Workload.DEMO);
        try (Running workload = Running.start(guest.shell("root", "/tmp/kview-demo --wait --folder /tmp --only " + String.join(",", functions)
                + " --seconds 3 --truth /tmp/truth.json")).awaitSaid("waits for SIGUSR1")) {
            List<String> arguments = new ArrayList<>(List.of("record", "--target", "root@guest", "--pid", "" + Workload.pid(workload),
                    "--budget", "none", "-o", "timed.kview"));
            functions.forEach(f -> arguments.addAll(List.of("--probe", "kview-demo:" + f)));
            try (Running recording = Running.start(guest.builder(folder, arguments.toArray(String[]::new)))) {
                recording.awaitSaid("recording process");
                assertThat(guest.run("root", "for a in `pgrep -x kview-agent`; do cat /proc/$a/fdinfo/*; done | grep ^link_type | sort -u"))
                        .as("where eBPF programs are").doesNotContain("tracing", "tracepoint").contains("link_type");
                try (Running other = Running.start(guest.shell("root", "echo $$ >&2; while :; do :; done")).awaitSaid("\n")) {
                    Workload.go(workload);
                    assertThat(workload.await(GuestHost.PATIENCE).exitCode()).isZero();
                    guest.run("root", "kill " + Files.readString(other.errors()).strip());
                }
                Kview.Result result = recording.await(GuestHost.PATIENCE);
                assertThat(result.exitCode()).as(result.errors()).isZero();
            }
        }
        Session session = Session.read(folder.resolve("timed.kview"));
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(session.json().path("session").path("filter_note").asText()).contains("other processes run none of its instructions",
                "Who woke a thread is not seen", "when they map it");
        assertThat(session.loss("missed_returns") + session.loss("healed_switches")).isZero();
        for (JsonNode own : JSON.readTree(guest.run("root", "cat /tmp/truth.json")).path("functions")) {
            isTimed(session.function(own.path("name").asText()), own);
        }
        nothingIsLeft();
    }

    /**
     * Its caller's clocks are read before and behind a call, so part of what it waited for a CPU was not within the call. Of a function that
     * does not compute all the time that may be all of the longest wait: where this machine is busy, an emulated CPU is away for long at any
     * moment. What reading the clocks takes on a CPU was not within the call either, and is most of what such a function is on a CPU.
     */
    private static void isTimed(Session.Function function, JsonNode own) {
        String name = own.path("name").asText(), cause = own.path("cause").asText();
        double waited = own.path("waited_total_ns").asDouble(), wall = own.path("wall_total_ns").asDouble() - waited;
        System.out.println("of " + own + " was told: " + function.json().path("wall") + function.json().path("off_cpu"));
        assertThat(function.calls()).as(name).isEqualTo(own.path("calls").asLong()).isPositive();
        assertThat(function.returned()).as(name).isEqualTo(function.calls());
        double outside = cause.equals("preempted") ? 0 : own.path("waited_max_ns").asDouble();
        assertThat(function.contentionNanos()).as("%s waited for a CPU", name).isBetween((waited - outside) / 2, 1.1 * waited);
        double reading = cause.equals("preempted") ? 0 : own.path("on_cpu_total_ns").asDouble();
        assertThat(function.wallTotalNanos() - function.contentionNanos()).as(name).isBetween(0.75 * (wall - reading), 1.25 * wall);
        if (cause.equals("preempted")) {
            assertThat(function.onCpuTotalNanos()).as("%s on a CPU", name)
                    .isCloseTo(own.path("on_cpu_total_ns").asDouble(), within(wall / 4));
        } else {
            assertThat(function.causeTotalNanos(cause)).as("%s of %s", cause, name).isCloseTo(function.waitedNanos(), within(wall / 10));
        }
    }

    /** By probes that all processes pass. */
    @Test
    void callsOfKernelFunctionsAreCounted() throws Exception {
        Session session = countKernelFunctions("in", "kernel.kview");
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("in");
        assertThat(session.function(EXECVE).returned()).isEqualTo(1);
    }

    /** Those of the process, and none of another one that makes the same calls meanwhile: it waits for that one, then executes. */
    Session countKernelFunctions(String filter, String name) throws Exception {
        int calls = 700;
        String dd = "dd if=/dev/zero of=/dev/null bs=1 status=none count=";
        Kview.Result result = guest.kview(folder, "record", "--target", "root@guest", "--probe", "kernel:ksys_write", "--probe",
                "kernel:vfs_w?ite", "--probe", EXECVE, "--filter", filter, "--budget", "none", "--events", "-o", name, "--", "bash", "-c",
                dd + "400; exec " + dd + calls);
        assertThat(result.exitCode()).as(result.errors()).isZero();
        Session session = Session.read(folder.resolve(name));
        for (String function : List.of("kernel:ksys_write", "kernel:vfs_write")) {
            assertThat(session.function(function).calls()).as(function).isEqualTo(calls);
            assertThat(session.function(function).returned()).as(function).isEqualTo(calls);
            assertThat(session.function(function).json().path("on_cpu").path("count").asLong()).isEqualTo(calls);
        }
        assertThat(session.function(EXECVE).calls()).as("execve").isEqualTo(1);
        assertThat(CtfTrace.read(folder.resolve(name + "/trace")).callEvents())
                .isEqualTo(4L * calls + 1 + session.function(EXECVE).returned());
        return session;
    }

    /** By what they are called with and return, and so their figures are split: an older kernel has less room for the eBPF programs that do it. */
    @Test
    void callsAreChosenByConditions() throws Exception {
        guest.run("root", "head -c 401 /dev/zero > /tmp/odd");
        Kview.Result result = guest.kview(folder, "record", "--target", "root@guest", "--probe", "libc.so.6:write", "--probe", "syscall:read",
                "--when", "write: arg2 == 1 || (int) arg0 < 0", "--when", "syscall:read: arg2 == 2 && retval == 2", "--by", "write: arg2",
                "--by", "syscall:read: comm", "--budget", "none",
                "-o", "some.kview", "--", "dd", "if=/tmp/odd", "of=/dev/null", "bs=2", "status=none");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        Session session = Session.read(folder.resolve("some.kview"));
        assertThat(session.function("write").calls()).isEqualTo(1);
        assertThat(session.function("write").json().path("unmatched_calls").asInt()).isEqualTo(200);
        assertThat(session.function("syscall:read").calls()).isEqualTo(200);
        assertThat(session.function("write").json().path("values").findValuesAsText("number")).containsExactly("1");
        assertThat(session.function("syscall:read").json().path("values").findValuesAsText("name")).containsExactly("dd");
        assertThat(session.function("syscall:read").json().path("unmatched_calls").asInt()).as("the short one, the end, and the loader's")
                .isGreaterThanOrEqualTo(2);
    }

    /** Those of the process, beside a function of the kernel, and none of the child that makes the same calls meanwhile. */
    @Test
    void hitsOfTracepointsAreCounted() throws Exception {
        int calls = 700;
        String dd = "dd if=/dev/zero of=/dev/null bs=1 status=none count=";
        Kview.Result result = guest.kview(folder, "record", "--target", "root@guest", "--probe", "tracepoint:syscalls:sys_e*_write",
                "--probe", "tracepoint:sched:sched_process_fork", "--probe", "tracepoint:sched:sched_process_exec", "--probe",
                "kernel:ksys_write", "--budget", "none", "--filter", "in", "-o", "hits.kview", "--", "bash", "-c", dd + "400; exec " + dd + calls);
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.output()).contains("Tracepoint", "Hits/s", "a thread's first hit has none before it");
        Session session = Session.read(folder.resolve("hits.kview"));
        Map.of("syscalls:sys_enter_write", calls, "syscalls:sys_exit_write", calls, "sched:sched_process_fork", 1,
                "sched:sched_process_exec", 1).forEach((name, expected) -> {
                    JsonNode hits = session.function("tracepoint:" + name).json();
                    assertThat(hits.path("calls").asInt()).as(name).isEqualTo(expected);
                    assertThat(hits.path("between").path("count").asInt()).as(name).isEqualTo(expected - 1);
                    assertThat(hits.path("wall").isNull()).as(name).isTrue();
                });
        assertThat(session.function("kernel:ksys_write").calls()).isEqualTo(calls);
        assertThat(session.loss("missed_returns")).isZero();
    }

    /** The kernel closes what a killed process had in its own time. */
    void nothingIsLeft() throws Exception {
        assertThat(guest.run("root", "i=0; while [ $i -lt 600 ] && ! /guest/bin/kviewctl stat | grep -q '^views 0$'; do "
                + "i=$((i + 1)); sleep 0.1; done; /guest/bin/kviewctl stat")).contains("views 0\n", "processes 0\n", "places 0\n");
    }

    /** What the guest sends arrives late, and some of it not at all: its kernel and this one's have to make up for it. */
    private void spoilTheNetwork() throws Exception {
        if (network.isPresent()) {
            guest.run("root", "/guest/applets/insmod /guest/sch_netem.ko && /bin/ip link set dev eth0 gso_max_segs 1"
                    + " && /sbin/tc qdisc add dev eth0 root netem " + network.get());
        }
    }

    @AfterEach
    void mendTheNetwork() throws Exception {
        if (network.isPresent()) {
            guest.run("root", "/sbin/tc qdisc del dev eth0 root 2>/dev/null; /guest/applets/rmmod sch_netem 2>/dev/null; true");
        }
    }
}
