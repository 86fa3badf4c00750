// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;

import org.kview.model.CameOff;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProcessShare;

/**
 * How a recording goes, from one snapshot to the next: calls a second, what the probes cost, whose probes
 * came off. Not safe for use by several threads.
 */
public final class RecordingPulse {
    private Duration lastAt = Duration.ZERO;
    private long lastCalls;
    private double callsPerSecond;
    private ProcessShare lastShare = ProcessShare.UNKNOWN;
    private ProcessShare latest = ProcessShare.UNKNOWN;
    private double costPerSecond;
    private double childrenPerSecond;
    private final Set<Integer> off = new HashSet<>();

    /** "3.1 s, 120,411 calls (40,100/s), probes 21.4 ms each second, 2.3 % of its CPU time": rates are the latest. */
    public String line(LatencySnapshot figures) {
        long calls = figures.functions().stream().mapToLong(FunctionLatency::calls).sum();
        Duration at = figures.info().duration();
        double seconds = at.minus(lastAt).toNanos() / 1e9;
        if (seconds > 0) {
            callsPerSecond = Math.max(0, calls - lastCalls) / seconds;
            lastAt = at;
            lastCalls = calls;
            spend(figures.overhead().process(), seconds);
        }
        OptionalDouble share = latest.share();
        return String.format(Locale.ROOT, "%.1f s, %,d %s (%,.0f/s)%s", at.toNanos() / 1e9, calls,
                noun(figures, calls == 1), callsPerSecond, share.isEmpty() ? ""
                        : String.format(Locale.ROOT, ", probes %s each second, %.1f %% of its CPU time%s",
                                LatencyFormat.nanos(costPerSecond), share.getAsDouble() * 100, children()));
    }

    private static String noun(LatencySnapshot figures, boolean one) {
        long hits = figures.functions().stream().filter(f -> f.function().countsHits()).count();
        return hits == 0 ? one ? "call" : "calls" : hits == figures.functions().size() ? one ? "hit" : "hits" : "calls and hits";
    }

    private String children() {
        return lastShare.children().any() ? ", in forked children at most " + LatencyFormat.nanos(childrenPerSecond) : "";
    }

    /** What the probes took of the process's CPU time in the latest interval, as the latest line says it. */
    public ProcessShare share() {
        return latest;
    }

    /** The CPU time that probes took since the snapshot before, and the process's. */
    private void spend(ProcessShare share, double seconds) {
        long probes = Math.max(0, share.probesNanos() - lastShare.probesNanos());
        costPerSecond = probes / seconds;
        childrenPerSecond = Math.max(0, share.children().cpuNanos() - lastShare.children().cpuNanos()) / seconds;
        latest = new ProcessShare(probes, Math.max(0, share.processNanos() - lastShare.processNanos()));
        lastShare = share;
    }

    /** Whose probes came off since the snapshot before, when and why, in sentences without a full stop. */
    public List<String> news(LatencySnapshot figures) {
        return CameOff.news(figures.functions().stream().filter(CameOff::is).filter(f -> off.add(f.function().id())).toList(),
                figures.overhead().budget());
    }
}
