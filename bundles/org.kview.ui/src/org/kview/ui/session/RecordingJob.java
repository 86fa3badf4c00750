/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.session;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.ui.PlatformUI;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.recording.Recorder;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.recording.RecordingRequest;
import org.kview.session.SessionException;
import org.kview.target.Agent;
import org.kview.target.LinkState;
import org.kview.target.LinkStatus;
import org.kview.target.Target;
import org.kview.target.TargetException;
import org.kview.ui.KviewUi;
import org.kview.ui.program.StartedProgram;
import org.kview.ui.text.Counts;

/**
 * A recording as a job: its progress is what was counted so far, and cancelling it is Stop, which
 * keeps the session.
 */
final class RecordingJob extends Job {
    private static final int POLL_MILLIS = 200;

    private final Target target;
    private final RecordingRequest request;
    private final SessionService service;
    private volatile boolean ended;
    private volatile LinkState link = LinkState.CONNECTED;
    private volatile Optional<LatencySnapshot> latest = Optional.empty();
    private Optional<Recording> recording = Optional.empty();
    private boolean stopped;

    RecordingJob(Target target, RecordingRequest request, SessionService service) {
        super("Record " + SessionController.name(request.folder()));
        this.target = target;
        this.request = request;
        this.service = service;
        setUser(false);
        setPriority(LONG);
    }

    /** Ends the recording and keeps what it has. Returns at once. */
    void stop() {
        synchronized (this) {
            stopped = true;
            recording.ifPresent(Recording::stop);
        }
    }

    @Override
    protected void canceling() {
        stop();
    }

    /** @return OK, or an error whose message is for the user; nothing was recorded then */
    @Override
    protected IStatus run(IProgressMonitor monitor) {
        monitor.beginTask("Attaching probes", IProgressMonitor.UNKNOWN);
        service.set(new SessionState.Busy("Attaching probes…"));
        try {
            Agent agent = target.connect();
            boolean kept = false;
            try {
                Optional<StartedProgram> program = StartedProgram.of(request.subject(),
                        PlatformUI.getWorkbench().getDisplay());
                Recording ended = record(agent, program, monitor);
                kept = program.isPresent() && program.get().goOn(agent, ended);
            } finally {
                if (!kept) {
                    agent.close();
                }
            }
            return Status.OK_STATUS;
        } catch (TargetException e) {
            return failed(e.getMessage() + suggestions(e.suggestions()), e);
        } catch (SessionException e) {
            return failed(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Status.CANCEL_STATUS;
        } finally {
            monitor.done();
        }
    }

    private Recording record(Agent agent, Optional<StartedProgram> program, IProgressMonitor monitor)
            throws TargetException, SessionException, InterruptedException {
        Recording started = new Recorder(agent, target.name()).start(request, new RecordingObserver() {
            @Override
            public void started(LatencySnapshot empty) {
                show(empty);
            }

            @Override
            public void snapshot(LatencySnapshot figures) {
                show(figures);
                monitor.subTask(progress(figures));
            }

            /** Figures don't come while it is lost, but the time of those shown must not look like now. */
            @Override
            public void link(LinkStatus status) {
                link = status.state();
                latest.ifPresent(RecordingJob.this::show);
                monitor.subTask(status.sentence());
            }

            @Override
            public void output(boolean errorStream, byte[] bytes) {
                program.ifPresent(p -> p.output(errorStream, bytes));
            }
        });
        synchronized (this) {
            recording = Optional.of(started);
            if (stopped) {
                started.stop();
            }
        }
        try (Watch _ = new Watch(monitor)) {
            started.await();
        } finally {
            ended = true;
        }
        return started;
    }

    private void show(LatencySnapshot figures) {
        latest = Optional.of(figures);
        if (ended) {
            return; // what follows is told by whoever opens the session
        }
        service.set(new SessionState.Recording(request.folder(), figures, link));
    }

    /** "12 s, 34 211 calls, 0 lost". */
    static String progress(LatencySnapshot figures) {
        long calls = figures.functions().stream().mapToLong(FunctionLatency::calls).sum();
        return figures.info().duration().toSeconds() + " s, " + Counts.format(calls, "call", "calls") + ", "
                + LatencyFormat.count(figures.losses().eventsDropped()) + " lost";
    }

    private static String suggestions(List<String> names) {
        return names.isEmpty() ? "" : " Near names: " + String.join(", ", names.subList(0, Math.min(5, names.size())));
    }

    private static IStatus failed(String message, Exception cause) {
        return new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, message, cause);
    }

    /** Sees that the job is cancelled while the recording goes on by itself: the job's manager tells only once. */
    private final class Watch implements AutoCloseable {
        private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("kview-recording-watch").factory());

        Watch(IProgressMonitor monitor) {
            clock.scheduleWithFixedDelay(() -> {
                if (monitor.isCanceled()) {
                    RecordingJob.this.stop();
                }
            }, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            clock.shutdownNow();
        }
    }
}
