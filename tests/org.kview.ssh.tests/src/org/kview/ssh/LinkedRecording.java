// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.kview.model.Budget;
import org.kview.model.Filter;
import org.kview.model.LatencyInterval;
import org.kview.model.Metric;
import org.kview.model.ProbeWay;
import org.kview.model.Scope;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.LinkState;
import org.kview.targets.values.LinkStatus;
import org.kview.targets.values.RecordingEnd;
import org.kview.targets.values.RecordingListener;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.RecordingStart;

/**
 * A recording, by the real agent, of a program that counts its own calls, over a link that is going to break.
 * Keeps the states of the link.
 */
final class LinkedRecording implements RecordingListener, AutoCloseable {
    static final Path AGENT = Path.of(System.getProperty("kview.agent", "none")).toAbsolutePath();
    private static final Path CALLS = Path.of(System.getProperty("kview.workloads", "none"), "kview-calls").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Agent agent;
    private final Process program;
    private final List<LinkStatus> heard = new CopyOnWriteArrayList<>();
    private final CompletableFuture<RecordingEnd> end = new CompletableFuture<>();
    private volatile long calls;
    private volatile long dropped;
    private long returned;
    private volatile long packetBytes;

    /** The program makes calls from {@link #go} on, until it is told to end: whatever happens to the link meets it there. */
    LinkedRecording(Agent agent, int callsPerSecond, Duration grace) throws Exception {
        this.agent = agent;
        assumeTrue(Files.isExecutable(CALLS), "the workloads are built");
        program = new ProcessBuilder(CALLS.toString(), "--wait", "--rate", "" + callsPerSecond, "--seconds", "3600").start();
        program.errorReader().readLine();
        var functions = agent.findFunctions(new FunctionQuery(program.pid(), "", "counted_call", 0)).functions();
        agent.listen(heard::add);
        agent.startRecording(new RecordingSpec(List.of(new Scope.Process(program.pid(), 0)), functions, true, Filter.AUTO,
                Duration.ofMillis(100), grace, Budget.NONE, false, ProbeWay.AUTO),
                this);
    }

    static void assumeItWorks() {
        assumeTrue(Files.isExecutable(AGENT), "the agent is built");
        assumeTrue("root".equals(System.getProperty("user.name")), "probes can be set");
    }

    /** Lets the program begin, and waits until some of its calls are told. */
    LinkedRecording go() throws IOException, InterruptedException {
        program.getOutputStream().write('\n');
        program.getOutputStream().flush();
        return awaitMoreCalls();
    }

    LinkedRecording awaitMoreCalls() throws InterruptedException {
        long before = calls;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (calls == before) {
            assertThat(System.nanoTime()).as("calls are told, after %s", heard).isLessThan(end);
            Thread.sleep(10);
        }
        return this;
    }

    @Override
    public void started(RecordingStart start) {
        // The figures are enough.
    }

    @Override
    public void interval(LatencyInterval interval) {
        interval.functions().forEach(f -> {
            calls = f.calls();
            returned += f.added().get(Metric.WALL) == null ? 0 : f.added().get(Metric.WALL).count();
        });
        dropped = interval.losses().eventsDropped();
    }

    @Override
    public void packet(int cpu, ByteBuffer packet, long events) {
        packetBytes += packet.remaining();
    }

    @Override
    public void ended(RecordingEnd ended) {
        end.complete(ended);
    }

    long calls() {
        return calls;
    }

    RecordingEnd awaitEnd() throws Exception {
        return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    LinkStatus await(LinkState state) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (heard.stream().noneMatch(s -> s.state() == state)) {
            assertThat(System.nanoTime()).as("it becomes %s, so far: %s", state, heard).isLessThan(end);
            Thread.sleep(10);
        }
        return heard.stream().filter(s -> s.state() == state).findFirst().orElseThrow();
    }

    List<LinkStatus> heard() {
        return heard;
    }

    /** Ends the program, and compares what was recorded with its own count. */
    void assertComplete() throws Exception {
        // By its handle: the process's own method closes what the program still has to say.
        program.toHandle().destroy();
        String said = new String(program.getInputStream().readAllBytes());
        Matcher count = Pattern.compile("\"calls\": ?(\\d+)").matcher(said);
        assertThat(count.find()).as(said).isTrue();
        assertThat(awaitEnd().reason()).as("%s, %s", end.get().message(), heard).isEqualTo(RecordingEnd.Reason.PROCESS_ENDED);
        assertThat(calls).as("calls, after %s", heard).isEqualTo(Long.parseLong(count.group(1))).isPositive();
        assertThat(returned).as("returned").isEqualTo(calls);
        assertThat(packetBytes).as("a call's events take 60 bytes").isGreaterThan(calls * 60 - dropped * 60);
    }

    Agent agent() {
        return agent;
    }

    boolean isProgramAlive() {
        return program.isAlive();
    }

    @Override
    public void close() {
        agent.close();
        program.destroyForcibly();
    }
}
