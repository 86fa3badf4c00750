// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** The commands on a host that is reached over SSH: a real server, the real agent. */
@Order(3)
class RemoteTargetTest {
    private static final List<String> FUNCTIONS = List.of("render_page", "poll_queue", "price_basket", "flush_cache",
            "fetch_rates", "walk_tree");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    /** Records the demo; it has counted its own calls meanwhile. */
    private Session record(SshServer server, String target, String name) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("record", "--target", target));
        FUNCTIONS.forEach(f -> arguments.addAll(List.of("--probe", Workload.DEMO + ":" + f)));
        arguments.addAll(List.of("--budget", "none", "--events", "-o", name + ".kview", "--", Workload.DEMO.toString(), "--seconds", "4", "--truth",
                folder.resolve(name + ".json").toString()));
        Kview.Result result = server.run(folder, arguments.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.errors()).isZero();
        return Session.read(folder.resolve(name + ".kview"));
    }

    @Test
    void theReportIsThatOfALocalRecording() throws Exception {
        try (SshServer server = SshServer.start(folder, "")) {
            Session remote = record(server, server.target(), "remote");
            Session local = record(server, "local", "local");
            assertThat(remote.json().path("session").path("target").asText()).isEqualTo(server.target());
            assertThat(remote.json().path("session").path("kernel")).isEqualTo(local.json().path("session").path("kernel"));
            for (String name : FUNCTIONS) {
                assertThat(remote.function(name).calls()).as(name).isEqualTo(truth("remote", name).path("calls").asLong());
                assertThat(local.function(name).calls()).as(name).isEqualTo(truth("local", name).path("calls").asLong());
                assertThat(remote.function(name).returned()).isEqualTo(remote.function(name).calls());
                // On a host that others keep busy the verdict may be the competition for a CPU, now and not then.
                String cause = truth("local", name).path("cause").asText();
                if (local.function(name).verdict().equals(cause) && !cause.contains("cpu")) {
                    assertThat(remote.function(name).causeTotalNanos(cause)).as("%s of %s", cause, name).isPositive();
                }
            }
            assertThat(remote.loss("events_dropped")).isZero();
        }
    }

    private JsonNode truth(String session, String name) throws Exception {
        return StreamSupport.stream(JSON.readTree(folder.resolve(session + ".json").toFile()).path("functions").spliterator(), false)
                .filter(f -> f.path("name").asText().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void theDoctorLooksAtThatHost() throws Exception {
        try (SshServer server = SshServer.start(folder, "")) {
            Kview.Result first = server.run(folder, "doctor", "--json", "--target", server.target());
            assertThat(first.exitCode()).as(first.errors()).isZero();
            assertThat(first.errors()).contains("bringing the agent to").hasLineCount(1);
            assertThat(JSON.readTree(first.output()).path("target").asText()).isEqualTo(server.target());
            Kview.Result second = server.run(folder, "doctor", "--json", "--target", server.target());
            assertThat(second.exitCode()).isZero();
            assertThat(second.errors()).isEmpty();
        }
    }

    @Test
    void twoHostsMakeOneSession() throws Exception {
        try (SshServer server = SshServer.start(folder, "");
                Running here = Workload.waiting(Workload.DEMO, "--seconds", "2", "--truth", folder.resolve("here.json").toString());
                Running there = Workload.waiting(Workload.DEMO, "--seconds", "3", "--truth", folder.resolve("there.json").toString())) {
            Running kview = Running.start(server.kview(folder, "record", "--target", "local", "--pid", Long.toString(here.pid()),
                    "--target", server.target(), "--pid", Long.toString(there.pid()), "--probe",
                    Workload.DEMO.getFileName() + ":poll_queue", "--events", "-o", "both.kview"));
            try (kview) {
                kview.awaitSaid("Ctrl-C ends");
                Workload.go(here);
                Workload.go(there);
                assertThat(kview.await().exitCode()).isZero();
            }
            Session both = Session.read(folder.resolve("both.kview"));
            long callsHere = truth("here", "poll_queue").path("calls").asLong();
            long callsThere = truth("there", "poll_queue").path("calls").asLong();
            assertThat(both.function("poll_queue").calls()).isEqualTo(callsHere + callsThere);
            assertThat(both.json().at("/hosts/0/functions/0/calls").asLong()).isEqualTo(callsHere);
            assertThat(both.json().at("/hosts/1/functions/0/calls").asLong()).isEqualTo(callsThere);
            assertThat(both.json().at("/hosts/1/session/target").asText()).isEqualTo(server.target());
        }
    }

    /** While the list of hosts is all that there is, as a trial precedes the recordings. */
    @ParameterizedTest
    @ValueSource(strings = {"KILL", "INT"})
    void aStartOnTwoHostsThatIsBrokenOffIsInNobodysWay(String signal) throws Exception {
        try (SshServer server = SshServer.start(folder, "");
                Running here = Workload.waiting(Workload.DEMO, "--only", "poll_queue", "--seconds", "600");
                Running there = Workload.waiting(Workload.DEMO, "--only", "poll_queue", "--seconds", "600")) {
            Workload.go(here);
            Workload.go(there);
            List<String> record = List.of("record", "--target", "local", "--pid", Long.toString(here.pid()), "--target",
                    server.target(), "--pid", Long.toString(there.pid()), "--probe", "kview-demo:poll_queue", "--duration", "1s",
                    "-o", "both.kview");
            try (Running kview = Running.start(server.kview(folder, record.toArray(String[]::new)))) {
                Running.awaitFile(folder.resolve("both.kview/session.json"));
                kview.signal(signal).process().waitFor();
            }
            // Where the signal came late, what is there opens.
            boolean opens = server.run(folder, "report", "both.kview").exitCode() == 0;
            if (!opens) {
                assertThat(Files.exists(folder.resolve("both.kview"))).as("something is left").isEqualTo(signal.equals("KILL"));
                Kview.Result again = server.run(folder, record.toArray(String[]::new));
                assertThat(again.exitCode()).as(again.errors()).isZero();
                assertThat(Session.read(folder.resolve("both.kview")).function("poll_queue").calls()).isPositive();
            }
            awaitNoAgent(server);
        }
    }

    @Test
    void ctrlCKeepsTheSessionAndLeavesNothingOnTheHost() throws Exception {
        try (SshServer server = SshServer.start(folder, "")) {
            Running kview = Running.start(server.kview(folder, "record", "--target", server.target(), "--probe",
                    Workload.DEMO + ":poll_queue", "-o", "s.kview", "--", Workload.DEMO.toString(), "--seconds", "600"));
            try (kview) {
                kview.awaitSaid("recording process");
                Session.awaitCalls(folder.resolve("s.kview"));
                kview.signal("INT");
                assertThat(kview.await().exitCode()).isZero();
            }
            assertThat(Session.read(folder.resolve("s.kview")).function("poll_queue").calls()).isPositive();
            awaitNoAgent(server);
        }
    }

    static void awaitNoAgent(SshServer server) throws InterruptedException {
        for (int i = 0; i < 2400 && !server.agents().isEmpty(); i++) {
            Thread.sleep(50);
        }
        assertThat(server.agents()).isEmpty();
    }

    @Test
    void anUnknownHostExitsWith3() throws Exception {
        try (SshServer server = SshServer.start(folder, "")) {
            Files.writeString(folder.resolve("known_hosts"), "");
            // Without a terminal of its own there is nobody to ask, wherever the tests run.
            List<String> command = new ArrayList<>(List.of("setsid", "--wait"));
            ProcessBuilder builder = server.kview(folder, "doctor", "--target", server.target());
            command.addAll(builder.command());
            try (Running kview = Running.start(builder.command(command))) {
                Kview.Result result = kview.await();
                assertThat(result.exitCode()).isEqualTo(3);
                assertThat(result.errors()).contains("SHA256:").contains("[127.0.0.1]:" + server.port()).hasLineCount(1);
            }
        }
    }

    /** A terminal is made by script(1), which types what it reads. */
    @Test
    void onATerminalTheFingerprintIsShownAndConfirmed() throws Exception {
        try (SshServer server = SshServer.start(folder, "")) {
            Files.writeString(folder.resolve("known_hosts"), "");
            for (String answer : List.of("no", "once", "always")) {
                ProcessBuilder builder = server.kview(folder, "doctor", "--target", server.target());
                String line = String.join(" ", builder.command());
                builder.command("script", "-q", "-e", "-c", line, "/dev/null");
                Process process = builder.redirectErrorStream(true).start();
                Thread.sleep(300);
                process.getOutputStream().write(("what\n" + answer + "\n").getBytes());
                process.getOutputStream().flush();
                String said = new String(process.getInputStream().readAllBytes());
                assertThat(process.waitFor()).as(said).isEqualTo(answer.equals("no") ? 3 : 0);
                assertThat(said).contains("SHA256:").contains("no, once, always");
                assertThat(Files.size(folder.resolve("known_hosts")) > 0).as(answer).isEqualTo(answer.equals("always"));
            }
        }
    }

    @Test
    void anotherArchitectureExitsWith4() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path uname = Files.writeString(bin.resolve("uname"), "#!/bin/sh\n[ $1 = -m ] && echo riscv64 || exec /usr/bin/uname $1\n");
        Files.setPosixFilePermissions(uname, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (SshServer server = SshServer.start(folder, "SetEnv PATH=" + bin + ":/usr/bin:/bin HOME=" + folder + "/home")) {
            Kview.Result result = server.run(folder, "doctor", "--target", server.target());
            assertThat(result.exitCode()).isEqualTo(4);
            assertThat(result.errors()).contains("riscv64").hasLineCount(1);
            assertThat(Arrays.asList(folder.resolve("home").toFile().list())).isEmpty();
        }
    }
}
