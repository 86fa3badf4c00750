// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.List;
import java.util.Optional;

import org.kview.model.LatencySnapshot;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.LinkStatus;

/**
 * Hears how a recording goes. Called by threads of the recording, never by two at once for the same
 * method; must return soon and not throw.
 */
public interface RecordingObserver {

    /** What takes time before a recording begins. */
    enum Step {
        /** A survey, before functions are looked up. */
        SURVEYING("a survey: looking where the process's time goes"),
        /** Symbol tables and code are read. */
        LOOKING_UP("looking the functions up"),
        /** See {@link CostTrial}. */
        TRYING("a trial: counting calls for a second"),
        /** The cost of probes is measured where it is not known yet; then they are set. */
        ATTACHING("measuring what probes cost here, and setting them");

        private final String text;

        Step(String text) {
            this.text = text;
        }

        /** For people, as in "looking the functions up". */
        public String text() {
            return text;
        }
    }

    /** A step begins. */
    default void step(Step step) {
    }

    /**
     * The functions that will be probed, before anything is attached.
     *
     * @param skipped   those that a glob matched and that can't be probed
     * @param unmatched a sentence for each glob that matched nothing, or nothing that can be probed
     */
    default void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched) {
    }

    /**
     * The process has not loaded some files with probed functions yet. Their probes are set already, so that even the
     * first call is measured.
     *
     * @param files paths, as the process sees them; at least one
     */
    default void awaits(List<String> files) {
    }

    /**
     * The forecast of the probes' cost, before the recording begins. Called only if a trial was asked for and the
     * process is running already.
     *
     * @param failure one sentence why nothing is known of it, else empty
     */
    default void tried(Optional<CostForecast> forecast, String failure) {
    }

    /** A survey chose the functions, before anything is attached; the forecast of their cost is part of it. */
    default void chosen(SurveyChoice choice) {
    }

    /** Probes are attached; a launched program runs from now on. */
    default void started(LatencySnapshot empty) {
    }

    /** The figures so far. */
    default void snapshot(LatencySnapshot figures) {
    }

    /**
     * The state of the link to the agent changed, for example to lost or back again. The recording goes on meanwhile where
     * it can.
     */
    default void link(LinkStatus status) {
    }

    /** @param bytes of a launched program's standard output, or of its standard error */
    default void output(boolean errorStream, byte[] bytes) {
    }
}
