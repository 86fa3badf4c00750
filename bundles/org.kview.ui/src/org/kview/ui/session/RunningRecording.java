/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.session;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.kview.recording.HostsRecording;
import org.kview.recording.Recorder;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.recording.RecordingRequest;
import org.kview.session.SessionException;
import org.kview.target.Agent;
import org.kview.target.TargetException;

/** A recording that goes on: of one host, or of several into one session. */
interface RunningRecording {

    /** Ends it and keeps the session. Returns at once. */
    void stop();

    /** Waits for the end, on all hosts. */
    void await() throws SessionException, InterruptedException;

    /** The recording itself where it is of one host. */
    Optional<Recording> single();

    /**
     * Starts it. Blocks.
     *
     * @param targets the hosts' names, each once
     * @param agents  theirs, in the same order
     * @throws TargetException of several hosts, the message names the one that can't
     */
    static RunningRecording start(List<String> targets, List<Agent> agents, RecordingRequest request,
            RecordingObserver observer) throws TargetException, SessionException, InterruptedException {
        if (targets.size() == 1) {
            return new OfOne(new Recorder(agents.getFirst(), targets.getFirst()).start(request, observer));
        }
        return new OfSeveral(HostsRecording.start(IntStream.range(0, targets.size()).mapToObj(i ->
                new HostsRecording.Host(agents.get(i), targets.get(i), request.subject())).toList(), request, observer));
    }

    record OfOne(Recording recording) implements RunningRecording {
        @Override
        public void stop() {
            recording.stop();
        }

        @Override
        public void await() throws SessionException, InterruptedException {
            recording.await();
        }

        @Override
        public Optional<Recording> single() {
            return Optional.of(recording);
        }
    }

    record OfSeveral(HostsRecording recording) implements RunningRecording {
        @Override
        public void stop() {
            recording.stop();
        }

        @Override
        public void await() throws SessionException, InterruptedException {
            recording.await();
        }

        @Override
        public Optional<Recording> single() {
            return Optional.empty();
        }
    }
}
