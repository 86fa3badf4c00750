// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.Optional;

import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.TitleAreaDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Spinner;
import org.kview.model.SafeText;
import org.kview.targets.values.FlowSpec;
import org.kview.targets.values.ProcessInfo;

/** Asks which system call of a process to follow, and for how long. */
final class FollowDialog extends TitleAreaDialog {
    /** Those that wait most often; any other name can be typed. */
    private static final String[] USUAL = {"read", "write", "fsync", "openat", "pread64", "pwrite64", "recvfrom", "sendto", "accept4",
        "connect", "epoll_wait", "futex", "mmap", "execve"};

    private final ProcessInfo process;
    private final String host;
    private final FlowWish proposed;
    private Combo systemCall;
    private Spinner seconds;
    private Spinner slowest;
    private Optional<FlowWish> wish = Optional.empty();

    /** @param host as the target is named */
    FollowDialog(Shell parent, ProcessInfo process, String host, FlowWish proposed) {
        super(parent);
        this.process = process;
        this.host = host;
        this.proposed = proposed;
        setHelpAvailable(false);
    }

    /** What is to be followed; empty unless the dialog was left with OK. */
    Optional<FlowWish> wish() {
        return wish;
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText("Follow a System Call");
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = new Composite((Composite) super.createDialogArea(parent), SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(12, 12).spacing(8, 8).applyTo(area);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(area);
        label(area, "&System call:");
        systemCall = new Combo(area, SWT.BORDER);
        systemCall.setItems(USUAL);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(systemCall);
        seconds = number(area, "S&econds:", proposed.seconds(), FlowWish.MOST_SECONDS);
        slowest = number(area, "S&lowest calls to keep:", proposed.slowest(), FlowSpec.MOST_SLOWEST);
        Label price = new Label(area, SWT.WRAP);
        price.setText("The process pays for it meanwhile, at each function of the kernel that it calls: system calls that do little can take"
                + " tens of times as long. Choose a process that may be slow for that time. Other processes run none of it.");
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(420, SWT.DEFAULT).indent(0, 6).applyTo(price);
        setTitle(SafeText.line("Follow a system call of " + process.name() + " (pid " + process.pid() + ") on " + host));
        setMessage("Its calls are followed through all functions of the kernel that can be hooked. Needs the kview module on that host,"
                + " and root there.");
        return area;
    }

    private static void label(Composite area, String text) {
        new Label(area, SWT.NONE).setText(SafeText.line(text));
    }

    private static Spinner number(Composite area, String text, int value, int most) {
        label(area, text);
        Spinner field = new Spinner(area, SWT.BORDER);
        field.setValues(value, 1, most, 0, 1, 10);
        GridDataFactory.swtDefaults().applyTo(field);
        return field;
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, IDialogConstants.OK_ID, "Follow", true);
        createButton(parent, IDialogConstants.CANCEL_ID, IDialogConstants.CANCEL_LABEL, false);
        systemCall.addListener(SWT.Modify, _ -> check());
        systemCall.setText(SafeText.line(proposed.systemCall()));
        systemCall.setFocus();
    }

    private FlowWish asked() {
        return new FlowWish(systemCall.getText().strip(), seconds.getSelection(), slowest.getSelection());
    }

    private void check() {
        Optional<String> problem = asked().problem();
        setErrorMessage(problem.map(SafeText::lines).orElse(null));
        getButton(IDialogConstants.OK_ID).setEnabled(problem.isEmpty());
    }

    @Override
    protected void okPressed() {
        wish = Optional.of(asked());
        super.okPressed();
    }
}
