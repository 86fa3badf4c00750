// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.file.Path;
import java.util.Optional;

import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo;

/**
 * What a recording left.
 *
 * @param folder  the session's
 * @param figures all that was measured
 */
public record RecordingResult(Path folder, LatencySnapshot figures) {

    /** One sentence where the recording broke off; what was recorded up to then is in the session. */
    public Optional<String> failure() {
        SessionInfo info = figures.info();
        return info.state() == SessionInfo.State.FAILED ? Optional.of(info.stateNote()) : Optional.empty();
    }
}
