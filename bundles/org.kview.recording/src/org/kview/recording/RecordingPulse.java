// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import org.kview.model.CallFates;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;

/**
 * How a recording goes, from one snapshot to the next: calls a second, what the probes cost, whose probes
 * came off. Not safe for use by several threads.
 */
public final class RecordingPulse {
    private Duration lastAt = Duration.ZERO;
    private long lastCalls;
    private double callsPerSecond;
    private final Set<Integer> off = new HashSet<>();

    /** "3.1 s, 120,411 calls (40,100/s), probes 2.3 % of its CPU time". */
    public String line(LatencySnapshot figures) {
        long calls = figures.functions().stream().mapToLong(FunctionLatency::calls).sum();
        Duration at = figures.info().duration();
        double seconds = at.minus(lastAt).toNanos() / 1e9;
        if (seconds > 0) {
            callsPerSecond = Math.max(0, calls - lastCalls) / seconds;
            lastAt = at;
            lastCalls = calls;
        }
        OptionalDouble share = figures.overhead().process().share();
        return String.format(Locale.ROOT, "%.1f s, %,d %s (%,.0f/s)%s", at.toNanos() / 1e9, calls,
                calls == 1 ? "call" : "calls", callsPerSecond, share.isEmpty() ? ""
                        : String.format(Locale.ROOT, ", probes %.1f %% of its CPU time", share.getAsDouble() * 100));
    }

    /** Whose probes came off since the snapshot before, and why; one sentence each. */
    public List<String> news(LatencySnapshot figures) {
        List<String> sentences = new ArrayList<>();
        for (FunctionLatency function : figures.functions()) {
            function.knownFates().probesOff().map(CallFates.ProbesOff::why)
                    .filter(_ -> off.add(function.function().id()))
                    .ifPresent(why -> sentences.add("the probes of " + function.function().name() + " came off: " + why));
        }
        return sentences;
    }
}
