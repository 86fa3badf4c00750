// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

/** System calls from the command line: as many as the program was told to make, and where their time went. */
@Order(5)
class SystemCallsTest {
    @TempDir
    private Path folder;

    @Test
    void areCountedExactly() throws Exception {
        Path session = folder.resolve("dd.kview");
        Kview.Result result = Kview.run(folder, "record", "--probe", "syscall:w?ite", "--probe", "syscall:fsync", "--budget",
                "none", "--events", "-o", session.toString(), "--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=4000",
                "status=none");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.output()).contains("syscall:write", "syscall:fsync was never called",
                "other processes pass");
        Session read = Session.read(session);
        Session.Function write = read.function("syscall:write");
        assertThat(write.calls()).isEqualTo(4000);
        assertThat(write.returned()).isEqualTo(4000);
        assertThat(write.wallTotalNanos()).isPositive();
        assertThat(write.json().path("point").path("kind").asText()).isEqualTo("system_call");
        assertThat(write.json().path("on_cpu").path("count").asLong()).isEqualTo(4000);
        assertThat(write.json().path("off_cpu")).isNotEmpty().noneMatch(JsonNode::isNull);
        assertThat(read.function("syscall:fsync").calls()).isZero();
        Kview.Result calls = Kview.run(folder, "calls", session.toString(), "--function", "syscall:write", "--csv");
        assertThat(calls.output().lines().count()).as(calls.errors()).isEqualTo(4001);
    }

    /** One that fails, and one with which the program tells that. */
    @Test
    void whyTheyFailIsTold() throws Exception {
        Path session = folder.resolve("dd.kview");
        Kview.Result result = Kview.run(folder, "record", "--probe", "syscall:write", "--budget", "none", "-o", session.toString(),
                "--", "dd", "if=/dev/zero", "of=/dev/full", "bs=1", "count=1");
        assertThat(result.output()).as(result.errors()).contains("failed: ENOSPC 1");
        assertThat(Session.read(session).function("syscall:write").json().path("failed").toString())
                .isEqualTo("[{\"errno\":28,\"name\":\"ENOSPC\",\"calls\":1}]");
    }

    /** The process that sees it writes to /dev/null as well, and is not counted. It rests before each round: so many calls outlast that. */
    @Test
    void whatTheyCostOthersIsMeasuredBesideThem() throws Exception {
        Path session = folder.resolve("dd.kview");
        Kview.Result result = Kview.run(folder, "record", "--probe", "syscall:write", "--probe", "syscall:fsync", "--cost-to-others",
                "--budget", "none", "-o", session.toString(), "--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=2000000",
                "status=none");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.output().replace('\n', ' ')).contains("seen by one of the agent's own that was not recorded",
                "getppid() stands for syscall:fsync as well", "write() to /dev/null: ");
        Session read = Session.read(session);
        assertThat(read.function("syscall:write").calls()).isEqualTo(2_000_000);
        JsonNode operations = read.json().at("/overhead/others/operations");
        assertThat(operations).hasSize(3);
        assertThat(operations).allSatisfy(operation -> {
            assertThat(operation.at("/before/rounds").asInt()).isBetween(1, 20);
            assertThat(operation.at("/before/median_ns").asDouble()).isPositive();
            assertThat(operation.at("/during/rounds").asInt()).isPositive();
            assertThat(operation.at("/after/rounds").asInt()).isBetween(1, 20);
        });
    }

    /** The C library's function makes each of them. */
    @Test
    void areCountedBesideFunctions() throws Exception {
        Path session = folder.resolve("dd.kview");
        Kview.Result result = Kview.run(folder, "record", "--probe", "libc.so.6:write", "--probe", "syscall:write",
                "--budget", "none", "-o", session.toString(), "--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=4000",
                "status=none");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.errors() + result.output()).contains("probing 1 function and 1 system call");
        Session read = Session.read(session);
        Session.Function call = read.function("syscall:write");
        assertThat(call.calls()).isEqualTo(4000);
        assertThat(call.json().path("mechanism").asText()).isEqualTo("tracepoint");
        Session.Function function = read.function("write");
        assertThat(function.calls()).isEqualTo(4000);
        assertThat(function.json().path("mechanism").asText()).isEqualTo("trap");
    }

    /** The same writes, which take no time there. */
    @Test
    void theirTracepointsAreCountedBesideThem() throws Exception {
        Path session = folder.resolve("dd.kview");
        Kview.Result result = Kview.run(folder, "record", "--probe", "tracepoint:syscalls:sys_e*_write", "--probe", "syscall:write",
                "--budget", "none", "-o", session.toString(), "--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=4000",
                "status=none");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        // Where lines end depends on how long the figures in them are.
        assertThat((result.errors() + result.output()).replaceAll("\\s+", " "))
                .contains("probing 1 system call and 2 tracepoints", "Hits/s", "calls and hits");
        Session read = Session.read(session);
        assertThat(read.function("syscall:write").returned()).isEqualTo(4000);
        for (String name : List.of("tracepoint:syscalls:sys_enter_write", "tracepoint:syscalls:sys_exit_write")) {
            assertThat(read.function(name).calls()).isEqualTo(4000);
            assertThat(read.function(name).json().path("between").path("count").asLong()).isEqualTo(3999);
            assertThat(read.function(name).json().path("wall").isNull()).isTrue();
        }
    }

    /** Debian's Python says when it collects garbage, to those who watch. */
    @Test
    void staticProbesOfAProgramAreCounted() throws Exception {
        Path session = folder.resolve("gc.kview");
        String program = "/usr/bin/python3";
        Kview.Result list = Kview.run(folder, "functions", "usdt:" + program + ":python:gc__*");
        assertThat(list.output().lines()).as(list.errors()).hasSize(2).allMatch(line -> line.matches("usdt:/usr/bin/python3\\.\\d+:python:gc__(start|done)"));
        Kview.Result result = Kview.run(folder, "record", "--probe", "usdt:python3:python:gc__*", "--budget", "none", "-o", session.toString(),
                "--", program, "-c", "import gc\nfor i in range(500): gc.collect()");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.errors() + result.output()).contains("probing 2 static probes", "Static probe", "Hits/s");
        Session read = Session.read(session);
        String file = Path.of(program).toRealPath().getFileName().toString();
        Session.Function begins = read.function("usdt:" + file + ":python:gc__start");
        assertThat(begins.calls()).as("and those that it makes by itself").isBetween(500L, 600L)
                .isEqualTo(read.function("usdt:" + file + ":python:gc__done").calls());
        assertThat(begins.json().path("between").path("count").asLong()).isEqualTo(begins.calls() - 1);
        assertThat(begins.json().path("mechanism").asText()).isEqualTo("trap");
        assertThat(begins.json().path("point").path("provider").asText()).isEqualTo("python");
    }

    @Test
    void whatCantBeIsSaidBeforeTheProgramRuns() throws Exception {
        refused(1, "raed", "--probe", "syscall:raed");
        refused(4, "one kind of points", "--probe", "syscall:read", "--probe", "touch:main", "--events");
        refused(1, "r?ed", "--probe", "syscall:r?ed");
        refused(1, "sched:sched_switch", "--probe", "tracepoint:sched:sched_swich");
        refused(1, "locks", "--probe", "tracepoint:lock:*");
        refused(4, "no events of tracepoints", "--probe", "tracepoint:sched:sched_switch", "--events");
        refused(2, "tracepoint:SYSTEM:NAME", "--probe", "tracepoint:sched_switch");
        refused(1, "no static probes", "--probe", "usdt:touch:any:*");
        refused(2, "usdt:BIN:PROVIDER:NAME", "--probe", "usdt:touch:begin");
        assertThat(folder).isEmptyDirectory();
    }

    /** A kernel without probes on its own functions is a normal state. */
    @Test
    void whetherTheKernelLetsItsFunctionsBeProbedIsSaid() throws Exception {
        Kview.Result doctor = Kview.run(folder, "doctor");
        Kview.Result result = Kview.run(folder, "record", "--probe", "kernel:vfs_read", "-o", "s.kview", "--", "true");
        if (doctor.output().contains("Kernel functions can't be probed through kprobes")) {
            assertThat(result.exitCode()).as(result.errors()).isEqualTo(4);
            assertThat(result.errors()).contains("no probes on its own functions");
        } else {
            assertThat(result.exitCode()).as(result.errors()).isZero();
        }
    }

    private void refused(int exitCode, String why, String... options) throws Exception {
        String[] arguments = new String[options.length + 6];
        arguments[0] = "record";
        System.arraycopy(options, 0, arguments, 1, options.length);
        System.arraycopy(new String[] {"-o", "s.kview", "--", "touch", "touched"}, 0, arguments, options.length + 1, 5);
        Kview.Result result = Kview.run(folder, arguments);
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(exitCode);
        assertThat(result.errors()).contains(why);
    }
}
