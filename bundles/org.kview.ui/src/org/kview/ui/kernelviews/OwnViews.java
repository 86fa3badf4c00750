// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Control;
import org.kview.model.SafeText;
import org.kview.targets.Agent;
import org.kview.targets.OwnKernelViews;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.KernelViews.SiteSet;
import org.kview.targets.values.KernelViews.View;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;
import org.kview.ui.UiThread;
import org.kview.ui.kernelviews.ViewDialog.Part;

/** Makes kernel views on the target, and changes those that were made here. Asks first, works in a job, and says what failed. */
final class OwnViews {
    private static final String NEW = "New Kernel View";

    /** Returns sentences that are to be shown. */
    @FunctionalInterface
    private interface Change {
        List<String> apply(Agent agent) throws TargetException, InterruptedException;
    }

    private final Control control;
    private final Supplier<Optional<TargetConnection>> target;
    private final Runnable changed;

    /** @param changed runs after each change, on a job's thread */
    OwnViews(Control control, Supplier<Optional<TargetConnection>> target, Runnable changed) {
        this.control = control;
        this.target = target;
        this.changed = changed;
    }

    void make() {
        ViewDialog dialog = new ViewDialog(control.getShell(), NEW, Set.of(Part.values()), Optional.empty());
        if (dialog.open() == Window.OK) {
            ViewDialog.Answer answer = dialog.answer();
            run(NEW, agent -> make(agent, answer));
        }
    }

    /** Nothing is left of one that can't be made as a whole. */
    private static List<String> make(Agent agent, ViewDialog.Answer answer) throws TargetException, InterruptedException {
        long view = OwnKernelViews.make(agent, answer.name());
        try {
            List<String> notes = OwnKernelViews.add(agent, view, answer.sites());
            if (answer.member().isPresent()) {
                OwnKernelViews.attach(agent, view, answer.member().get());
            }
            return notes;
        } catch (TargetException | InterruptedException e) {
            OwnKernelViews.close(agent, view, view);
            throw e;
        }
    }

    void addSites(View view) {
        ViewDialog dialog = new ViewDialog(control.getShell(), "Add Sites", Set.of(Part.SITES), Optional.empty());
        if (dialog.open() == Window.OK) {
            ViewDialog.Answer answer = dialog.answer();
            run("Add Sites", agent -> OwnKernelViews.add(agent, view.id(), answer.sites()));
        }
    }

    /** @param process who is proposed */
    void attach(View view, Optional<ProcessInfo> process) {
        ViewDialog dialog = new ViewDialog(control.getShell(), "Attach to " + name(view), Set.of(Part.MEMBER), process);
        if (dialog.open() == Window.OK) {
            dialog.answer().member().ifPresent(member -> run("Attach", agent -> {
                OwnKernelViews.attach(agent, view.id(), member);
                return List.of();
            }));
        }
    }

    /** Whether any of its sets counts now. */
    static boolean counts(View view) {
        return view.sets().stream().anyMatch(SiteSet::active);
    }

    void count(View view, boolean on) {
        run(on ? "Count Again" : "Stop Counting", agent -> {
            OwnKernelViews.count(agent, view.id(), on);
            return List.of();
        });
    }

    /** @param part a set, an attachment, or the view */
    void close(View view, long part) {
        run(part == view.id() ? "Remove Kernel View" : "Change Kernel View", agent -> {
            OwnKernelViews.close(agent, view.id(), part);
            return List.of();
        });
    }

    private static String name(View view) {
        return view.name().isEmpty() ? "View " + view.id() : view.name();
    }

    private void run(String title, Change change) {
        Optional<TargetConnection> host = target.get();
        Job job = new Job(SafeText.line(title)) {
            private Optional<Thread> waiting = Optional.empty();

            @Override
            protected IStatus run(IProgressMonitor monitor) {
                try {
                    Agent agent = host.flatMap(TargetConnection::agent).orElseThrow(() -> new TargetException(
                            TargetException.Kind.NOT_REACHED, "The target is not connected: connect it in the Targets view"));
                    waits(Optional.of(Thread.currentThread()));
                    say(title, change.apply(agent));
                } catch (TargetException e) {
                    show(() -> MessageDialog.openError(control.getShell(), title, SafeText.lines(e.getMessage())));
                } catch (InterruptedException e) {
                    return Status.CANCEL_STATUS;
                } finally {
                    waits(Optional.empty());
                    // Its thread runs other jobs.
                    Thread.interrupted();
                }
                changed.run();
                return Status.OK_STATUS;
            }

            private synchronized void waits(Optional<Thread> thread) {
                waiting = thread;
            }

            /** A process that is within an execve may not come in for half a minute. */
            @Override
            protected synchronized void canceling() {
                waiting.ifPresent(Thread::interrupt);
            }
        };
        job.schedule();
    }

    private void say(String title, List<String> sentences) {
        if (!sentences.isEmpty()) {
            show(() -> MessageDialog.openInformation(control.getShell(), title, SafeText.lines(String.join("\n", sentences))));
        }
    }

    private void show(Runnable dialog) {
        UiThread.later(control.getDisplay(), () -> {
            if (!control.isDisposed()) {
                dialog.run();
            }
        });
    }
}
