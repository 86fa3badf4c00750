// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.Comparator;
import java.util.Locale;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.widgets.Column;

/** The columns of the process list. */
enum ProcessColumn implements Column<ProcessRow> {
    NAME(Form.words("Name", 210, row -> row.process().name())),
    PID(Form.number("PID", 70, row -> Long.toString(row.process().pid()), Comparator.comparingLong(row -> row.process().pid()))),
    CPU(Form.number("CPU", 62, ProcessColumn::cpu, Comparator.comparingDouble(row -> row.cpu().orElse(-1)))),
    CPU_TIME(Form.number("CPU time", 96, row -> LatencyFormat.nanos(row.process().cpuTimeNanos()),
            Comparator.comparingLong(row -> row.process().cpuTimeNanos()))),
    THREADS(Form.number("Threads", 76, row -> Integer.toString(row.process().threads()),
            Comparator.comparingInt(row -> row.process().threads()))),
    USER(Form.text("User", 90, row -> row.process().user().name(), Comparator.comparing(row -> row.process().user().name()))),
    CONTAINER(Form.text("Container or service", 170, row -> Container.of(row.process().cgroup()),
            Comparator.comparing(row -> Container.of(row.process().cgroup())))),
    COMMAND(Form.text("Command", 520, row -> shortened(row.process()), Comparator.comparing(row -> row.process().command())));

    /** GTK lays out every character of every cell. */
    private static final int COMMAND_CHARS = 400;

    private final Form<ProcessRow> form;

    ProcessColumn(Form<ProcessRow> form) {
        this.form = form;
    }

    @Override
    public Form<ProcessRow> form() {
        return form;
    }

    /** "12 %" of one CPU; the kernel counts in steps of 10 ms, so there is no more to say. */
    private static String cpu(ProcessRow row) {
        return row.cpu().isEmpty() ? "–" : String.format(Locale.ROOT, "%.0f %%", row.cpu().getAsDouble() * 100);
    }

    private static String shortened(ProcessInfo process) {
        String command = process.command();
        return command.length() > COMMAND_CHARS ? command.substring(0, COMMAND_CHARS) + "…" : command;
    }
}
