// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobGroup;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchListener;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.XMLMemento;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/**
 * Keeps what is open with each session, and brings it back when the session is opened again: views,
 * selected functions, the time that is shown and selected, filters, order. Used on the UI thread.
 */
public final class SessionMemory implements SessionListener {
    /** A workbench that is killed loses no more than this. */
    private static final int SAVE_EVERY_MILLIS = 5000;

    private final IWorkbenchWindow window;
    private final MemoryStore store;
    private final TimeRanges times = new TimeRanges();
    /** Files are read and written in the order of what happened. */
    private final JobGroup oneAtATime = new JobGroup("Memory of sessions", 1, 0);
    private Optional<String> key = Optional.empty();
    /** False from the opening of a session until its state is back: until then there is nothing to save. */
    private boolean settled;
    private String saved = "";

    SessionMemory(IWorkbenchWindow window, MemoryStore store) {
        this.window = window;
        this.store = store;
    }

    /** Begins to watch, for as long as the workbench runs. */
    public static SessionMemory start(IWorkbenchWindow window) {
        SessionMemory memory = new SessionMemory(window, new MemoryStore(Platform.getStateLocation(
                Platform.getBundle(KviewUi.BUNDLE_ID)).append("open-with-session").toPath()));
        // It must hear of another session before the views do, because they forget the former session then.
        SessionService.get().addFirst(memory);
        window.getWorkbench().addWorkbenchListener(new IWorkbenchListener() {
            @Override
            public boolean preShutdown(IWorkbench workbench, boolean forced) {
                memory.capture().ifPresent(xml -> memory.store.save(memory.key.orElseThrow(), xml));
                memory.times.dispose();
                return true;
            }

            @Override
            public void postShutdown(IWorkbench workbench) {
                // Everything is written.
            }
        });
        memory.saveEvery();
        return memory;
    }

    private void saveEvery() {
        Display display = window.getShell().getDisplay();
        display.timerExec(SAVE_EVERY_MILLIS, () -> {
            if (window.getShell() != null && !window.getShell().isDisposed()) {
                save();
                saveEvery();
            }
        });
    }

    @Override
    public void sessionChanged(SessionState state) {
        Optional<String> next = state instanceof SessionState.Opened(var _, var figures)
                ? Optional.of(MemoryStore.key(figures.info())) : Optional.empty();
        if (next.equals(key)) {
            return;
        }
        save();
        // By the time a session is announced, its trace may be open already. So for the session before, only what was open
        // when it was left may be saved.
        if (key.isPresent()) {
            times.clear();
        }
        key = next;
        settled = false;
        saved = "";
        if (state instanceof SessionState.Opened(Path session, var _)) {
            load(session, key.orElseThrow());
        }
    }

    /** Nothing is stored for figures that are not in a session's file. */
    private void load(Path session, String wanted) {
        Display display = window.getShell().getDisplay();
        schedule("Read what was open", () -> {
            if (!Files.exists(session)) {
                return;
            }
            Optional<XMLMemento> memento = store.load(wanted);
            // The views have heard of the session by then.
            UiThread.later(display, () -> restore(wanted, memento));
        });
    }

    private void restore(String wanted, Optional<XMLMemento> memento) {
        if (!key.equals(Optional.of(wanted)) || page().isEmpty()) {
            return;
        }
        memento.ifPresent(m -> {
            OpenViews.restore(page().get(), m);
            times.restore(m);
        });
        settled = true;
    }

    private void save() {
        capture().filter(xml -> !xml.equals(saved)).ifPresent(xml -> {
            saved = xml;
            String of = key.orElseThrow();
            schedule("Keep what is open", () -> store.save(of, xml));
        });
    }

    private Optional<String> capture() {
        if (!settled || key.isEmpty() || page().isEmpty()) {
            return Optional.empty();
        }
        XMLMemento memento = XMLMemento.createWriteRoot(MemoryStore.ROOT);
        memento.putInteger("version", 1);
        OpenViews.save(page().get(), memento);
        times.save(memento);
        return Optional.of(MemoryStore.print(memento));
    }

    private Optional<IWorkbenchPage> page() {
        return Optional.ofNullable(window.getActivePage());
    }

    private void schedule(String name, Runnable work) {
        Job job = Job.create(name, monitor -> {
            work.run();
        });
        job.setSystem(true);
        job.setJobGroup(oneAtATime);
        job.schedule();
    }
}
