// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.util.Optional;

import org.kview.targets.values.RecordingStart;
import org.kview.targets.values.TargetException;

/**
 * Holds a connection's recording. One lock decides which comes first, a recording's start or the connection's
 * end. So each recording either does not start or hears of its end. Nothing here waits.
 */
final class RecordingSlot {
    private final Lane control;
    private Optional<RecordingChannel> recording = Optional.empty();
    private Optional<TargetException> gone = Optional.empty();

    /** @param control the lane by which recordings tell their listeners; finished when the connection ends */
    RecordingSlot(Lane control) {
        this.control = control;
    }

    /**
     * Takes a recording: figures that come from now on belong to it. Its listener hears of its start.
     *
     * @throws TargetException if the connection has ended; the listener hears nothing then
     */
    synchronized void begin(RecordingChannel channel, RecordingStart start) throws TargetException {
        if (gone.isPresent()) {
            throw gone.get().again();
        }
        recording = Optional.of(channel);
        channel.started(start);
    }

    /** The recording that was started last. */
    synchronized Optional<RecordingChannel> recording() {
        return recording;
    }

    /** The connection has ended, and with it the recording; the first reason counts. */
    synchronized void gone(TargetException why) {
        if (gone.isEmpty()) {
            gone = Optional.of(why);
            recording.ifPresent(channel -> channel.lost(why));
            control.finish();
        }
    }
}
