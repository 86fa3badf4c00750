// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kview.targets.values.LinkState.CONNECTED;
import static org.kview.targets.values.LinkState.GONE;
import static org.kview.targets.values.LinkState.LOST;
import static org.kview.targets.values.LinkState.RESUMED;

import java.util.List;

import org.junit.jupiter.api.Test;

class RecordingJobTest {
    @Test
    void oneLostLinkOfSeveralIsNotHiddenByTheOthers() {
        assertThat(RecordingJob.overall(List.of(CONNECTED, LOST, RESUMED))).isEqualTo(LOST);
        assertThat(RecordingJob.overall(List.of(CONNECTED, RESUMED))).isEqualTo(RESUMED);
    }

    @Test
    void aHostThatIsGoneDoesNotMakeTheOthersFiguresOld() {
        assertThat(RecordingJob.overall(List.of(GONE, CONNECTED))).isEqualTo(CONNECTED);
        assertThat(RecordingJob.overall(List.of(GONE, GONE))).isEqualTo(GONE);
    }
}
