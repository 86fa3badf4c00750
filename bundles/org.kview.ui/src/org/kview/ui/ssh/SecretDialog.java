// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.ssh;

import java.util.ArrayList;
import java.util.List;

import org.eclipse.jface.dialogs.Dialog;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.kview.model.SafeText;
import org.kview.ssh.SshPrompter.Prompt;
import org.kview.ssh.SshPrompter.Purpose;
import org.kview.ssh.SshPrompter.Question;
import org.kview.ui.theme.OwnColours;

/** A passphrase, a password, or what else a host wants to know: one field a prompt. */
final class SecretDialog extends Dialog {
    private static final int TEXT_WIDTH = 440;

    private final Question question;
    private final List<Text> fields = new ArrayList<>();
    private Button remember;
    private List<String> answers = List.of();
    private boolean remembered;

    SecretDialog(Shell parent, Question question) {
        super(parent);
        this.question = question;
        setShellStyle(SWT.DIALOG_TRIM | SWT.APPLICATION_MODAL | SWT.RESIZE);
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText(SafeText.line(switch (question.purpose()) {
            case Purpose.Passphrase _ -> "Passphrase";
            case Purpose.Password _ -> "Password";
            case Purpose.Interactive(var account) -> "Log In to " + account;
        }));
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = (Composite) super.createDialogArea(parent);
        GridLayoutFactory.swtDefaults().margins(14, 12).spacing(6, 6).applyTo(area);
        if (question.again()) {
            OwnColours.warn(sentence(area, "That was not right. Please try again."));
        }
        if (!question.heading().isEmpty()) {
            sentence(area, question.heading());
        }
        for (Prompt prompt : question.prompts()) {
            sentence(area, prompt.text() + ":");
            Text field = new Text(area, SWT.BORDER | (prompt.secret() ? SWT.PASSWORD : SWT.SINGLE));
            GridDataFactory.fillDefaults().grab(true, false).applyTo(field);
            fields.add(field);
        }
        remember = new Button(area, SWT.CHECK);
        remember.setText("&Remember in secure storage");
        remember.setToolTipText("Kept encrypted, in Eclipse's secure storage, once it has proved right."
                + " The Targets view's menu forgets it again.");
        GridDataFactory.fillDefaults().indent(0, 6).applyTo(remember);
        fields.getFirst().setFocus();
        return area;
    }

    private static Label sentence(Composite area, String text) {
        Label label = new Label(area, SWT.WRAP);
        label.setText(SafeText.lines(text.replace("&", "&&")));
        GridDataFactory.fillDefaults().grab(true, false).hint(TEXT_WIDTH, SWT.DEFAULT).applyTo(label);
        return label;
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, IDialogConstants.OK_ID, IDialogConstants.OK_LABEL, true);
        createButton(parent, IDialogConstants.CANCEL_ID, IDialogConstants.CANCEL_LABEL, false);
    }

    @Override
    protected void okPressed() {
        answers = fields.stream().map(Text::getText).toList();
        remembered = remember.getSelection();
        super.okPressed();
    }

    @Override
    public boolean close() {
        // What was typed does not stay in a widget.
        fields.stream().filter(field -> !field.isDisposed()).forEach(field -> field.setText(""));
        return super.close();
    }

    List<String> answers() {
        return answers;
    }

    boolean isRemembered() {
        return remembered;
    }

    List<Text> fields() {
        return fields;
    }

    Button rememberButton() {
        return remember;
    }

    @Override
    public Button getButton(int id) {
        return super.getButton(id);
    }
}
