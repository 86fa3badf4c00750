// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.ui.PlatformUI;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProcessShare;
import org.kview.model.SafeText;
import org.kview.recording.ConnectedHosts;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.recording.RecordingPulse;
import org.kview.recording.RecordingRequest;
import org.kview.recording.RunningRecording;
import org.kview.session.SessionException;
import org.kview.targets.values.LinkState;
import org.kview.targets.values.LinkStatus;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;
import org.kview.ui.program.StartedProgram;

/**
 * A recording as a job: its progress is what was counted so far, and cancelling it is Stop, which
 * keeps the session.
 */
final class RecordingJob extends Job {
    private static final int POLL_MILLIS = 200;

    private final List<ConnectedHosts.Host> hosts;
    private final RecordingRequest request;
    private final SessionService service;
    private final RecordingPulse pulse = new RecordingPulse();
    private volatile boolean ended;
    private volatile LinkState link = LinkState.CONNECTED;
    private volatile ProcessShare share = ProcessShare.UNKNOWN;
    private volatile Optional<LatencySnapshot> latest = Optional.empty();
    private Optional<RunningRecording> recording = Optional.empty();
    private boolean stopped;
    private boolean left;

    /** @param hosts one, or several that are recorded into one session */
    RecordingJob(List<ConnectedHosts.Host> hosts, RecordingRequest request, SessionService service) {
        super(SafeText.line("Record " + SessionController.name(request.folder())));
        this.hosts = List.copyOf(hosts);
        this.request = request;
        this.service = service;
        setUser(false);
        setPriority(LONG);
    }

    /** Ends the recording and keeps what it has. Returns at once. */
    void stop() {
        synchronized (this) {
            stopped = true;
            recording.ifPresent(RunningRecording::stop);
        }
    }

    /** As {@link #stop}; the return of a lost link is not waited for. */
    void stopAndLeave() {
        synchronized (this) {
            stopped = true;
            left = true;
            recording.ifPresent(RunningRecording::stopWithoutWaiting);
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
        service.setRecording(new SessionState.Busy("Attaching probes…"));
        try {
            boolean kept = false;
            // One that is started for the recording may outlive it, and its agent with it.
            ConnectedHosts connected = connect();
            try {
                Optional<StartedProgram> program = StartedProgram.of(hosts.getFirst().scope(),
                        PlatformUI.getWorkbench().getDisplay());
                RunningRecording recorded = record(connected, program, monitor);
                kept = program.isPresent() && recorded instanceof Recording single
                        && program.get().goOn(connected.agents().getFirst(), single);
            } finally {
                if (!kept) {
                    connected.close();
                }
            }
            return Status.OK_STATUS;
        } catch (OperationCanceledException e) {
            return Status.CANCEL_STATUS;
        } catch (TargetException e) {
            return failed(e.getMessage() + e.similarNames(), e);
        } catch (SessionException e) {
            return failed(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Status.CANCEL_STATUS;
        } finally {
            monitor.done();
        }
    }

    private ConnectedHosts connect() throws TargetException, InterruptedException {
        return ConnectedHosts.connect(hosts, _ -> {
            synchronized (this) {
                if (stopped) {
                    throw new OperationCanceledException();
                }
            }
        });
    }

    private RunningRecording record(ConnectedHosts connected, Optional<StartedProgram> program, IProgressMonitor monitor)
            throws TargetException, SessionException, InterruptedException {
        RunningRecording started = connected.start(request, new RecordingObserver() {
            @Override
            public void started(LatencySnapshot empty) {
                show(empty);
            }

            @Override
            public void snapshot(LatencySnapshot figures) {
                String line = progress(pulse, figures);
                share = pulse.share();
                show(figures);
                monitor.subTask(SafeText.line(line));
            }

            /** While the link is lost no figures arrive. The views must show that the last ones are not current. */
            @Override
            public void link(LinkStatus status) {
                link = overall(connected.agents().stream().map(agent -> agent.linkStatus().state()).toList());
                latest.ifPresent(RecordingJob.this::show);
                monitor.subTask(SafeText.line(status.sentence()));
            }

            @Override
            public void output(boolean errorStream, byte[] bytes) {
                program.ifPresent(p -> p.output(errorStream, bytes));
            }
        });
        synchronized (this) {
            recording = Optional.of(started);
            if (left) {
                started.stopWithoutWaiting();
            } else if (stopped) {
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

    /**
     * The state of the links to several hosts as one value: the worst state among the links that may recover. A host
     * that is gone for good is ignored here, because figures of the others still arrive; it is reported among the
     * problems.
     */
    static LinkState overall(List<LinkState> links) {
        return links.stream().filter(state -> state != LinkState.GONE)
                .max(Comparator.comparing((LinkState state) -> !state.isUp()).thenComparing(Comparator.naturalOrder()))
                .orElse(LinkState.GONE);
    }

    private void show(LatencySnapshot figures) {
        latest = Optional.of(figures);
        if (ended) {
            return; // what follows is told by whoever opens the session
        }
        service.setRecording(new SessionState.Recording(request.folder(), figures, link, share));
    }

    /** "12.1 s, 34,211 calls (2,800/s), probes 1.1 % of its CPU time, 0 lost". */
    static String progress(RecordingPulse pulse, LatencySnapshot figures) {
        return pulse.line(figures) + ", " + LatencyFormat.count(figures.losses().eventsDropped()) + " lost";
    }

    private static IStatus failed(String message, Exception cause) {
        return new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.lines(message), cause);
    }

    /**
     * Notices when the job is cancelled while the recording goes on by itself: the job manager calls {@link #canceling} only
     * once.
     */
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
