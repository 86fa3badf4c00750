// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchListener;
import org.eclipse.ui.IWorkbenchWindow;
import org.kview.model.SafeText;
import org.kview.ui.UiThread;

/**
 * Keeps the workbench from closing while it records: asks, ends the recording, waits for that without stopping the UI
 * thread, and then closes. A workbench that must close at once, as at the end of memory, ends its recording and asks
 * nothing. Used on the UI thread.
 */
public final class LeaveInOrder implements IWorkbenchListener {
    private final SessionController controller;
    private final Supplier<Shell> shell;
    private final Runnable close;
    private Optional<MessageDialog> question = Optional.empty();
    private Optional<EndingDialog> ending = Optional.empty();

    /** @param close tries again to close the workbench */
    LeaveInOrder(SessionController controller, Supplier<Shell> shell, Runnable close) {
        this.controller = controller;
        this.shell = shell;
        this.close = close;
    }

    /**
     * To be called before anything else that listens to the workbench's end: later listeners may release what this one
     * needs.
     */
    public static void install(IWorkbenchWindow window) {
        IWorkbench workbench = window.getWorkbench();
        workbench.addWorkbenchListener(new LeaveInOrder(SessionController.get(), window::getShell, workbench::close));
    }

    @Override
    public boolean preShutdown(IWorkbench workbench, boolean forced) {
        if (forced) {
            controller.stopAndLeave();
            return true;
        }
        if (controller.recordedSession().isEmpty()) {
            return true;
        }
        // Whoever closes, such as the session manager, gets an answer at once.
        UiThread.later(Display.getCurrent(), this::ask);
        return false;
    }

    private void ask() {
        if (shell.get() == null || shell.get().isDisposed()) {
            return;
        }
        if (question.isPresent() || ending.isPresent()) {
            question.map(Window::getShell).or(() -> ending.map(Window::getShell)).ifPresent(Shell::forceActive);
            return;
        }
        if (controller.recordedSession().isEmpty()) {
            close.run();
            return;
        }
        String session = SessionController.name(controller.recordedSession().get());
        MessageDialog dialog = new MessageDialog(shell.get(), "Close the Workbench", null,
                SafeText.lines(text(session)), MessageDialog.QUESTION, 0, "&Stop and Save", "&Cancel");
        question = Optional.of(dialog);
        int answer = dialog.open();
        question = Optional.empty();
        if (answer == 0) {
            end(session);
        }
    }

    /** If a host can't be reached, the question also says what becomes of the recording there. */
    private String text(String session) {
        String hosts = controller.recordingState().orElse(null) instanceof SessionState.Recording recording
                && !recording.link().isUp()
                ? "\n\nThe link to " + recording.figures().info().target() + " is lost. What came before that is kept;"
                        + " the agent there removes its probes by itself after the grace time."
                : "";
        return session + " is being recorded, and a recording ends with its workbench. Stop it, keep its session, and"
                + " close?" + hosts;
    }

    private void end(String session) {
        Optional<CompletableFuture<IStatus>> recording = controller.stopAndLeave();
        if (recording.isPresent()) {
            EndingDialog dialog = new EndingDialog(shell.get(), session);
            ending = Optional.of(dialog);
            dialog.setBlockOnOpen(true);
            dialog.create();
            Display display = shell.get().getDisplay();
            recording.get().thenRun(() -> UiThread.later(display, dialog::close));
            dialog.open();
            ending = Optional.empty();
            if (dialog.isStaying()) {
                controller.stay();
                return;
            }
        }
        // The user must first read what could not be written.
        boolean failed = recording.isPresent() ? recording.get().getNow(Status.OK_STATUS).getSeverity() == IStatus.ERROR
                : controller.state() instanceof SessionState.Failed;
        if (!failed) {
            close.run();
        }
    }

    @Override
    public void postShutdown(IWorkbench workbench) {
        // Everything has ended.
    }
}
