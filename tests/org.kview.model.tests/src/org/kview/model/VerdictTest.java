// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.testing.Recorded;

class VerdictTest {
    private static final ProbedFunction F = Recorded.function(0, "f", "f", "/bin/x", 1, 1, 1, ExitKind.UNKNOWN, 0, 0);

    /** Percent of 1 ms of wall-clock time. */
    private static FunctionLatency latency(Map<Metric, Integer> percents) {
        Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
        distributions.put(Metric.WALL, new Distribution.Builder().add(1_000_000).build());
        percents.forEach((metric, percent) -> distributions.put(metric,
                new Distribution.Builder().add(percent * 10_000L).build()));
        return new FunctionLatency(F, 1, 0, 0, distributions);
    }

    @Test
    void theLargestPartDecides() {
        Verdict verdict = Verdict.of(latency(Map.of(Metric.ON_CPU, 6, Metric.LOCK, 94)));
        assertThat(verdict.metric()).isEqualTo(Metric.LOCK);
        assertThat(verdict.share()).isEqualTo(0.94);
        assertThat(verdict.text()).isEqualTo("waits for a lock: 94 % of its time");
    }

    private static String verdict(Wait... waits) {
        return verdict(Metric.LOCK, waits);
    }

    private static String verdict(Metric cause, Wait... waits) {
        FunctionLatency f = latency(Map.of(Metric.ON_CPU, 6, cause, 94));
        return Verdict.of(new FunctionLatency(f.function(), 1, 0, 0, Optional.of(CallFates.NONE.with(new Waits(List.of(waits)))),
                f.distributions())).text();
    }

    @Test
    void whoWokeItAndWhichLockItWasAreNamed() {
        Waker worker = new Waker(Waker.Kind.THREAD, 4711, 4711, "postgres");
        Waker timer = Waker.of(Waker.Kind.INTERRUPT);
        assertThat(verdict(new Wait(Metric.LOCK, worker, 64, "cache+0x28", 902_400, 9), new Wait(Metric.LOCK, timer, 0, "", 37_600, 1)))
                .isEqualTo("waits for a lock: 94 % of its time, for cache+0x28, woken by thread 4711 (postgres)");
        assertThat(verdict(new Wait(Metric.LOCK, worker, 64, "[heap]", 564_000, 9), new Wait(Metric.LOCK, timer, 0, "", 376_000, 1)))
                .endsWith(", for 0x40 in [heap], mostly woken by thread 4711 (postgres)");
        assertThat(verdict(new Wait(Metric.LOCK, worker, 0, "", 376_000, 9), new Wait(Metric.LOCK, timer, 0, "", 564_000, 1),
                new Wait(Metric.NETWORK, worker, 0, "", 900, 1))).as("no thread has most of it").endsWith("of its time");
        assertThat(verdict(new Wait(Metric.LOCK, worker, 64, "cache", 300_000, 9))).as("most waits were not seen").endsWith("of its time");
    }

    @Test
    void whereItWaitedIsNamedWhereNoLockIsKnown() {
        Waker worker = new Waker(Waker.Kind.THREAD, 4711, 4711, "postgres");
        WaitPlace pipe = new WaitPlace(WaitPlace.Kind.STACK, List.of("helper", "pipe_read", "vfs_read"), 1);
        assertThat(verdict(new Wait(Metric.LOCK, worker, 0, "", 900_000, 9, pipe), new Wait(Metric.LOCK, worker, 0, "", 40_000, 1,
                WaitPlace.of(WaitPlace.Kind.OTHERS)))).endsWith("of its time, in pipe_read, woken by thread 4711 (postgres)");
        assertThat(verdict(new Wait(Metric.LOCK, worker, 64, "cache", 900_000, 9, pipe))).contains(", for cache").doesNotContain("pipe_read");
        assertThat(verdict(new Wait(Metric.LOCK, worker, 0, "", 940_000, 9, WaitPlace.of(WaitPlace.Kind.OTHERS)))).doesNotContain(", in ");
    }

    private static Wait read(Descriptor.Kind kind, String peer, long nanos) {
        return read(kind, peer, 77, "tcp_recvmsg", nanos);
    }

    private static Wait read(Descriptor.Kind kind, String peer, long inode, String place, long nanos) {
        return new Wait(Metric.NETWORK, Waker.of(Waker.Kind.INTERRUPT), 0, "", nanos, 9,
                new WaitPlace(WaitPlace.Kind.STACK, List.of(place), 0), new WaitCall("read",
                        Optional.of(new Descriptor(8, kind, "", "", peer, 0, false, inode, Descriptor.Watched.NONE)), false));
    }

