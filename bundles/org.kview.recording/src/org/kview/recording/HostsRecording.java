// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.session.SessionException;
import org.kview.session.write.HostsFolder;
import org.kview.session.write.SessionClaim;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;

/**
 * The same recording on several hosts at once, into one session. Each host's part is written for
 * itself: one that breaks off leaves the others going on.
 */
public final class HostsRecording implements RunningRecording {

    /**
     * One of the hosts.
     *
     * @param agent   serves one recording at a time; not closed
     * @param target  its target's name
     * @param scope whom to record there
     */
    public record Host(Agent agent, String target, ScopeSpec scope) {
    }

    private final Path folder;
    private final List<Recording> recordings;
    private volatile boolean discarded;

    private HostsRecording(Path folder, List<Recording> recordings) {
        this.folder = folder;
        this.recordings = recordings;
    }

    /**
     * Starts on all hosts side by side; they begin as soon as each is ready, within a second or so of
     * each other. Blocks; when it throws, nothing goes on anywhere.
     *
     * @param hosts   at least one, each target once
     * @throws TargetException  if one of the targets can't do what was asked; the message names it
     * @throws SessionException if the session's folder exists or can't be written
     */
    public static HostsRecording start(List<Host> hosts, RecordingRequest request, RecordingObserver observer)
            throws TargetException, SessionException, InterruptedException {
        List<String> targets = hosts.stream().map(Host::target).toList();
        if (hosts.isEmpty() || new LinkedHashSet<>(targets).size() < hosts.size()) {
            throw new IllegalArgumentException("Each host once, and at least one: " + targets);
        }
        try (SessionClaim _ = Recorder.claim(request.folder())) {
            List<Recording> started = new ArrayList<>();
            boolean done = false;
            try {
                Map<String, Path> folders = HostsFolder.create(request.folder(), targets);
                var merging = new MergingObserver(observer, hosts.size());
                List<Callable<Recording>> starts = new ArrayList<>();
                for (Host host : hosts) {
                    RecordingObserver own = merging.ofHost(starts.size());
                    starts.add(() -> new Recorder(host.agent(), host.target())
                            .start(host.scope(), request.in(folders.get(host.target())), own));
                }
                collect(hosts, sideBySide(starts), started);
                done = true;
                return new HostsRecording(request.folder(), List.copyOf(started));
            } finally {
                if (!done) {
                    started.forEach(Recording::cancel);
                    for (Recording recording : started) {
                        awaitQuietly(recording);
                    }
                    Recorder.release(request.folder());
                }
            }
        }
    }

    private static List<Future<Recording>> sideBySide(List<Callable<Recording>> starts) throws InterruptedException {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("kview-host-start-", 0).factory())) {
            return threads.invokeAll(starts);
        }
    }

    /** Collects every recording that started, so that it can be ended, and throws the first failure only then. */
    private static void collect(List<Host> hosts, List<Future<Recording>> futures, List<Recording> started)
            throws TargetException, SessionException, InterruptedException {
        ExecutionException failure = null;
        String failed = "";
        for (int i = 0; i < futures.size(); i++) {
            try {
                started.add(futures.get(i).get());
            } catch (ExecutionException e) {
                failed = failure == null ? hosts.get(i).target() : failed;
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            switch (failure.getCause()) {
                case TargetException e -> throw e.at(failed);
                case SessionException e -> throw e;
                case InterruptedException e -> throw e;
                default -> throw new IllegalStateException(failed, failure.getCause());
            }
        }
    }

    private static void awaitQuietly(Recording recording) throws InterruptedException {
        try {
            recording.await();
        } catch (SessionException e) {
            // The session is removed, whatever the recording's end was.
        }
    }

    @Override
    public List<Recording> recordings() {
        return recordings;
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public LatencySnapshot snapshot() {
        return MergedHosts.of(recordings.stream().map(Recording::snapshot).toList());
    }

    @Override
    public void stop() {
        recordings.forEach(Recording::stop);
    }

    @Override
    public void stopWithoutWaiting() {
        recordings.forEach(Recording::stopWithoutWaiting);
    }

    @Override
    public void cancel() {
        discarded = true;
        recordings.forEach(Recording::cancel);
    }

    @Override
    public RecordingResult await() throws SessionException, InterruptedException {
        List<LatencySnapshot> figures = new ArrayList<>();
        SessionException failure = null;
        for (Recording recording : recordings) {
            try {
                figures.add(recording.await().figures());
            } catch (SessionException e) {
                failure = e;
            }
        }
        if (discarded) {
            Recorder.release(folder);
        }
        if (failure != null) {
            throw failure;
        }
        return new RecordingResult(folder, MergedHosts.of(figures));
    }
}
