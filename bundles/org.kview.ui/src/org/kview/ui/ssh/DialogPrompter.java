// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.ssh;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.eclipse.core.runtime.ILog;
import org.eclipse.jface.dialogs.Dialog;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.kview.ssh.SshPrompter;
import org.kview.ui.UiThread;

/**
 * Asks in dialogs what a connection to one host wants to know. The connection's thread waits, the UI
 * thread does not. A secret that is to be remembered is stored once it has proved right, and a stored
 * one that proves wrong is removed.
 */
public final class DialogPrompter implements SshPrompter {

    /** What two questions with the same answers have in common, whether they are asked for the first time or again. */
    private record Key(Purpose purpose, List<Prompt> prompts) {
        static Key of(Question question) {
            return new Key(question.purpose(), question.prompts());
        }
    }

    private final Display display;
    private final SecretStore store;
    private final Runnable cancelled;
    private final Consumer<String> said;
    private final Map<Key, List<String>> toRemember = new HashMap<>();
    private final Map<Key, Boolean> fromStore = new HashMap<>();
    /** This and the next: on the UI thread. */
    private Optional<Dialog> open = Optional.empty();
    private boolean dismissed;

    /**
     * @param cancelled runs when the user closed a dialog without an answer
     * @param said      hears what takes time
     */
    public DialogPrompter(Display display, SecretStore store, Runnable cancelled, Consumer<String> said) {
        this.display = display;
        this.store = store;
        this.cancelled = cancelled;
        this.said = said;
    }

    @Override
    public HostKeyAnswer confirm(UnknownHostKey key) {
        HostKeyAnswer answer = show(() -> new HostKeyDialog(shell(), key), HostKeyDialog::answer)
                .orElse(HostKeyAnswer.REFUSE);
        if (answer == HostKeyAnswer.REFUSE) {
            cancelled.run();
        }
        return answer;
    }

    @Override
    public Optional<List<String>> ask(Question question) {
        Key key = Key.of(question);
        Optional<List<String>> stored = question.again() ? Optional.empty() : store.get(question);
        synchronized (this) {
            fromStore.put(key, stored.isPresent());
            toRemember.remove(key);
        }
        if (stored.isPresent()) {
            return stored;
        }
        Optional<SecretDialog> dialog = show(() -> new SecretDialog(shell(), question), d -> d);
        if (dialog.isEmpty()) {
            cancelled.run();
            return Optional.empty();
        }
        if (dialog.get().isRemembered()) {
            synchronized (this) {
                toRemember.put(key, dialog.get().answers());
            }
        }
        return Optional.of(dialog.get().answers());
    }

    @Override
    public void judged(Question question, boolean right) {
        Optional<List<String>> wanted;
        boolean stored;
        synchronized (this) {
            wanted = Optional.ofNullable(toRemember.remove(Key.of(question)));
            stored = Boolean.TRUE.equals(fromStore.remove(Key.of(question)));
        }
        if (right && wanted.isPresent()) {
            remember(question, wanted.get());
        } else if (!right && stored) {
            store.remove(question.purpose());
        }
    }

    /** Not in the connection's thread, which the storage's own dialog would keep from answering its host. */
    private void remember(Question question, List<String> answers) {
        Thread.ofVirtual().name("kview-remember").start(() -> {
            try {
                store.put(question, answers);
            } catch (IOException e) {
                ILog.of(getClass()).warn(e.getMessage());
                said.accept(e.getMessage());
            }
        });
    }

    @Override
    public void say(String sentence) {
        said.accept(sentence);
    }

    /** Closes the dialog that is open, if one is: nobody waits for its answer any more. */
    public void dismiss() {
        UiThread.later(display, () -> open.ifPresent(dialog -> {
            dismissed = true;
            dialog.close();
        }));
    }

    /** @return empty if the dialog was closed without an answer */
    private <D extends Dialog, T> Optional<T> show(Supplier<D> dialogs, java.util.function.Function<D, T> answer) {
        if (display.isDisposed()) {
            return Optional.empty();
        }
        return Optional.ofNullable(display.syncCall(() -> {
            D dialog = dialogs.get();
            open = Optional.of(dialog);
            dismissed = false;
            try {
                return dialog.open() == Window.OK && !dismissed ? answer.apply(dialog) : null;
            } finally {
                open = Optional.empty();
            }
        }));
    }

    /** The shell of a wizard or another dialog that is on top; otherwise the window. */
    private Shell shell() {
        Shell active = display.getActiveShell();
        if (active != null) {
            return active;
        }
        Shell[] shells = display.getShells();
        return shells.length == 0 ? new Shell(display) : shells[0];
    }
}
