// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobGroup;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SessionNotes;
import org.kview.ui.UiThread;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionState;

/**
 * The notes of the session that is open. Changes show at once and are written by a job soon after. Used on the UI thread,
 * except {@link #flush}.
 */
public final class NotesService implements SessionListener {
    /** Long enough that a sentence is written once while it is typed, and short enough that little is lost. */
    static final int WRITE_AFTER_MILLIS = 700;

    private final Display display;
    private final List<Consumer<NotesState>> listeners = new CopyOnWriteArrayList<>();
    private final JobGroup oneAtATime = new JobGroup("Notes", 1, 0);
    private Optional<NotesDocument> document = Optional.empty();
    private NotesState state = new NotesState.None();
    private Optional<Job> writing = Optional.empty();

    NotesService(Display display) {
        this.display = display;
    }

    /** The workbench's. */
    public static NotesService get() {
        return PlatformUI.getWorkbench().getService(NotesService.class);
    }

    public NotesState state() {
        return state;
    }

    /** Adds a listener; it is not told the current state. */
    public void add(Consumer<NotesState> listener) {
        listeners.add(listener);
    }

    public void remove(Consumer<NotesState> listener) {
        listeners.remove(listener);
    }

    @Override
    public void sessionChanged(SessionState session) {
        Optional<Path> path = switch (session) {
            case SessionState.Opened(Path p, var _) -> Optional.of(p);
            case SessionState.Recording(Path p, var _, var _, var _) -> Optional.of(p);
            default -> Optional.empty();
        };
        if (!path.equals(document.map(NotesDocument::session))) {
            writeNow();
            document = path.map(NotesDocument::new);
            set(new NotesState.None());
            reload();
        }
    }

    /** Reads the notes from disk; changes that are not written are lost. */
    public void reload() {
        document.ifPresent(d -> schedule("Read the notes of " + d.session().getFileName(), 0,
                monitor -> tell(d, d.read())));
    }

    /** Changes the notes, if they can be; else does nothing. */
    public void change(UnaryOperator<SessionNotes> change) {
        if (!(state instanceof NotesState.Loaded(Path session, SessionNotes shown, String problem, boolean can)) || !can) {
            return;
        }
        SessionNotes changed = change.apply(shown);
        if (!changed.equals(shown)) {
            document.ifPresent(d -> d.want(changed));
            set(new NotesState.Loaded(session, changed, problem, true));
            write(WRITE_AFTER_MILLIS);
        }
    }

    /** To be called after a conflict, to keep the user's own notes. */
    public void keepMine() {
        document.ifPresent(d -> schedule("Write notes", 0, monitor -> tell(d, d.overwrite())));
    }

    private void write(int afterMillis) {
        NotesDocument own = document.orElseThrow();
        writing.ifPresent(Job::cancel);
        writing = Optional.of(schedule("Write notes", afterMillis, monitor -> own.write().ifPresent(s -> tell(own, s))));
    }

    private Optional<Job> writeNow() {
        Optional<Job> pending = writing.filter(job -> job.getState() != Job.NONE);
        // Wakes the job if it is still waiting for its delay; if it is running it just goes on.
        pending.ifPresent(Job::wakeUp);
        return pending;
    }

    /** Waits until all changes are on disk, or can't be written. Blocks; not for the UI thread. */
    public void flush() throws InterruptedException {
        AtomicReference<Optional<Job>> pending = new AtomicReference<>(Optional.empty());
        UiThread.wait(display, () -> pending.set(writeNow()));
        if (pending.get().isPresent()) {
            pending.get().get().join();
        }
    }

    private Job schedule(String name, int afterMillis, ICoreRunnable work) {
        Job job = Job.create(name, work);
        job.setSystem(true);
        job.setJobGroup(oneAtATime);
        job.schedule(afterMillis);
        return job;
    }

    private void tell(NotesDocument of, NotesState next) {
        UiThread.later(display, () -> {
            if (document.equals(Optional.of(of))) {
                set(next);
            }
        });
    }

    private void set(NotesState next) {
        state = next;
        listeners.forEach(listener -> listener.accept(next));
    }

    /** When the workbench ends. Blocks for as long as it takes to write a small file. */
    void shutdown() {
        document.ifPresent(NotesDocument::write);
    }
}
