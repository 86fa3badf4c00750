// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.SubMonitor;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobGroup;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.kview.model.LatencySnapshot;
import org.kview.model.SafeText;
import org.kview.recording.ConnectedHosts;
import org.kview.recording.RecordingRequest;
import org.kview.session.SessionException;
import org.kview.session.library.SessionChange;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionReader.HostTrace;
import org.kview.session.read.SessionSummary;
import org.kview.ui.UiThread;
import org.kview.ui.calls.CallsService;

/**
 * Opens and closes sessions. Everything that takes time is done by jobs, one after the other; what
 * comes of it is told through the {@link SessionService}. Safe for use by several threads.
 */
public final class SessionController {
    private static final int TICKS = 1000;

    private final SessionService service;
    private final CallsService calls;
    private final Display display;
    /** Opening and closing in the order of the user's wishes. */
    private final JobGroup oneAtATime = new JobGroup("Sessions", 1, 0);
    private Optional<SessionReader> open = Optional.empty();
    private Optional<GoneWatch> watch = Optional.empty();
    private Optional<Running> recording = Optional.empty();
    /** The workbench closes once its recording has ended. */
    private boolean leaving;
    /** A session that was not opened when its recording ended, because the workbench was to close. */
    private Optional<Path> recordedLast = Optional.empty();
    /** Counts how often the user asked to see something else. */
    private int wishes;

    /**
     * A recording that goes on.
     *
     * @param ended  what came of it; complete when nothing of it is left but its session
     * @param atExit ends it with this program
     */
    private record Running(RecordingJob job, Path session, CompletableFuture<IStatus> ended, EndAtExit atExit) {
    }

    SessionController(SessionService service, CallsService calls, Display display) {
        this.service = service;
        this.calls = calls;
        this.display = display;
        service.add(this::follow);
    }

    /** The calls of a recording that is shown are shown as well. */
    private void follow(SessionState state) {
        if (state instanceof SessionState.Recording its) {
            calls.follow(its.session(), its.figures().info().start());
        } else {
            calls.leave();
        }
    }

    /** The workbench's. */
    public static SessionController get() {
        return PlatformUI.getWorkbench().getService(SessionController.class);
    }

    /**
     * Opens a session in place of the one that is open. A recording goes on behind it; its own session is shown as it
     * grows.
     *
     * @return the job that does it, for those who wait
     */
    public Job open(Path session) {
        Path absolute = session.toAbsolutePath().normalize();
        if (recordedSession().filter(absolute::equals).isPresent()) {
            return close();
        }
        int wish = wish();
        service.lookAside();
        service.set(opening(absolute));
        Job job = schedule("Open " + absolute.getFileName(), monitor -> read(absolute, wish, monitor));
        // Also one that was cancelled before it began.
        job.addJobChangeListener(IJobChangeListener.onDone(event -> {
            if (event.getResult().getSeverity() == IStatus.CANCEL && service.state() instanceof SessionState.Busy) {
                lookBack(wish);
            }
        }));
        return job;
    }

    private static SessionState opening(Path session) {
        return new SessionState.Busy("Opening " + session.getFileName() + "…");
    }

    /** Closes the session that is open, if one is, and shows the recording that runs, if one does. */
    public Job close() {
        int wish = wish();
        return close(() -> lookBack(wish));
    }

    private synchronized int wish() {
        return ++wishes;
    }

    /** Does nothing if the user has asked to see something else since. */
    private synchronized void lookBack(int wish) {
        if (wish == wishes) {
            service.lookBack();
        }
    }

    private Job close(Runnable then) {
        return schedule("Close the session", monitor -> {
            release(monitor);
            then.run();
        });
    }

    private Job schedule(String name, ICoreRunnable work) {
        Job job = Job.create(name, work);
        job.setJobGroup(oneAtATime);
        job.setUser(false);
        job.schedule();
        return job;
    }

