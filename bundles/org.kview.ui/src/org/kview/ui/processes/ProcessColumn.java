/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.processes;

import java.util.Comparator;
import java.util.Locale;
import java.util.function.Function;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.ProcessInfo;

/** The columns of the process list. */
enum ProcessColumn {
    NAME("Name", 210, false, row -> row.process().name(),
            Comparator.comparing(row -> row.process().name(), String.CASE_INSENSITIVE_ORDER)),
    PID("PID", 70, true, row -> Long.toString(row.process().pid()), Comparator.comparingLong(row -> row.process().pid())),
    CPU("CPU", 62, true, ProcessColumn::cpu, Comparator.comparingDouble(row -> row.cpu().orElse(-1))),
    CPU_TIME("CPU time", 96, true, row -> LatencyFormat.nanos(row.process().cpuTimeNanos()),
            Comparator.comparingLong(row -> row.process().cpuTimeNanos())),
    THREADS("Threads", 76, true, row -> Integer.toString(row.process().threads()),
            Comparator.comparingInt(row -> row.process().threads())),
    USER("User", 90, false, row -> row.process().user(), Comparator.comparing(row -> row.process().user())),
    CONTAINER("Container or service", 170, false, row -> Container.of(row.process().cgroup()),
            Comparator.comparing(row -> Container.of(row.process().cgroup()))),
    COMMAND("Command", 520, false, row -> shortened(row.process()), Comparator.comparing(row -> row.process().command()));

    /** GTK lays out every character of every cell. */
    private static final int COMMAND_CHARS = 400;

    final String title;
    final int width;
    final boolean number;
    final Function<ProcessRow, String> text;
    final Comparator<ProcessRow> order;

    ProcessColumn(String title, int width, boolean number, Function<ProcessRow, String> text,
            Comparator<ProcessRow> order) {
        this.title = title;
        this.width = width;
        this.number = number;
        this.text = text;
        this.order = order;
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
