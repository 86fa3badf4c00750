// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TitleAreaDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;

/** Asks on which host to compare the ways to record, and says who pays for that. */
final class WaysDialog extends TitleAreaDialog {
    private final List<TargetConnection> targets;
    private final TargetConnection proposed;
    private Combo target;
    private Button post;
    private Optional<WaysJob.Question> question = Optional.empty();

    /** @param targets at least one */
    WaysDialog(Shell parent, List<TargetConnection> targets, TargetConnection proposed) {
        super(parent);
        this.targets = List.copyOf(targets);
        this.proposed = proposed;
        setHelpAvailable(false);
    }

    /** Empty unless the dialog was left with OK. */
    Optional<WaysJob.Question> question() {
        return question;
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText("Compare Ways");
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = new Composite((Composite) super.createDialogArea(parent), SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(12, 12).spacing(8, 8).applyTo(area);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(area);
        new Label(area, SWT.NONE).setText("&Target:");
        target = new Combo(area, SWT.DROP_DOWN | SWT.READ_ONLY);
        targets.forEach(t -> target.add(SafeText.line(t.origin() == TargetConnection.Origin.LOCAL ? "This machine" : t.name())));
        target.select(Math.max(0, targets.indexOf(proposed)));
        GridDataFactory.fillDefaults().grab(true, false).applyTo(target);
        text(area, "Two processes of the agent's own are measured for some seconds, nobody else's is recorded. Each way that filters in eBPF is"
                + " passed by all processes of that host while it is tried, some hundredths of a second each time.");
        post = new Button(area, SWT.CHECK);
        post.setText("&Also compare with filtering afterwards");
        GridDataFactory.fillDefaults().span(2, 1).applyTo(post);
        text(area, "No recording does that. For some tenths of a second in all, each system call of each process of that host would be told to"
                + " the agent: all of them pay for it.");
        setTitle("Compare what ways to record cost");
        setMessage("A call of the recorded process, and of others: in a view of the kernel, filtered in eBPF, and what else the host has.");
        return area;
    }

    private static void text(Composite area, String text) {
        Label label = new Label(area, SWT.WRAP);
        label.setText(SafeText.lines(text));
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(440, SWT.DEFAULT).applyTo(label);
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, IDialogConstants.OK_ID, "Compare", true);
        createButton(parent, IDialogConstants.CANCEL_ID, IDialogConstants.CANCEL_LABEL, false);
    }

    @Override
    protected void okPressed() {
        question = Optional.of(new WaysJob.Question(targets.get(target.getSelectionIndex()), post.getSelection()));
        super.okPressed();
    }
}