    /** What the thread was in there may be something else, such as a page of its buffer: so that is said as well. */
    @Test
    void aDescriptorThatHasNearlyAllOfItIsNamedAndThePlaceWithIt() {
        assertThat(verdict(Metric.NETWORK, read(Descriptor.Kind.TCP, "127.0.0.1:6379", 893_001)))
                .isEqualTo("waits for a socket or pipe: 94 % of its time, in read of TCP to 127.0.0.1:6379 (descriptor 8), there in tcp_recvmsg");
        assertThat(verdict(Metric.NETWORK, read(Descriptor.Kind.TCP, "127.0.0.1:6379", 77, "ep_poll", 893_001))).as("it says nothing more")
                .isEqualTo("waits for any of its descriptors: 94 % of its time, in read of TCP to 127.0.0.1:6379 (descriptor 8)");
        assertThat(verdict(Metric.NETWORK, read(Descriptor.Kind.TCP, "127.0.0.1:6379", 77, "pipe_read", 450_000),
                read(Descriptor.Kind.TCP, "127.0.0.1:6379", 470_000))).as("no place has most of it")
                .isEqualTo("waits for a socket or pipe: 94 % of its time, in read of TCP to 127.0.0.1:6379 (descriptor 8)");
        assertThat(verdict(Metric.NETWORK, read(Descriptor.Kind.TCP, "127.0.0.1:6379", 892_000), read(Descriptor.Kind.PIPE, "", 48_000)))
                .isEqualTo("waits for a socket or pipe: 94 % of its time, in tcp_recvmsg");
    }

    @Test
    void severalDescriptorsOfOneNameAreNotNamedAsOne() {
        assertThat(verdict(Metric.NETWORK, read(Descriptor.Kind.PIPE, "", 1, "pipe_read", 470_000),
                read(Descriptor.Kind.PIPE, "", 2, "pipe_read", 470_000))).isEqualTo("waits for a socket or pipe: 94 % of its time, in pipe_read");
    }

    /** Reading from a timerfd is a sleep as well, and how it sleeps is no news. */
    @Test
    void whereItSleptIsNamedWhereThatTellsMoreThanThatItSlept() {
        Waker timer = Waker.of(Waker.Kind.INTERRUPT);
        assertThat(verdict(Metric.SLEEP, new Wait(Metric.SLEEP, timer, 0, "", 940_000, 9, new WaitPlace(WaitPlace.Kind.STACK,
                List.of("timerfd_read_iter.constprop.0", "vfs_read"), 0)))).isEqualTo("sleeps: 94 % of its time, in timerfd_read_iter");
        for (String sleeps : List.of("do_nanosleep", "hrtimer_nanosleep", "common_nsleep", "common_nsleep_timens")) {
            assertThat(verdict(Metric.SLEEP, new Wait(Metric.SLEEP, timer, 0, "", 940_000, 9, new WaitPlace(WaitPlace.Kind.STACK,
                    List.of(sleeps), 0)))).isEqualTo("sleeps: 94 % of its time");
        }
    }

    /** A latch of postgres waits in epoll for a signal. */
    @Test
    void whoPollsWaitsForNoSingleSocketOrPipe() {
        WaitPlace epoll = new WaitPlace(WaitPlace.Kind.STACK, List.of("do_epoll_wait.isra.0", "do_syscall_64"), 0);
        WaitPlace pipe = new WaitPlace(WaitPlace.Kind.STACK, List.of("pipe_read"), 0);
        Waker other = new Waker(Waker.Kind.THREAD, 4711, 4711, "postgres");
        assertThat(verdict(Metric.NETWORK, new Wait(Metric.NETWORK, other, 0, "", 940_000, 5, epoll)))
                .isEqualTo("waits for any of its descriptors: 94 % of its time, in do_epoll_wait, woken by thread 4711 (postgres)");
        assertThat(verdict(Metric.NETWORK, new Wait(Metric.NETWORK, other, 0, "", 893_001, 5, epoll))).startsWith("waits for any of its descriptors: ");
        assertThat(verdict(Metric.NETWORK, new Wait(Metric.NETWORK, other, 0, "", 892_000, 5, epoll),
                new Wait(Metric.NETWORK, other, 0, "", 48_000, 5, pipe))).startsWith("waits, mostly for any of its descriptors: 94 % of its time, in do_epoll_wait");
        assertThat(verdict(Metric.NETWORK, new Wait(Metric.NETWORK, other, 0, "", 500_000, 5, pipe),
                new Wait(Metric.NETWORK, other, 0, "", 440_000, 5, epoll))).startsWith("waits for a socket or pipe");
        assertThat(verdict(Metric.NETWORK, new Wait(Metric.NETWORK, other, 0, "", 400_000, 5, epoll))).as("most waits were not seen")
                .startsWith("waits for a socket or pipe");
    }

    @Test
    void waitingForACpuCountsTogetherWhetherQueuedOrPreempted() {
        Verdict verdict = Verdict.of(latency(Map.of(Metric.ON_CPU, 40, Metric.RUN_QUEUE, 25, Metric.PREEMPTED, 35)));
        assertThat(verdict.metric()).isEqualTo(Metric.PREEMPTED);
        assertThat(verdict.share()).isEqualTo(0.6, org.assertj.core.data.Offset.offset(1e-9));
    }

