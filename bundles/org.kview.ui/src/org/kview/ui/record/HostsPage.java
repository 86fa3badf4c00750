// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.model.SafeText;
import org.kview.recording.template.LibraryName;
import org.kview.recording.template.RecordingTemplate;
import org.kview.targets.Agent;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;
import org.kview.ui.UiThread;

/** Asks which process to record on several hosts, and which of its functions. */
final class HostsPage extends WizardPage {
    private static final int LINES = 10;
    /** Width hint of labels that wrap: without one, SWT computes their height for the width of one letter. */
    private static final int HELP_WIDTH = 560;

    private final List<TargetConnection> targets;
    private final List<RecordingTemplate> templates;
    private final Consumer<RecordingTemplate> applied;
    private Combo process;
    private Combo template;
    private Text functions;

    /** @param applied gets a template whose functions were taken over, for its options */
    HostsPage(List<TargetConnection> targets, List<RecordingTemplate> templates, Consumer<RecordingTemplate> applied) {
        super("hosts", "Process and functions", null);
        this.targets = List.copyOf(targets);
        this.templates = List.copyOf(templates);
        this.applied = applied;
        setMessage(SafeText.lines("The same functions on " + targets.stream().map(TargetConnection::name)
                .collect(Collectors.joining(", ")) + ", into one session."));
    }

    @Override
    public void createControl(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.swtDefaults().numColumns(2).applyTo(area);
        new Label(area, SWT.NONE).setText("&Process:");
        process = new Combo(area, SWT.DROP_DOWN);
        process.setToolTipText("The name of a process of which each host runs exactly one");
        GridDataFactory.fillDefaults().grab(true, false).applyTo(process);
        process.addListener(SWT.Modify, _ -> check());
        new Label(area, SWT.NONE).setText("&Template:");
        template = new Combo(area, SWT.DROP_DOWN | SWT.READ_ONLY);
        templates.forEach(one -> template.add(one.name()));
        template.addListener(SWT.Selection, _ -> apply(templates.get(template.getSelectionIndex())));
        GridDataFactory.fillDefaults().grab(true, false).applyTo(template);
        Label label = new Label(area, SWT.NONE);
        label.setText("&Functions:");
        GridDataFactory.swtDefaults().align(SWT.BEGINNING, SWT.BEGINNING).applyTo(label);
        functions = new Text(area, SWT.BORDER | SWT.MULTI | SWT.V_SCROLL);
        functions.addListener(SWT.Modify, _ -> check());
        GridDataFactory.fillDefaults().grab(true, true).hint(SWT.DEFAULT, LINES * functions.getLineHeight())
                .applyTo(functions);
        Label help = new Label(area, SWT.WRAP);
        help.setText("One BIN:FUNC a line. BIN is a path, or the base name of a program or library that the process"
                + " maps; FUNC an exact name, a demangled name or a glob.");
        GridDataFactory.fillDefaults().span(2, 1).hint(HELP_WIDTH, SWT.DEFAULT).grab(true, false).applyTo(help);
        setControl(area);
        check();
        propose(area.getDisplay());
    }

    /** The processes of the first host that is connected already: proposals are not worth a login. */
    private void propose(Display display) {
        targets.stream().flatMap(target -> target.agent().stream()).findFirst().ifPresent(agent -> {
            Job job = Job.create("List processes", (ICoreRunnable) _ -> {
                List<String> names = names(agent);
                UiThread.later(display, () -> show(names));
            });
            job.setSystem(true);
            job.schedule();
        });
    }

    /** Names that only one process has. None if the host can't be asked: names can be typed as well. */
    private static List<String> names(Agent agent) {
        try {
            return agent.processes().stream().filter(p -> !p.kernelThread())
                    .collect(Collectors.groupingBy(ProcessInfo::name, Collectors.counting())).entrySet().stream()
                    .filter(name -> name.getValue() == 1).map(name -> name.getKey()).sorted().toList();
        } catch (TargetException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private void show(List<String> names) {
        if (!process.isDisposed()) {
            String typed = process.getText();
            process.setItems(names.toArray(String[]::new));
            process.setText(typed);
        }
    }

    /**
     * In a template, the process's own program is the one that was named here, and libraries may have other versions on the
     * hosts.
     */
    private void apply(RecordingTemplate chosen) {
        functions.setText(chosen.probes().stream().flatMap(probe -> line(probe).stream()).collect(Collectors.joining("\n")));
        applied.accept(chosen);
    }

    /** As a user would write it; empty for what this version can't record. */
    private Optional<String> line(RecordingTemplate.Probe probe) {
        return switch (probe.point()) {
            case ProbePoint.SystemCall call -> Optional.of(call.label());
            case ProbePoint.UserFunction f -> Optional.of((f.binary().isEmpty() ? process()
                    : LibraryName.withoutVersion(f.binary())) + ":" + f.symbol());
            case ProbePoint.KernelFunction f -> Optional.of(f.label());
            case ProbePoint.Tracepoint point -> Optional.of(point.label());
            case ProbePoint.Usdt usdt -> Optional.of(usdt.labelIn(usdt.binary().isEmpty() ? process()
                    : LibraryName.withoutVersion(usdt.binary())));
            case ProbePoint.Unknown _ -> Optional.empty();
        };
    }

    private void check() {
        template.setEnabled(!process().isEmpty() && !templates.isEmpty());
        Optional<String> wrong = lines().stream().filter(line -> ProbeSpec.parse(line).isEmpty()).findFirst();
        setErrorMessage(wrong.map(line -> SafeText.line("“" + line + "” is no BIN:FUNC, such as libc.so.6:malloc."))
                .orElse(null));
        setPageComplete(wrong.isEmpty() && !process().isEmpty() && !lines().isEmpty());
    }

    private List<String> lines() {
        return functions.getText().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    /** The process's name; empty if none was given yet. */
    String process() {
        return process == null ? "" : process.getText().strip();
    }

    /** Each once. */
    List<ProbeSpec> probes() {
        List<ProbeSpec> probes = new ArrayList<>();
        lines().forEach(line -> ProbeSpec.parse(line).ifPresent(probes::add));
        return probes.stream().distinct().toList();
    }

    void set(String name, String probes) {
        process.setText(name);
        functions.setText(probes);
    }

    /** Applies the template of that number, as choosing it does. */
    void choose(int index) {
        template.select(index);
        apply(templates.get(index));
    }
}
