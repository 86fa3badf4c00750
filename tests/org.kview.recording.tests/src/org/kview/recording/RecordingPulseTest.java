// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.model.CallFates;
import org.kview.model.ForkedChildren;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Overhead;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.testing.Recorded;

class RecordingPulseTest {
    private static LatencySnapshot at(long millis, long calls, ProcessShare share, Optional<CallFates.ProbesOff> off) {
        var function = Recorded.function(0, "f", "f", "/bin/shop", 1, 1, 1, ProbedFunction.ExitKind.UNKNOWN, 0, 0);
        CallFates fates = Recorded.fates(LostCalls.NONE, 0, 0, 0, 0, 0, 0, off);
        return new LatencySnapshot(Recorded.info("local", "h", "6.18", 1, "shop", "in", "", Instant.EPOCH,
                Duration.ofMillis(millis), SessionInfo.State.RECORDING, ""), List.of(new FunctionLatency(function, calls,
                        0, 0, Optional.of(fates), Map.of())), Losses.NONE, new Overhead(1, true, Optional.empty(), "",
                                share, Optional.of(Budget.DEFAULT), ""), List.of());
    }

    @Test
    void tellsCallsASecondSinceTheSnapshotBefore() {
        var pulse = new RecordingPulse();
        assertThat(pulse.line(at(500, 1000, ProcessShare.UNKNOWN, Optional.empty()))).isEqualTo("0.5 s, 1,000 calls (2,000/s)");
        assertThat(pulse.line(at(1000, 11_000, new ProcessShare(11_500_000, 500_000_000), Optional.empty())))
                .isEqualTo("1.0 s, 11,000 calls (20,000/s), probes 23.0 ms each second, 2.3 % of its CPU time");
        assertThat(pulse.line(at(1000, 11_000, new ProcessShare(11_500_000, 500_000_000), Optional.empty())))
                .as("the same again").endsWith("(20,000/s), probes 23.0 ms each second, 2.3 % of its CPU time");
        assertThat(pulse.line(at(2000, 11_000, new ProcessShare(12_500_000, 600_000_000), Optional.empty())))
                .as("what they take now").endsWith("(0/s), probes 1.00 ms each second, 1.0 % of its CPU time");
        assertThat(pulse.line(at(3000, 11_000, new ProcessShare(13_500_000, 700_000_000,
                new ForkedChildren(2, 4_000_000, 0)), Optional.empty())))
                        .as("with children").endsWith("1.0 % of its CPU time, in forked children at most 4.00 ms");
    }

    @Test
    void tellsOnceWhoseProbesCameOff() {
        var pulse = new RecordingPulse();
        assertThat(pulse.news(at(500, 1, ProcessShare.UNKNOWN, Optional.empty()))).isEmpty();
        var off = Optional.of(new CallFates.ProbesOff(1, "They took 9 %.", Optional.of(Duration.ofMillis(46)), 0.09));
        assertThat(pulse.news(at(1000, 1, ProcessShare.UNKNOWN, off))).containsExactly("after 46.0 ms the probes of f"
                + " (9.0 % of the process's CPU time) came off, to keep to the budget of 5 %; its figures end there");
        assertThat(pulse.news(at(1500, 1, ProcessShare.UNKNOWN, off))).isEmpty();
    }
}
