// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.ProbeWay;

/**
 * How to record.
 *
 * @param events   whether each call and each switch is kept as an event too
 * @param filter   how other processes are told apart
 * @param duration after which the recording ends by itself; empty: when it is stopped, or the process ends
 * @param grace    how long it goes on at another host without a link, at most an hour
 * @param budget   how much of the process's CPU time the probes may take
 * @param functions how functions of programs are probed
 * @param waits    whether it is told for what calls waited, and who woke them
 * @param costToOthers whether it is measured what the recording costs processes that are not recorded
 * @param preparation what comes before the recording
 * @param conditions which calls of which functions are measured
 * @param splits   by which values the figures of which functions are split
 * @param children whether the processes are measured as well that the process forks, and that it has forked before
 * @param measures what is counted within calls beside their time: names such as {@code alloc}
 */
public record RecordingOptions(boolean events, Filter filter, Optional<Duration> duration, Duration grace,
        Budget budget, FunctionProbes functions, boolean waits, boolean costToOthers, Preparation preparation,
        CallConditions conditions, CallSplits splits, boolean children, List<String> measures) {
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(60);
    /** Figures without events, until it is stopped, within the default budget and without a trial. */
    public static final RecordingOptions DEFAULT = new Builder().build();

    public RecordingOptions {
        Objects.requireNonNull(filter);
        Objects.requireNonNull(grace);
        Objects.requireNonNull(budget);
        Objects.requireNonNull(functions);
        Objects.requireNonNull(preparation);
        Objects.requireNonNull(conditions);
        Objects.requireNonNull(splits);
        measures = List.copyOf(measures);
        if (duration.isPresent() && !duration.get().isPositive()) {
            throw new IllegalArgumentException("A recording takes longer than nothing: " + duration.get());
        }
    }

    /**
     * How functions of programs are probed.
     *
     * @param forceReturns whether return addresses are replaced also where nothing proves it harmless
     */
    public record FunctionProbes(ProbeWay way, boolean forceReturns) {
        public FunctionProbes {
            Objects.requireNonNull(way);
        }
    }

    /**
     * What comes before the recording.
     *
     * @param trial  whether a {@link CostTrial} does, if the process runs already
     * @param survey how long a survey does, which chooses the functions; empty: they are named
     */
    public record Preparation(boolean trial, Optional<Duration> survey) {
        public Preparation {
            Objects.requireNonNull(survey);
        }
    }

    /** Begins with the defaults; what is set replaces them. */
    public static final class Builder {
        private boolean events;
        private Filter filter = Filter.AUTO;
        private Optional<Duration> duration = Optional.empty();
        private Duration grace = DEFAULT_GRACE;
        private Budget budget = Budget.DEFAULT;
        private boolean forceReturnProbes;
        private ProbeWay way = ProbeWay.AUTO;
        private boolean waits;
        private boolean costToOthers;
        private boolean trial;
        private Optional<Duration> survey = Optional.empty();
        private CallConditions conditions = CallConditions.NONE;
        private CallSplits splits = CallSplits.NONE;
        private boolean children;
        private List<String> measures = List.of();

        public Builder events(boolean kept) {
            events = kept;
            return this;
        }

        public Builder filter(Filter chosen) {
            filter = chosen;
            return this;
        }

        public Builder duration(Optional<Duration> most) {
            duration = most;
            return this;
        }

        public Builder grace(Duration alone) {
            grace = alone;
            return this;
        }

        public Builder budget(Budget allowed) {
            budget = allowed;
            return this;
        }

        public Builder forceReturnProbes(boolean forced) {
            forceReturnProbes = forced;
            return this;
        }

        public Builder way(ProbeWay chosen) {
            way = chosen;
            return this;
        }

        public Builder waits(boolean told) {
            waits = told;
            return this;
        }

        public Builder costToOthers(boolean measured) {
            costToOthers = measured;
            return this;
        }

        public Builder trial(boolean before) {
            trial = before;
            return this;
        }

        public Builder survey(Optional<Duration> before) {
            survey = before;
            return this;
        }

        public Builder conditions(CallConditions chosen) {
            conditions = chosen;
            return this;
        }

        public Builder splits(CallSplits chosen) {
            splits = chosen;
            return this;
        }

        public Builder children(boolean measured) {
            children = measured;
            return this;
        }

        public Builder measures(List<String> chosen) {
            measures = chosen.stream().distinct().toList();
            return this;
        }

        public RecordingOptions build() {
            return new RecordingOptions(events, filter, duration, grace, budget, new FunctionProbes(way, forceReturnProbes), waits,
                    costToOthers, new Preparation(trial, survey), conditions, splits, children, measures);
        }
    }
}
