// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TitleAreaDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Group;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.compare.Comparer;
import org.kview.model.SafeText;
import org.kview.ui.session.OpenSessionDialog;
import org.kview.ui.session.RecentSessions;

/** Asks which sessions to compare with which: one a side, or several. */
final class CompareDialog extends TitleAreaDialog {
    private static final int LIST_WIDTH = 300;
    private static final int LIST_HEIGHT = 150;

    private final Side a;
    private final Side b;
    private Optional<ComparedPaths> chosen = Optional.empty();

    CompareDialog(Shell parent, List<Path> a, List<Path> b) {
        super(parent);
        this.a = new Side("&A, before", a);
        this.b = new Side("&B, after", b);
        setShellStyle(getShellStyle() | SWT.RESIZE);
        setHelpAvailable(false);
    }

    /** What was chosen; empty unless the dialog was left with OK. */
    Optional<ComparedPaths> chosen() {
        return chosen;
    }

    /** One side's list. */
    private final class Side {
        private final String title;
        private final List<Path> sessions;
        private Table table;

        Side(String title, List<Path> sessions) {
            this.title = title;
            this.sessions = new ArrayList<>(sessions);
        }

        void create(Composite area, Side other) {
            Group group = new Group(area, SWT.NONE);
            group.setText(SafeText.lines(title));
            GridLayoutFactory.fillDefaults().numColumns(3).margins(8, 8).applyTo(group);
            GridDataFactory.fillDefaults().grab(true, true).applyTo(group);
            table = new Table(group, SWT.BORDER | SWT.MULTI | SWT.FULL_SELECTION);
            GridDataFactory.fillDefaults().span(3, 1).grab(true, true).hint(LIST_WIDTH, LIST_HEIGHT).applyTo(table);
            button(group, "Add…", this::ask);
            button(group, "Remove", () -> take());
            button(group, "To Other Side", () -> other.add(take()));
            show();
        }

        private void ask() {
            OpenSessionDialog dialog = new OpenSessionDialog(getShell(), RecentSessions.ofWorkspace().paths(),
                    "Choose a session for " + title.replace("&", ""));
            if (dialog.open() == Window.OK) {
                add(dialog.session().stream().toList());
            }
        }

        private void add(List<Path> more) {
            more.stream().filter(path -> !sessions.contains(path)).forEach(sessions::add);
            show();
            check();
        }

        private List<Path> take() {
            List<Path> taken = new ArrayList<>();
            for (int index : table.getSelectionIndices()) {
                taken.add(sessions.get(index));
            }
            sessions.removeAll(taken);
            show();
            check();
            return taken;
        }

        private void show() {
            table.removeAll();
            for (Path session : sessions) {
                new TableItem(table, SWT.NONE).setText(SafeText.line(CompareJob.name(session) + "   " + session.getParent()));
            }
        }
    }

    private static void button(Composite parent, String text, Runnable work) {
        Button button = new Button(parent, SWT.PUSH);
        button.setText(SafeText.lines(text));
        button.addListener(SWT.Selection, event -> work.run());
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText("Compare Sessions");
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = new Composite((Composite) super.createDialogArea(parent), SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).equalWidth(true).margins(12, 12).spacing(8, 8).applyTo(area);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(area);
        a.create(area, b);
        b.create(area, a);
        setTitle("Compare sessions");
        return area;
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, IDialogConstants.OK_ID, "Compare", true);
        createButton(parent, IDialogConstants.CANCEL_ID, IDialogConstants.CANCEL_LABEL, false);
        check();
    }

    private void check() {
        setMessage(SafeText.lines(advice(a.sessions.size(), b.sessions.size())));
        getButton(IDialogConstants.OK_ID).setEnabled(Comparer.isComparable(a.sessions.size(), b.sessions.size()));
    }

    /** What a comparison of so many sessions on each side can show, or which sessions are missing. */
    static String advice(int a, int b) {
        if (!Comparer.isComparable(a, b)) {
            return "Choose one session for each side, or several for each: three or more a side can show a change.";
        }
        return a == 1 ? "One session a side shows how these two differ. Three or more a side show whether the program changed."
                : Math.min(a, b) < Comparer.ENOUGH_RECORDINGS
                        ? "Two sessions on a side show little. Three or more a side show whether the program changed."
                        : "What differs more than the sessions of a side differ from each other is called changed, if the sides were"
                                + " recorded in turns.";
    }

    @Override
    protected void okPressed() {
        chosen = Optional.of(new ComparedPaths(a.sessions, b.sessions));
        super.okPressed();
    }
}
