// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Debian's kernel 6.1, which sets probes on its functions one by one; and what does not depend on the kernel. */
class Kernel61Test extends GuestTest {
    /** Ten times a second it writes to /dev/null. It says its number first. */
    private static final String WRITER = "mkfifo /tmp/never$$; exec bash -c "
            + "'echo $$ >&2; exec 3<>/tmp/never$$ >/dev/null; while :; do echo; read -t 0.1 -u 3; done'";

    Kernel61Test() {
        super("6.1", Optional.empty());
    }

    /** It is tried on the newer kernel, and there over a bad network; here calls of such functions are counted in a view. */
    @Test
    @Tag("long")
    @Override
    void everyCallIsCounted() throws Exception {
        super.everyCallIsCounted();
    }

    /** Likewise: on this kernel it is tried that they are counted, and left with the old program. */
    @Test
    @Tag("long")
    @Override
    void functionsOfProgramsAreTimedInAView() throws Exception {
        super.functionsOfProgramsAreTimedInAView();
    }

    /** What nobody asked for otherwise is measured in the process's own view, of which nothing is left then. */
    @Test
    void inAViewTheProcessAloneIsCounted() throws Exception {
        Session session = countKernelFunctions("auto", "view.kview");
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(session.json().path("session").path("filter_note").asText()).contains("other processes run none of its instructions");
        assertThat(session.function(EXECVE).json().path("lost").path("exec").asLong()).as("left with the old program").isEqualTo(1);
        nothingIsLeft();
    }