    private void read(Path session, int wish, IProgressMonitor monitor) {
        release(monitor);
        SubMonitor progress = SubMonitor.convert(monitor, SafeText.line("Reading " + session.getFileName()), TICKS);
        try {
            SessionReader reader = SessionReader.open(session, new MonitorProgress(progress, TICKS));
            synchronized (this) {
                open = Optional.of(reader);
                watch = Optional.of(new GoneWatch(session, () -> gone(session)));
            }
            LatencySnapshot figures = reader.snapshot();
            service.set(new SessionState.Opened(session, figures));
            RecentSessions.ofWorkspace().add(session);
            calls.open(session, reader);
            openTraces(session, reader.traces(), figures, monitor);
        } catch (SessionException e) {
            service.set(new SessionState.Failed(e.getMessage()));
        } catch (CancellationException e) {
            lookBack(wish);
        }
    }

    /** If a trace can't be opened, only its events are missing: the figures are there. */
    private void openTraces(Path session, List<HostTrace> traces, LatencySnapshot figures, IProgressMonitor monitor) {
        Map<String, Path> named = new LinkedHashMap<>();
        for (HostTrace trace : traces) {
            String name = figures.hosts().isEmpty() ? name(session) : trace.target() + " " + name(session);
            // Two traces may have the same link name: a number tells them apart.
            String link = TraceProject.linkName(name);
            named.put(named.containsKey(link) ? named.size() + 1 + " " + link : link, trace.folder());
        }
        if (named.isEmpty()) {
            return;
        }
        try {
            TraceProject.open(display, named, monitor);
        } catch (CoreException e) {
            ILog.of(getClass()).log(e.getStatus());
            service.set(new SessionState.Opened(session, figures.withProblem(
                    "The trace of " + session.getFileName() + " can't be opened: " + e.getStatus().getMessage())));
        }
    }

    /**
     * Starts a recording; the views follow it, and its session is opened when it ends.
     *
     * @param hosts one, or several that are recorded into one session
     * @param ended   run when it has ended, however that came
     * @throws IllegalStateException if one is running
     */
    public Job record(List<ConnectedHosts.Host> hosts, RecordingRequest request, Runnable ended) {
        RecordingJob job = new RecordingJob(hosts, request, service);
        synchronized (this) {
            if (recording.isPresent()) {
                throw new IllegalStateException("A recording is running already");
            }
            recording = Optional.of(new Running(job, request.folder(), new CompletableFuture<>(),
                    EndAtExit.install(this)));
            leaving = false;
            recordedLast = Optional.empty();
        }
        job.addJobChangeListener(IJobChangeListener.onDone(event -> {
            ended.run();
            recorded(request.folder(), event.getResult());
        }));
        service.setRecording(new SessionState.Busy(hosts.size() == 1 ? "Connecting to the agent…"
                : "Connecting to " + hosts.size() + " hosts…"));
        close(job::schedule);
        return job;
    }

    /** Ends the recording that runs, if one does, and keeps its session. */
    public void stopRecording() {
        running().ifPresent(running -> running.job().stop());
    }

    /**
     * Ends the recording that runs, if one does, and keeps its session, for a workbench that is to close: a link that is
     * lost is not waited for, and the session is not opened. Returns at once.
     *
     * @return what came of it, complete when it has ended; empty if none runs
     */
    Optional<CompletableFuture<IStatus>> stopAndLeave() {
        Optional<Running> running;
        synchronized (this) {
            leaving = true;
            running = recording;
        }
        running.ifPresent(r -> r.job().stopAndLeave());
        return running.map(Running::ended);
    }

    /** The workbench stays after all: what was recorded is opened when it has ended, or now. */
    void stay() {
        Optional<Path> recorded;
        synchronized (this) {
            leaving = false;
            recorded = recordedLast;
            recordedLast = Optional.empty();
        }
        recorded.ifPresent(this::open);
    }

    /** The session of the recording that runs, or is about to. */
    Optional<Path> recordedSession() {
        return running().map(Running::session);
    }

    /** What ends the running recording when this program ends; empty if none is running. */
    Optional<EndAtExit> endAtExit() {
        return running().map(Running::atExit);
    }

