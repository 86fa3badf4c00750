// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.file.Path;
import java.util.List;

import org.kview.model.LatencySnapshot;
import org.kview.session.SessionException;

/** A recording that runs, or has ended: of one host, or of several into one session. Safe for use by several threads. */
public sealed interface RunningRecording permits Recording, HostsRecording {

    /** Each host's own recording, in the hosts' order; of one host, this. */
    List<Recording> recordings();

    /** The session's folder. */
    Path folder();

    /** The figures so far, of all hosts. */
    LatencySnapshot snapshot();

    /** Ends it on all hosts and keeps it; returns at once. Does nothing where it has ended. */
    void stop();

    /**
     * As {@link #stop}, but without waiting for a link that is lost or gets lost meanwhile. The part of such a host ends
     * with what arrived before, and its agent ends by itself after the grace time.
     */
    void stopWithoutWaiting();

    /** Ends it on all hosts and removes its session; returns at once. */
    void cancel();

    /**
     * Waits for the end on all hosts, whoever brings it about.
     *
     * @return also where the recording broke off: see {@link RecordingResult#failure()}
     * @throws SessionException if the last state of a session could not be written; other hosts' are kept
     */
    RecordingResult await() throws SessionException, InterruptedException;
}
