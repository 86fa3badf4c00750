// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 * The commands on a host that shares nothing with this machine but a network, and has another kernel. It is emulated, so
 * exact counts are judged, times are not.
 */
@Tag("guest")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GuestTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PID = Pattern.compile("process (\\d+) waits");

    private final String kernel;
    private final Optional<String> network;
    private final List<String> options;
    private GuestHost guest;
    @TempDir
    private Path folder;

    /**
     * @param kernel  as {@code kernel/guest/ssh-host --kernel} names it
     * @param network what netem does to what the guest sends while it records, as tc has it; empty: nothing
     * @param options of {@code kernel/guest/ssh-host}
     */
    GuestTest(String kernel, Optional<String> network, String... options) {
        this.kernel = kernel;
        this.network = network;
        this.options = List.of(options);
    }

    GuestHost guest() {
        return guest;
    }

    Path folder() {
        return folder;
    }

    @BeforeAll
    void boot(@TempDir Path guestFolder) throws Exception {
        guest = GuestHost.boot(guestFolder, kernel, options);
        guest.bring(Workload.CALLS);
    }

    @AfterAll
    void stop() throws Exception {
        if (guest != null) {
            guest.close();
        }
    }

    @Test
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
        Kview.Result second = guest.kview(folder, "doctor", "--json", "--target", "kview@guest");
        assertThat(second.exitCode()).as(second.errors()).isZero();
        assertThat(second.errors()).isEmpty();
    }

    @Test
    void aUserWithoutSudoIsToldWhatItTakes() throws Exception {
        Kview.Result result = guest.kview(folder, "doctor", "--target", "plain@guest");
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(4);
        assertThat(result.errors()).contains("plain ALL=(root) NOPASSWD: sha256:").contains("setcap");
    }

    @Test
    void everyCallIsCounted() throws Exception {
        // Over a bad network so much that it can't but lose something.
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
            assertThat(said).as("packets lost").containsPattern("dropped [1-9]");
        }
    }

    /** By probes that all processes pass. */
    @Test
    void callsOfKernelFunctionsAreCounted() throws Exception {
        assertThat(countKernelFunctions("in", "kernel.kview").json().path("session").path("filter").asText()).isEqualTo("in");
    }

    /** Those of the process, and none of another one that makes the same calls without end. */
    Session countKernelFunctions(String filter, String name) throws Exception {
        int calls = 700;
        try (Running _ = Running.start(guest.shell("root", "dd if=/dev/zero of=/dev/null bs=1"))) {
            Kview.Result result = guest.kview(folder, "record", "--target", "root@guest", "--probe", "kernel:ksys_write",
                    "--probe", "kernel:vfs_w?ite", "--filter", filter, "--budget", "none", "--events", "-o", name, "--", "dd",
                    "if=/dev/zero", "of=/dev/null", "bs=1", "count=" + calls, "status=none");
            assertThat(result.exitCode()).as(result.errors()).isZero();
        }
        Session session = Session.read(folder.resolve(name));
        for (String function : List.of("kernel:ksys_write", "kernel:vfs_write")) {
            assertThat(session.function(function).calls()).as(function).isEqualTo(calls);
            assertThat(session.function(function).returned()).as(function).isEqualTo(calls);
            assertThat(session.function(function).json().path("on_cpu").path("count").asLong()).isEqualTo(calls);
        }
        assertThat(CtfTrace.read(folder.resolve(name + "/trace")).callEvents()).isEqualTo(4L * calls);
        return session;
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
