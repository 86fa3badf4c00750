// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Overhead;
import org.kview.model.ProcessShare;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.targets.values.LinkState;
import org.kview.testing.Recorded;
import org.kview.ui.session.SessionState;

class WindowTextTest {
    private static final LatencySnapshot FIGURES = new LatencySnapshot(Recorded.info("web-3", "web-3", "6.12", 4711,
            "/srv/shop --port 80", "in", "", Instant.EPOCH, Duration.ofMillis(12_300), SessionInfo.State.RECORDING, ""),
            List.of(), Losses.NONE, new Overhead(0, true, Optional.empty(), "", ProcessShare.UNKNOWN, Optional.empty(), ""),
            List.of());

    private static String status(LinkState link) {
        return WindowText.status(new SessionState.Recording(Path.of("a.kview"), FIGURES, link));
    }

    @Test
    void whatTheProbesTakeIsSeen() {
        LatencySnapshot figures = new LatencySnapshot(FIGURES.info(), List.of(), Losses.NONE, new Overhead(0, true,
                Optional.empty(), "", new ProcessShare(23, 1000), Optional.empty(), ""), List.of());
        assertThat(WindowText.status(new SessionState.Opened(Path.of("a.kview"), figures)))
                .contains("probes 2.3 % of its CPU time");
        assertThat(WindowText.status(new SessionState.Recording(Path.of("a.kview"), figures, LinkState.CONNECTED,
                new ProcessShare(41, 100)))).as("the latest interval's while it goes on, as in the job's line")
                .contains("probes 41.0 % of its CPU time").doesNotContain("2.3 %");
        assertThat(status(LinkState.CONNECTED)).doesNotContain("CPU time");
    }

    @Test
    void ofSeveralProcessesEachIsNamed() {
        SessionInfo one = FIGURES.info();
        SessionInfo two = new SessionInfo(one.measured(), List.of(new Scope.Process(4711, 0), new Scope.Process(4712, 0)), one.command(),
                one.filtering(), one.start(), one.duration(), one.ending(), one.provenance());
        assertThat(WindowText.status(new SessionState.Opened(Path.of("a.kview"), new LatencySnapshot(two, List.of(), Losses.NONE,
                FIGURES.overhead(), List.of())))).startsWith("shop (4711, 4712) on web-3");
    }

    @Test
    void aLostLinkIsSeen() {
        assertThat(status(LinkState.CONNECTED)).contains("shop (4711) on web-3", "recording, 12.3 s").doesNotContain("link");
        assertThat(status(LinkState.STALLED)).contains("no answer for a while, 12.3 s");
        assertThat(status(LinkState.LOST)).contains("link lost, recording goes on there, 12.3 s");
        assertThat(status(LinkState.RECONNECTING)).isEqualTo(status(LinkState.LOST));
        assertThat(status(LinkState.RESUMED)).isEqualTo(status(LinkState.CONNECTED));
    }
}
