// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallFates;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencyInterval;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProcessShare;
import org.kview.model.Scope;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.RecordingEnd;
import org.kview.targets.values.RecordingListener;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.RecordingStart;
import org.kview.targets.values.TargetException;

/**
 * Records for a second and keeps nothing, to find out what probes of these functions will cost this process. The trial's own
 * probes cost as much as those of a recording would. If no budget limits the recording, the trial's probes are limited to
 * {@value #MOST_PERCENT} % of the process's CPU time. Safe for use by several threads.
 */
public final class CostTrial {
    private static final Duration LENGTH = Duration.ofSeconds(1);
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final Duration LAST_WORD = Duration.ofSeconds(15);
    private static final int MOST_PERCENT = 20;
    private static final double NANOS = 1e9;

    private final CountDownLatch over = new CountDownLatch(1);

    /** What a trial is made of: not of points of the kernel, because other processes would pay for it. */
    public static List<FunctionInfo> tried(List<FunctionInfo> functions) {
        return functions.stream().filter(function -> function.point() instanceof ProbePoint.UserFunction
                || function.point() instanceof ProbePoint.Usdt usdt && usdt.isPair()).toList();
    }

    /**
     * Tries it. Blocks for a second, and for what attaching and detaching take.
     *
     * @param functions at least one, that can be probed
     * @param budget    what the recording will have
     * @throws TargetException if the probes could not be attached, or the process ended before anything was counted
     */
    public CostForecast run(Agent agent, Scope.Process process, List<FunctionInfo> functions, Budget budget, boolean forceReturnProbes)
            throws TargetException, InterruptedException {
        return run(agent, process, functions, budget, forceReturnProbes, Map.of(), CallSplits.NONE);
    }

    /**
     * Likewise of a cgroup.
     *
     * @param owners as of {@link RecordingSpec}
     * @param splits likewise: a call whose figures are split costs more
     */
    CostForecast run(Agent agent, Scope scope, List<FunctionInfo> functions, Budget budget, boolean forceReturnProbes, Map<String, Long> owners,
            CallSplits splits) throws TargetException, InterruptedException {
        Heard heard = new Heard();
        Budget limit = budget.isLimited() ? budget : new Budget(MOST_PERCENT * 10_000);
        agent.startRecording(new RecordingSpec(List.of(scope), functions, false, Filter.AUTO, INTERVAL, Duration.ZERO, limit,
                forceReturnProbes, ProbeWay.TRAP, false, false, CallConditions.NONE, owners, splits), heard);
        try {
            over.await(LENGTH.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            stop(agent);
        }
        return heard.forecast(functions);
    }

    /** Ends it before its second is over; {@link #run} then returns what was counted as soon as everything is detached. */
    public void cancel() {
        over.countDown();
    }

    /** Also where the waiting thread was interrupted: nobody else would. */
    private static void stop(Agent agent) throws TargetException, InterruptedException {
        boolean interrupted = Thread.interrupted();
        try {
            agent.stopRecording();
        } catch (TargetException e) {
            if (e.kind() != TargetException.Kind.BAD_REQUEST) {
                throw e;
            }
            // The process has ended, or all probes came off: the trial ended by itself.
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class Heard implements RecordingListener {
        private final CompletableFuture<RecordingEnd> end = new CompletableFuture<>();
        private final Map<Integer, FunctionInterval> latest = new HashMap<>();
        private ProcessShare share = ProcessShare.UNKNOWN;
        private long beginNanos;
        private long countedNanos;

        @Override
        public synchronized void started(RecordingStart start) {
            beginNanos = start.startNanos();
        }

        @Override
        public synchronized void interval(LatencyInterval interval) {
            interval.functions().forEach(function -> latest.put(function.functionId(), function));
            share = interval.share().isKnown() ? interval.share() : share;
            countedNanos = interval.endNanos();
        }

        @Override
        public void packet(int cpu, ByteBuffer packet, long events) {
            // A trial asks for no events.
        }

        @Override
        public void ended(RecordingEnd how) {
            end.complete(how);
            over.countDown();
        }

        CostForecast forecast(List<FunctionInfo> functions) throws TargetException, InterruptedException {
            RecordingEnd how = awaitEnd();
            synchronized (this) {
                // What was counted before it broke off is as good as a shorter trial.
                boolean counted = countedNanos > beginNanos;
                if (how.endNanos() == 0 && !counted || how.reason() == RecordingEnd.Reason.FAILED) {
                    throw new TargetException(TargetException.Kind.FAILED, how.message());
                }
                double seconds = seconds(how.endNanos() == 0 ? countedNanos : how.endNanos());
                List<CostForecast.Price> prices = new ArrayList<>();
                for (int i = 0; i < functions.size(); i++) {
                    prices.add(price(functions.get(i), latest.get(i), seconds));
                }
                return new CostForecast(prices, seconds, share.processNanos() / NANOS / seconds, besideNanos() / NANOS / seconds);
            }
        }

        /** The part of the probes' cost that belongs to no function. */
        private double besideNanos() {
            long functions = latest.values().stream().mapToLong(f -> f.fates().orElse(CallFates.NONE).cost().costNanos()).sum();
            return Math.max(0, share.probesNanos() - functions);
        }

        private double seconds(long untilNanos) {
            return Math.max(1, untilNanos - beginNanos) / NANOS;
        }

        private CostForecast.Price price(FunctionInfo function, FunctionInterval counted, double length) {
            if (counted == null) {
                return new CostForecast.Price(function, 0, 0, 0, false);
            }
            CallFates fates = counted.fates().orElse(CallFates.NONE);
            double seconds = fates.probesOff().map(off -> seconds(off.atNanos())).orElse(length);
            return new CostForecast.Price(function, counted.calls() / seconds, fates.cost().passedSites() / seconds,
                    fates.cost().costNanos() / NANOS / seconds, fates.probesOff().isPresent());
        }

        private RecordingEnd awaitEnd() throws TargetException, InterruptedException {
            try {
                return end.get(LAST_WORD.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new TargetException(TargetException.Kind.FAILED,
                        "The agent did not say how the trial ended; try again, or record without one");
            }
        }
    }
}