    private synchronized Optional<Running> running() {
        return recording;
    }

    /** What the views show. */
    SessionState state() {
        return service.state();
    }

    /** How the recording stands that runs, shown or not. */
    Optional<SessionState> recordingState() {
        return service.recording();
    }

    private void recorded(Path session, IStatus result) {
        boolean failed = result.getSeverity() == IStatus.ERROR;
        Running running;
        boolean shown;
        boolean opened;
        synchronized (this) {
            running = recording.orElseThrow();
            recording = Optional.empty();
            boolean wanted = result.isOK() && !leaving;
            shown = !service.endRecording(wanted ? opening(session)
                    : failed ? new SessionState.Failed(result.getMessage()) : new SessionState.None());
            opened = wanted && shown;
            if (result.isOK() && shown && leaving) {
                recordedLast = Optional.of(session);
            }
        }
        if (opened) {
            open(session);
        } else if (failed && !shown) {
            tell("The recording of " + name(session) + " failed. " + result.getMessage());
        }
        running.atExit().remove();
        running.ended().complete(result);
    }

    /** Reports a failure of something that is not shown. */
    private void tell(String failure) {
        UiThread.later(display, () -> MessageDialog.openError(display.getActiveShell(), "Record", SafeText.lines(failure)));
    }

    /** "checkout" for {@code …/checkout.kview} and {@code …/checkout.kview.zip}. */
    public static String name(Path session) {
        return SessionSummary.name(session);
    }

    /** The figures are in memory and stay visible; the user is told that the events can't be read any more. */
    private void gone(Path session) {
        if (service.state() instanceof SessionState.Opened(Path shown, LatencySnapshot figures) && shown.equals(session)) {
            service.set(new SessionState.Opened(session, figures.withProblem(session
                    + " was moved or removed by another program: its figures are still shown, its events are not"
                    + " read any more. Open it where it is now.")));
        }
    }

    /** Something that moves sessions; see {@link #whileClosed}. */
    @FunctionalInterface
    public interface Moving {
        SessionChange.Done move() throws SessionException;
    }

    /**
     * Moves sessions. If the one that is open is among them, it is closed before and opened again after:
     * where it is now, where it was if the move failed, or not at all if it was deleted. Blocks; not for
     * the UI thread.
     *
     * @param leaving where sessions will no longer be
     */
    public SessionChange.Done whileClosed(List<Path> leaving, Moving moving)
            throws SessionException, InterruptedException {
        Optional<Path> moved = service.state() instanceof SessionState.Opened(Path session, var _)
                && leaving.contains(session) ? Optional.of(session) : Optional.empty();
        if (moved.isEmpty()) {
            return moving.move();
        }
        close().join();
        Optional<Path> place = moved;
        try {
            SessionChange.Done done = moving.move();
            place = done.sessions().stream().findFirst().or(() -> moved.filter(Files::exists));
            place.filter(to -> !to.equals(moved.get()))
                    .ifPresent(to -> RecentSessions.ofWorkspace().replace(moved.get(), to));
            return done;
        } finally {
            place.ifPresent(this::open);
        }
    }

    private void release(IProgressMonitor monitor) {
        try {
            TraceProject.clear(display, monitor);
        } catch (CoreException e) {
            ILog.of(getClass()).log(e.getStatus());
        }
        calls.close();
        Optional<SessionReader> reader;
        synchronized (this) {
            reader = open;
            open = Optional.empty();
            watch.ifPresent(GoneWatch::close);
            watch = Optional.empty();
        }
        reader.ifPresent(SessionReader::close);
    }

    /**
     * Frees what the open session holds, and waits for the end of a recording that was left at once. Called once, when
     * the workbench has closed its windows.
     */
    public void shutdown() {
        EndAtExit.end(this);
        calls.end();
        synchronized (this) {
            open.ifPresent(SessionReader::close);
            open = Optional.empty();
            watch.ifPresent(GoneWatch::close);
            watch = Optional.empty();
        }
    }
}
