// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;

/** Reads and answers dialogs as a user does, from a test's thread. */
public final class Dialogs {
    private static final Duration LONG = Duration.ofMinutes(3);

    private Dialogs() {
    }

    /** Waits for a dialog whose title starts so. */
    public static Shell await(String title) throws InterruptedException {
        Ui.await("a dialog: " + title, LONG, () -> find(title).isPresent());
        return Ui.get(() -> find(title).orElseThrow());
    }

    public static void awaitNone(String title) throws InterruptedException {
        Ui.await("no dialog: " + title, LONG, () -> find(title).isEmpty());
    }

    /** On the UI thread. */
    public static Optional<Shell> find(String title) {
        return List.of(Display.getCurrent().getShells()).stream()
                .filter(shell -> shell.isVisible() && shell.getText().startsWith(title)).findFirst();
    }

    /** On the UI thread: all controls of a kind, from the top. */
    public static <C extends Control> List<C> all(Composite parent, Class<C> type) {
        List<C> found = new ArrayList<>();
        for (Control child : parent.getChildren()) {
            if (type.isInstance(child)) {
                found.add(type.cast(child));
            }
            if (child instanceof Composite composite) {
                found.addAll(all(composite, type));
            }
        }
        return found;
    }

    /** What its labels say. */
    public static String text(Shell shell) {
        return Ui.get(() -> String.join("\n", all(shell, Label.class).stream().map(Label::getText).toList()));
    }

    public static void press(Shell shell, String button) {
        Ui.run(() -> all(shell, Button.class).stream().filter(b -> b.getText().replace("&", "").equals(button))
                .findFirst().orElseThrow(() -> new AssertionError("No button " + button))
                .notifyListeners(SWT.Selection, new Event()));
    }

    /** Fills its fields in from the top. */
    public static void type(Shell shell, String... answers) {
        Ui.run(() -> {
            List<Text> fields = all(shell, Text.class);
            for (int i = 0; i < answers.length; i++) {
                fields.get(i).setText(answers[i]);
            }
        });
    }

    /** Ticks the first box. */
    public static void tick(Shell shell) {
        Ui.run(() -> {
            Button box = all(shell, Button.class).stream().filter(b -> (b.getStyle() & SWT.CHECK) != 0).findFirst()
                    .orElseThrow();
            box.setSelection(true);
            box.notifyListeners(SWT.Selection, new Event());
        });
    }
}
