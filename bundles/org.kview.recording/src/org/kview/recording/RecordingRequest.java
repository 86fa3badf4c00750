// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.kview.model.Budget;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;

/**
 * What to record, and where to.
 *
 * @param subject   of whom
 * @param probes    functions to be looked up
 * @param functions functions that were looked up already; together with {@code probes} at least one
 * @param events    whether each call and each switch is kept as an event too
 * @param filter    how other processes are told apart
 * @param duration  after which the recording ends by itself; empty: when it is stopped, or the process ends
 * @param interval  between two snapshots; zero for the agent's own, 500 ms
 * @param folder    the session's, which must not exist
 * @param grace     how long it goes on at another host without a link, at most an hour
 * @param budget    how much of the process's CPU time the probes may take
 * @param forceReturnProbes whether return addresses are replaced also where nothing proves it harmless
 * @param trial     whether what the probes will cost is tried before, where the process runs already
 */
public record RecordingRequest(Subject subject, List<ProbeSpec> probes, List<FunctionInfo> functions, boolean events,
        Filter filter, Optional<Duration> duration, Duration interval, Path folder, Duration grace,
        Budget budget, boolean forceReturnProbes, boolean trial) {
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(60);

    /** One with the default grace time and budget. */
    public RecordingRequest(Subject subject, List<ProbeSpec> probes, List<FunctionInfo> functions, boolean events,
            Filter filter, Optional<Duration> duration, Duration interval, Path folder) {
        this(subject, probes, functions, events, filter, duration, interval, folder, DEFAULT_GRACE, Budget.DEFAULT,
                false);
    }

    /** One without a trial. */
    public RecordingRequest(Subject subject, List<ProbeSpec> probes, List<FunctionInfo> functions, boolean events,
            Filter filter, Optional<Duration> duration, Duration interval, Path folder, Duration grace, Budget budget,
            boolean forceReturnProbes) {
        this(subject, probes, functions, events, filter, duration, interval, folder, grace, budget, forceReturnProbes,
                false);
    }

    public RecordingRequest {
        Objects.requireNonNull(subject);
        Objects.requireNonNull(filter);
        Objects.requireNonNull(budget);
        probes = List.copyOf(probes);
        functions = List.copyOf(functions);
        if (probes.isEmpty() && functions.isEmpty()) {
            throw new IllegalArgumentException("A recording needs a function");
        }
        if (duration.isPresent() && !duration.get().isPositive()) {
            throw new IllegalArgumentException("A recording takes longer than nothing: " + duration.get());
        }
    }

    /** Whether it asks for system calls, of which no trial is made: other processes would pay for it. */
    boolean hasSystemCalls() {
        return systemCalls() > 0;
    }

    private long systemCalls() {
        return probes.stream().filter(probe -> probe.kind() == ProbeSpec.Kind.SYSTEM_CALL).count()
                + functions.stream().filter(function -> function.point() instanceof ProbePoint.SystemCall).count();
    }

    /** @throws TargetException if no agent can record that, as far as this side knows */
    void check() throws TargetException {
        if (hasSystemCalls() && systemCalls() < probes.size() + functions.size()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED,
                    "Functions and system calls can't be measured in one recording: record each by themselves");
        }
        if (hasSystemCalls() && events) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED,
                    "There are no events of system calls, only their figures: record them without events");
        }
    }

    /** The same of another subject, into another folder. */
    RecordingRequest with(Subject other, Path otherFolder) {
        return new RecordingRequest(other, probes, functions, events, filter, duration, interval, otherFolder,
                grace, budget, forceReturnProbes, trial);
    }

    /** The same with another budget. */
    public RecordingRequest with(Budget other) {
        return new RecordingRequest(subject, probes, functions, events, filter, duration, interval, folder, grace,
                other, forceReturnProbes, trial);
    }

    /** The same, where return addresses are replaced also where nothing proves it harmless, or not. */
    public RecordingRequest withForcedReturnProbes(boolean forced) {
        return new RecordingRequest(subject, probes, functions, events, filter, duration, interval, folder, grace,
                budget, forced, trial);
    }

    /** The same after a trial of what it will cost. */
    public RecordingRequest withTrial() {
        return new RecordingRequest(subject, probes, functions, events, filter, duration, interval, folder, grace,
                budget, forceReturnProbes, true);
    }
}
