// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IWorkbenchSite;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.ui.UiThread;
import org.kview.ui.session.MonitorProgress;
import org.kview.ui.session.OpenSessionDialog;
import org.kview.ui.session.RecentSessions;
import org.kview.ui.session.SessionService;
import org.kview.ui.widgets.Actions;

/** Lays another session's curves over those of the open one, and takes them away. For the UI thread. */
final class OverlayActions {
    private static final int TICKS = 1000;

    private final IWorkbenchSite site;
    private final Display display;
    private final Consumer<Optional<Overlay>> overlaid;
    private Optional<Job> reading = Optional.empty();

    OverlayActions(IWorkbenchSite site, Consumer<Optional<Overlay>> overlaid) {
        this.site = site;
        this.display = site.getShell().getDisplay();
        this.overlaid = overlaid;
    }

    void addTo(IMenuManager menu) {
        IAction add = Actions.of("&Overlay a Session…", this::ask);
        IAction remove = Actions.of("&Remove Overlay", this::remove);
        menu.add(add);
        menu.add(remove);
    }

    private void ask() {
        OpenSessionDialog dialog = new OpenSessionDialog(site.getShell(), RecentSessions.ofWorkspace().paths(), "Choose a session to lay over");
        if (dialog.open() == Window.OK) {
            dialog.session().ifPresent(this::read);
        }
    }

    /** Also what is being read does not come any more. */
    void remove() {
        reading.ifPresent(Job::cancel);
        reading = Optional.empty();
        overlaid.accept(Optional.empty());
    }

    /** In a job; a session may be long. */
    Job read(Path session) {
        remove();
        String name = SafeText.line(String.valueOf(session.getFileName()).replaceFirst("\\.kview(\\.zip)?$", ""));
        Job job = new Job(SafeText.line("Read " + session.getFileName())) {
            @Override
            protected IStatus run(IProgressMonitor monitor) {
                monitor.beginTask(SafeText.line(getName()), TICKS);
                try (SessionReader reader = SessionReader.open(session, new MonitorProgress(monitor, TICKS))) {
                    Overlay overlay = new Overlay(name, reader.snapshot());
                    UiThread.later(display, () -> show(this, overlay));
                } catch (SessionException e) {
                    UiThread.later(display, () -> fail(this, e.getMessage()));
                } catch (CancellationException e) {
                    return Status.CANCEL_STATUS;
                }
                return Status.OK_STATUS;
            }
        };
        reading = Optional.of(job);
        job.schedule();
        return job;
    }

    private boolean isOver(Job job) {
        boolean wanted = reading.filter(its -> its == job).isPresent() && SessionService.get().state().snapshot().isPresent();
        if (wanted) {
            reading = Optional.empty();
        }
        return !wanted;
    }

    private void show(Job job, Overlay overlay) {
        if (!isOver(job)) {
            overlaid.accept(Optional.of(overlay));
        }
    }

    private void fail(Job job, String sentence) {
        if (!isOver(job) && site.getShell() != null && !site.getShell().isDisposed()) {
            MessageDialog.openError(site.getShell(), "Overlay a Session", SafeText.line(sentence + (sentence.endsWith(".") ? "" : ".")));
        }
    }
}