    /** Its child makes the same calls, and then it executes. */
    @Test
    void inAViewSystemCallsOfTheProcessAloneAreCounted() throws Exception {
        int calls = 700;
        String dd = "dd if=/dev/zero of=/dev/null bs=1 status=none count=";
        Kview.Result result = guest().kview(folder(), "record", "--target", "root@guest", "--probe", "syscall:write", "--probe",
                "syscall:execve", "--probe", "syscall:wait4", "--budget", "none", "--events", "-o", "calls.kview", "--", "bash", "-c",
                dd + "400; exec " + dd + calls);
        assertThat(result.exitCode()).as(result.errors()).isZero();
        Session session = Session.read(folder().resolve("calls.kview"));
        assertThat(session.function("syscall:write").calls()).isEqualTo(calls);
        assertThat(session.function("syscall:write").returned()).isEqualTo(calls);
        assertThat(session.function("syscall:write").json().path("on_cpu").path("count").asLong()).isEqualTo(calls);
        assertThat(session.function("syscall:execve").calls()).isEqualTo(1);
        JsonNode execve = session.function("syscall:execve").json();
        assertThat(execve.path("lost").path("exec").asLong()).as("left with the old program").isEqualTo(1);
        JsonNode waits = session.function("syscall:wait4").json().path("off_cpu");
        assertThat(waits.path("other").path("total_ns").asLong()).as("it waited for its child").isPositive();
        assertThat(CtfTrace.read(folder().resolve("calls.kview/trace")).callEvents())
                .isEqualTo(2L * (calls + session.function("syscall:wait4").calls()) + 1);
        assertThat(session.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(session.json().path("session").path("filter_note").asText()).contains("System calls are measured in the process's own view",
                "other processes run none of its instructions");
        nothingIsLeft();
    }

    @Test
    void aViewGoesWithAnAgentThatIsKilled() throws Exception {
        try (Running program = Running.start(guest().shell("root", WRITER))) {
            String pid = pid(program);
            Path session = folder().resolve("killed.kview");
            try (Running recording = Running.start(guest().builder(folder(), "record", "--target", "root@guest", "--pid", pid,
                    "--probe", "kernel:vfs_write", "--filter", "view", "--budget", "none", "-o", session.toString()))) {
                recording.awaitSaid("recording process");
                assertThat(guest().run("root", "/guest/bin/kviewctl stat")).contains("views 1\n", "processes 1\n");
                awaitACall(session);
                theViewIsToldWithWhatItCounts(pid);
                guest().run("root", "pkill -9 -x kview-agent");
                recording.await(GuestHost.PATIENCE);
            }
            nothingIsLeft();
            assertThat(views().path("views")).isEmpty();
            assertThat(guest().run("root", "kill " + pid + " && echo ran")).isEqualTo("ran\n");
            assertThat(Session.read(session).function("kernel:vfs_write").calls()).isPositive();
        }
    }

    /** Whoever asks is another agent than the one that records. */
    private void theViewIsToldWithWhatItCounts(String pid) throws Exception {
        JsonNode first = theOnly(views().path("views"));
        assertThat(first.path("name").asText()).isEqualTo("kview record");
        assertThat(first.path("owner").path("command").asText()).isEqualTo("kview-agent");
        assertThat(first.path("owner").path("user").asText()).isEqualTo("root");
        assertThat(theOnly(first.path("attachments")).path("kind").asText()).isEqualTo("process");
        assertThat(theOnly(first.path("attachments")).path("pid").asText()).isEqualTo(pid);
        assertThat(theOnly(first.path("attachments")).path("command").asText()).isEqualTo("bash");
        assertThat(first.path("memory_bytes").asLong()).isGreaterThan(first.path("sets").path(0).path("memory_bytes").asLong());
        assertThat(first.path("sets").findValuesAsText("kind")).contains("return", "entry", "tracepoint");
        long hits = hitsOfReturns(first);
        assertThat(hits).as("a call was told by then").isPositive();
        // It calls ten times a second, as long as it gets the processor.
        long end = System.nanoTime() + GuestHost.PATIENCE.toNanos();
        while (hitsOfReturns(theOnly(views().path("views"))) <= hits) {
            assertThat(System.nanoTime()).as("more calls are told").isLessThan(end);
        }
    }

    private static long hitsOfReturns(JsonNode view) {
        List<JsonNode> sets = StreamSupport.stream(view.path("sets").spliterator(), false)
                .filter(set -> set.path("kind").asText().equals("return")).toList();
        assertThat(sets).singleElement().satisfies(set -> assertThat(set.path("counts_note").asText()).isEmpty());
        return sets.getFirst().path("hits").asLong();
    }

    private static JsonNode theOnly(JsonNode list) {
        assertThat(list).hasSize(1);
        return list.path(0);
    }

    private JsonNode views() throws Exception {
        Kview.Result result = guest().kview(folder(), "views", "--target", "root@guest", "--json");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        return new ObjectMapper().readTree(result.output());
    }

    /** A shell forks children, which pay for probes until they are rid of them, and executes a program in the end; then the agent is killed. */
    @Test
    void functionsInAViewWithForksAnExecveAndAnAgentThatIsKilled() throws Exception {
        int children = 40;
        Path session = folder().resolve("forks.kview");
        try (Running program = Running.start(guest().shell("root", "mkfifo /tmp/go; exec bash -c 'echo $$ >&2; read < /tmp/go; for i in {1.."
                + children + "}; do (:); done; for i in 1; do exec sleep 100000; done'"));
                Running recording = Running.start(guest().builder(folder(), "record", "--target", "root@guest", "--pid", pid(program),
                        "--probe", "bash:execute_command", "--filter", "view", "--budget", "none", "-o", session.toString()))) {
            recording.awaitSaid("recording process");
            Kview.Result refused = guest().kview(folder(), "record", "--target", "root@guest", "--pid", pid(program), "--probe",
                    "bash:execute_command", "--filter", "view", "--waits", "-o", "refused.kview");
            assertThat(refused.exitCode()).as(refused.errors()).isEqualTo(4);
            assertThat(refused.errors()).contains("Who woke a thread", "--filter in");
            assertThat(guest().run("root", "/guest/bin/kviewctl stat")).as("the process's, and its children's").contains("views 2\n");
            guest().run("root", "echo > /tmp/go; until [ `cat /proc/" + pid(program) + "/comm` = sleep ]; do sleep 0.1; done");
            awaitFigures(session, Pattern.compile("\"exec\"\\s*:\\s*[1-9]"));
            guest().run("root", "pkill -9 -x kview-agent");
            recording.await(GuestHost.PATIENCE);
            nothingIsLeft();
            assertThat(guest().run("root", "rm /tmp/go; kill " + pid(program) + " && echo ran")).isEqualTo("ran\n");
        }
        Session killed = Session.read(session);
        assertThat(killed.json().path("overhead").path("children").path("forked").asInt()).isEqualTo(children);
        assertThat(killed.function("execute_command").returned()).isEqualTo(children);
        assertThat(killed.function("execute_command").json().path("lost").path("exec").asLong()).isEqualTo(1);
        assertThat(killed.loss("healed_switches")).isZero();
    }

    /** A process can be in 16 views. With one of somebody else's it is measured in its own, beside a system call, and that is told. */
    @Test
    void whereTheProcessMayEnterNoViewAllPassTheProbes() throws Exception {
        String writes = "kernel:vfs_write";
        try (Running program = Running.start(guest().shell("root", WRITER))) {
            String pid = pid(program);
            guest().run("root", "cd /tmp; i=0; while [ $i -lt 16 ]; do i=$((i + 1)); /guest/bin/kviewctl create v$i -f vfs_fsync"
                    + " && /guest/bin/kviewctl attach v$i -p " + pid + " || exit; done > /tmp/made 2>&1 < /dev/null");
            record(pid, "refused.kview", writes);
            guest().run("root", "i=1; while [ $i -lt 16 ]; do i=$((i + 1)); /guest/bin/kviewctl remove v$i || exit; done");
            record(pid, "shared.kview", writes, "syscall:write");
            guest().run("root", "/guest/bin/kviewctl remove v1; kill " + pid);
        }
        JsonNode refused = Session.read(folder().resolve("refused.kview")).json().path("session");
        assertThat(refused.path("filter").asText()).isEqualTo("in");
        assertThat(refused.path("filter_note").asText()).contains("is in as many views as a process can be");
        Session shared = Session.read(folder().resolve("shared.kview"));
        assertThat(shared.json().path("session").path("filter").asText()).isEqualTo("view");
        assertThat(shared.json().path("session").path("filter_note").asText())
                .contains("System calls and functions of the kernel are measured in the process's own view");
        assertThat(shared.json().path("overhead").path("calibration_note").asText())
                .contains("The process was in a view of kviewctl (process ");
        assertThat(List.of(writes, "syscall:write")).extracting(point -> shared.function(point).json().path("mechanism").asText())
                .containsExactly("kernel_probe", "tracepoint");
        nothingIsLeft();
    }

    private void record(String pid, String session, String... points) throws Exception {
        List<String> command = new ArrayList<>(List.of("record", "--target", "root@guest", "--pid", pid, "--duration", "1s", "--budget",
                "none", "-o", session));
        for (String point : points) {
            command.addAll(List.of("--probe", point));
        }
        Kview.Result result = guest().kview(folder(), command.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.errors()).isZero();
    }

    private static String pid(Running program) throws Exception {
        return Files.readString(program.awaitSaid("\n").errors()).strip();
    }

    private static void awaitFigures(Path session, Pattern figures) throws Exception {
        long end = System.nanoTime() + GuestHost.PATIENCE.toNanos();
        while (!figures.matcher(Files.readString(session.resolve("session.json"))).find()) {
            assertThat(System.nanoTime()).as("%s is told", figures).isLessThan(end);
            Thread.sleep(20);
        }
    }

    private static void awaitACall(Path session) throws Exception {
        long end = System.nanoTime() + GuestHost.PATIENCE.toNanos();
        while (!Files.readString(session.resolve("latency.hlog")).contains(":kernel:vfs_write:")) {
            assertThat(System.nanoTime()).as("a call is told").isLessThan(end);
            Thread.sleep(20);
        }
    }
}
