// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.List;
import org.kview.model.LatencySnapshot;
import org.kview.target.FunctionInfo;
import org.kview.target.LinkStatus;

/**
 * Hears how a recording goes. Called by threads of the recording, never by two at once for the same
 * method; must return soon and not throw.
 */
public interface RecordingObserver {

    /**
     * The functions that will be probed, before anything is attached.
     *
     * @param skipped   those that a glob matched and that can't be probed
     * @param unmatched of each glob that matched nothing, or nothing that can be probed, a sentence that says so
     */
    default void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched) {
    }

    /** Probes are attached; a launched program runs from now on. */
    default void started(LatencySnapshot empty) {
    }

    /** The figures so far. */
    default void snapshot(LatencySnapshot figures) {
    }

    /** The link to the agent became another: lost, say, or back. The recording goes on meanwhile where it can. */
    default void link(LinkStatus status) {
    }

    /** @param bytes of a launched program's standard output, or of its standard error */
    default void output(boolean errorStream, byte[] bytes) {
    }
}