    @Test
    void everyMetricHasASentence() {
        for (Metric metric : Metric.OF_CALLS) {
            if (metric != Metric.WALL) {
                Verdict verdict = Verdict.of(latency(Map.of(metric, 100)));
                assertThat(verdict.metric()).isEqualTo(metric);
                assertThat(verdict.text()).contains("100 %");
            }
        }
    }

    /** The same where the probes took so much, and are known so well. */
    private static FunctionLatency probed(Map<Metric, Integer> percents, long removedNanos, long uncertainNanos) {
        FunctionLatency f = latency(percents);
        return new FunctionLatency(f.function(), 1, 0, 0, Optional.of(Recorded.fates(LostCalls.NONE, 0, 0, removedNanos,
                uncertainNanos, 0, 0, Optional.empty())), f.distributions());
    }

    @Test
    void whatTheProbesTookLeavesNothingToJudge() {
        Map<Metric, Integer> computes = Map.of(Metric.ON_CPU, 100);
        assertThat(Verdict.of(probed(computes, 3_000_000, 0)).metric()).isEqualTo(Metric.ON_CPU);
        assertThat(Verdict.of(probed(computes, 9_000_000, 0))).isEqualTo(new Verdict(Metric.OTHER, 0,
                "too short for its probes: 90 % of what was measured was theirs"));
    }

    @Test
    void anErrorThatMayTurnTheVerdictRoundWithholdsIt() {
        Map<Metric, Integer> close = Map.of(Metric.ON_CPU, 45, Metric.LOCK, 55);
        assertThat(Verdict.of(probed(close, 0, 50_000)).metric()).isEqualTo(Metric.LOCK);
        assertThat(Verdict.of(probed(close, 0, 150_000)).text()).isEqualTo(
                "too short for its probes: which part is the largest is within their error of ± 15 %");
        assertThat(Verdict.of(probed(Map.of(Metric.ON_CPU, 100), 0, 400_000)).text()).isEqualTo(
                "too short for its probes: its time is known to ± 40 %");
    }

    /** A hundred calls of 1 ms on a CPU, so many of them until they went on to poll. */
    private static FunctionLatency cut(Optional<Long> cutCalls) {
        var hundred = new Distribution.Builder();
        for (int i = 0; i < 100; i++) {
            hundred.add(1_000_000);
        }
        var function = new ProbedFunction(0, "w_poll", new ProbePoint.UserFunction("/bin/x", "w_poll", 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, new ProbedFunction.Ends(ExitKind.RETURN_SITES, List.of("poll"), false),
                ProbedFunction.Cost.UNKNOWN, 0);
        return new FunctionLatency(function, 100, 0, 0, cutCalls.map(n -> Recorded.fates(LostCalls.NONE, n, 0, 0, 0, 0, 0,
                Optional.empty())), Map.of(Metric.WALL, hundred.build(), Metric.ON_CPU, hundred.build()));
    }

    @Test
    void ofCallsThatAreTimedInPartItIsNotKnownWhereTheirTimeGoes() {
        Verdict unknown = new Verdict(Metric.OTHER, 0, "not known: its time after it goes on to poll isn't measured");
        assertThat(Verdict.of(cut(Optional.of(100L)))).isEqualTo(unknown);
        assertThat(Verdict.of(cut(Optional.of(6L)))).isEqualTo(unknown);
        assertThat(Verdict.of(cut(Optional.empty()))).as("an old session, without the number").isEqualTo(unknown);
        assertThat(Verdict.of(cut(Optional.of(5L))).metric()).isEqualTo(Metric.ON_CPU);
        assertThat(Verdict.of(cut(Optional.of(0L))).metric()).isEqualTo(Metric.ON_CPU);
    }

    @Test
    void whereNothingIsLeftNothingIsJudged() {
        var wall = Map.of(Metric.WALL, new Distribution.Builder().add(0).add(0).build());
        assertThat(Verdict.of(new FunctionLatency(F, 2, 0, 0, wall)).text()).isEqualTo(
                "too short for its probes: nothing remains of its time");
    }

    @Test
    void nothingIsSaidOfWhatWasNotMeasured() {
        assertThat(Verdict.of(new FunctionLatency(F, 0, 0, 0, Map.of())).text()).isEqualTo("never called");
        assertThat(Verdict.of(new FunctionLatency(F, 0, 0, 0, Optional.of(CallFates.NONE.withUnmatched(7)), Map.of())).text())
                .isEqualTo("no call matched its condition");
        assertThat(Verdict.of(new FunctionLatency(F, 3, 0, 3, Map.of())).text()).isEqualTo("no call has returned");
    }
}
