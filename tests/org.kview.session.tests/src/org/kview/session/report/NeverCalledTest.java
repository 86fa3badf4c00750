// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.CallFates;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.testing.Recorded;

/** Why a function was perhaps never called: what is known comes before what is guessed. */
class NeverCalledTest {
    private static final Optional<CallFates.ProbesOff> CAME_OFF = Optional.of(new CallFates.ProbesOff(1, "They took 9 %.",
            Optional.of(Duration.ofMillis(5)), 0.09));

    private final List<FunctionLatency> functions = new ArrayList<>();

    private void add(ProbePoint point, String name, long calls, LostCalls lost, Optional<CallFates.ProbesOff> off) {
        ProbedFunction function = new ProbedFunction(functions.size(), name, point, Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.of(ExitKind.RETURN_SITES), new ProbedFunction.Cost(100, 900), 0);
        functions.add(new FunctionLatency(function, calls, 0, 0, Optional.of(Recorded.fates(lost, 0, 0, 0, 0, 0, 0, off)), Map.of()));
    }

    private void tracepoint(String category, String name) {
        var point = new ProbePoint.Tracepoint(category, name);
        functions.add(new FunctionLatency(ProbedFunction.of(functions.size(), point.label(), point, Mechanism.TRACEPOINT,
                ProbedFunction.OF_HITS), 0, 0, 0, Map.of()));
    }

    private void user(String name, long calls, LostCalls lost, Optional<CallFates.ProbesOff> off) {
        add(new ProbePoint.UserFunction("/bin/shop", name, 1, 1, 1), name, calls, lost, off);
    }

    private String line() {
        return line(Recorded.info("local", "a", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ofSeconds(1),
                SessionInfo.State.STOPPED, ""));
    }

    private String line(SessionInfo info) {
        return NeverCalled.line(new LatencySnapshot(info, functions, Losses.NONE, Recorded.overhead(900, true), List.of())).orElse("");
    }

    @Test
    void itsProbesCameOff() {
        user("early", 0, LostCalls.NONE, CAME_OFF);
        assertThat(line()).isEqualTo("early was never called. Its probes came off before the end.");
        user("other", 0, LostCalls.NONE, Optional.empty());
        assertThat(line()).isEqualTo("2 functions were never called: early, other. Probes of some came off before the end.");
    }

    @Test
    void noProcessOfATreeCameToIt() {
        user("idle", 0, LostCalls.NONE, Optional.empty());
        assertThat(line(of(new Scope.Tree(7, 0, List.of(), false))))
                .startsWith("idle was never called. No process of the tree came to it in this time;").doesNotContain("child");
    }

    /** Its processes' children are of it. */
    @Test
    void noProcessOfACgroupCalledIt() {
        user("idle", 0, LostCalls.NONE, Optional.empty());
        assertThat(line(of(new Scope.Cgroup("/web.service", 7, List.of(), false))))
                .startsWith("idle was never called. No process of the cgroup came to it in this time;").doesNotContain("child");
    }

    private static SessionInfo of(Scope scope) {
        SessionInfo info = Recorded.info("local", "a", "6.18.0", 0, "/web.service", "in", "", Instant.EPOCH, Duration.ofSeconds(1),
                SessionInfo.State.STOPPED, "");
        return new SessionInfo(info.measured(), List.of(scope), info.command(),
                info.filtering(), info.start(), info.duration(), info.ending(), info.provenance());
    }

    /** As a shell does that becomes the program. */
    @Test
    void theProcessExecutedAnotherProgram() {
        user("idle", 0, LostCalls.NONE, Optional.empty());
        user("main", 1, new LostCalls(0, 0, 0, 0, 1), Optional.empty());
        assertThat(line()).isEqualTo("idle was never called. The process executed another program, whose functions are others.");
    }

    @Test
    void theProcessMadeNoSuchSystemCall() {
        add(new ProbePoint.SystemCall("fsync"), "fsync", 0, LostCalls.NONE, Optional.empty());
        assertThat(line()).isEqualTo("fsync was never called. The process had no reason for it in this time, or a child process made it,"
                + " which is not measured.");
        user("idle", 0, LostCalls.NONE, Optional.empty());
        assertThat(line()).startsWith("2 functions were never called: fsync, idle. They may have begun before the recording");
    }

    @Test
    void noThreadOfTheProcessCameToATracepoint() {
        tracepoint("sched", "sched_switch");
        assertThat(line()).isEqualTo("tracepoint:sched:sched_switch was never hit. The process did not come to it in this time; what other"
                + " processes, its children among them, or threads of the kernel do is not counted.");
        tracepoint("net", "netif_rx");
        assertThat(line()).startsWith("2 tracepoints were never hit: tracepoint:sched:sched_switch, tracepoint:net:netif_rx. The process");
        user("idle", 0, LostCalls.NONE, Optional.empty());
        assertThat(line()).startsWith("3 points were never called or hit: ");
    }

    @Test
    void ofFunctionsThatWereCalledNothingIsSaid() {
        user("busy", 3, LostCalls.NONE, CAME_OFF);
        assertThat(line()).isEmpty();
    }
}
