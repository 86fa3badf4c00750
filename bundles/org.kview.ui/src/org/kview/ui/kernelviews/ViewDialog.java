// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.eclipse.jface.dialogs.Dialog;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.kview.model.SafeText;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.SiteSpec;
import org.kview.targets.values.ViewMember;

/** Asks for what a kernel view is to be called, what it hooks, and who runs in it; or for some of that. */
final class ViewDialog extends Dialog {
    private static final int WIDTH = 460;
    private static final int SITES_HEIGHT = 120;
    private static final int PROBLEM_LINES = 4;

    /** What it asks for. */
    enum Part {
        NAME, SITES, MEMBER
    }

    /**
     * What the user said.
     *
     * @param sites  none if it does not ask for them
     * @param member empty if it does not ask, or if nobody is to run in a new view yet
     */
    record Answer(String name, List<SiteSpec> sites, Optional<ViewMember> member) {
    }

    private final String title;
    private final Set<Part> parts;
    private final Optional<ProcessInfo> process;
    private Text name;
    private Text sites;
    private Text member;
    private Button forks;
    private Button execs;
    private Label problem;
    private Answer answer = new Answer("", List.of(), Optional.empty());

    /** @param process who is proposed */
    ViewDialog(Shell parent, String title, Set<Part> parts, Optional<ProcessInfo> process) {
        super(parent);
        this.title = title;
        this.parts = Set.copyOf(parts);
        this.process = process;
        setShellStyle(getShellStyle() | SWT.RESIZE);
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText(SafeText.line(title));
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = (Composite) super.createDialogArea(parent);
        if (parts.contains(Part.NAME)) {
            label(area, "&Name:");
            name = text(area, SWT.SINGLE);
        }
        if (parts.contains(Part.SITES)) {
            label(area, "&Sites, one a line: vfs_read, return:vfs_read, tracepoint:sys_enter, tracepoint:sched:sched_switch");
            sites = text(area, SWT.MULTI | SWT.V_SCROLL);
            GridDataFactory.fillDefaults().grab(true, true).hint(WIDTH, SITES_HEIGHT).applyTo(sites);
            // No site has a tab: that key goes on to the next field, as everywhere else.
            sites.addListener(SWT.Traverse, event -> event.doit |= event.detail == SWT.TRAVERSE_TAB_NEXT);
        }
        if (parts.contains(Part.MEMBER)) {
            label(area, (parts.contains(Part.NAME) ? "&Who runs in it, or nobody yet: " : "")
                    + "the number of a process, the path of a cgroup, or DEVICE:QUEUE");
            member = text(area, SWT.SINGLE);
            forks = box(area, "Children that the process &forks");
            execs = box(area, "It stays when it &executes another program");
        }
        problem = new Label(area, SWT.WRAP);
        GridDataFactory.fillDefaults().grab(true, false).hint(WIDTH, PROBLEM_LINES * problem.computeSize(SWT.DEFAULT, SWT.DEFAULT).y).applyTo(problem);
        process.ifPresent(p -> member.setText(SafeText.line(Long.toString(p.pid()))));
        return area;
    }

    private static void label(Composite area, String words) {
        Label label = new Label(area, SWT.WRAP);
        label.setText(SafeText.line(words));
        GridDataFactory.fillDefaults().grab(true, false).hint(WIDTH, SWT.DEFAULT).applyTo(label);
    }

    private Text text(Composite area, int style) {
        Text text = new Text(area, SWT.BORDER | style);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(text);
        text.addListener(SWT.Modify, _ -> check());
        return text;
    }

    private Button box(Composite area, String words) {
        Button box = new Button(area, SWT.CHECK);
        box.setText(SafeText.line(words));
        return box;
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        super.createButtonsForButtonBar(parent);
        check();
    }

    /** While something is missing it can't be confirmed; what is wrong is said. */
    private void check() {
        Button ok = getButton(IDialogConstants.OK_ID);
        if (ok == null) {
            return;
        }
        try {
            Answer now = read();
            ok.setEnabled(parts.contains(Part.SITES) ? !now.sites().isEmpty() && !(name != null && now.name().isEmpty())
                    : now.member().isPresent());
            problem.setText("");
        } catch (IllegalArgumentException e) {
            ok.setEnabled(false);
            problem.setText(SafeText.lines(e.getMessage().replace("&", "&&")));
        }
    }

    private Answer read() {
        List<SiteSpec> named = new ArrayList<>();
        if (sites != null) {
            sites.getText().lines().filter(line -> !line.isBlank()).map(SiteSpec::parse).forEach(named::add);
        }
        Optional<ViewMember> who = member == null || member.getText().isBlank() ? Optional.empty()
                : Optional.of(chosen(ViewMember.parse(member.getText(), forks.getSelection(), execs.getSelection())));
        return new Answer(name == null ? "" : name.getText().strip(), named, who);
    }

    /** The process that was proposed is not mistaken for a later one of its number. */
    private ViewMember chosen(ViewMember who) {
        return who instanceof ViewMember.Process p && process.filter(proposed -> proposed.pid() == p.pid()).isPresent()
                ? new ViewMember.Process(p.pid(), process.get().startNanos(), p.forks(), p.execs()) : who;
    }

    @Override
    protected void okPressed() {
        answer = read();
        super.okPressed();
    }

    /** After it was confirmed. */
    Answer answer() {
        return answer;
    }
}
