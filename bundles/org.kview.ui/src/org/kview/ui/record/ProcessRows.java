// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.widgets.Sorting;

/** The processes that can be chosen: filtered and sorted. Threads of the kernel can't be probed and are left out. */
final class ProcessRows {

    /** The columns of the list. */
    enum Column implements org.kview.ui.widgets.Column<ProcessInfo> {
        PID(Form.number("PID", 70, p -> Long.toString(p.pid()), Comparator.comparingLong(ProcessInfo::pid))),
        NAME(Form.words("Name", 140, ProcessInfo::name)),
        USER(Form.text("User", 90, process -> process.user().name(), Comparator.comparing(process -> process.user().name()))),
        CPU(Form.number("CPU time", 106, p -> LatencyFormat.nanos(p.cpuTimeNanos()),
                Comparator.comparingLong(ProcessInfo::cpuTimeNanos))),
        THREADS(Form.number("Threads", 80, p -> Integer.toString(p.threads()), Comparator.comparingInt(ProcessInfo::threads))),
        COMMAND(Form.text("Command", 420, ProcessInfo::command, Comparator.comparing(ProcessInfo::command)));

        private final Form<ProcessInfo> form;

        Column(Form<ProcessInfo> form) {
            this.form = form;
        }

        @Override
        public Form<ProcessInfo> form() {
            return form;
        }
    }

    private List<ProcessInfo> all = List.of();
    private List<ProcessInfo> shown = List.of();
    private String filter = "";
    private Sorting<ProcessInfo, Column> sorting = new Sorting<>(Column.CPU, true);

    void setProcesses(List<ProcessInfo> processes) {
        all = processes.stream().filter(process -> !process.kernelThread()).toList();
        refresh();
    }

    /** Words that must all occur, in the number, name, user or command. */
    void setFilter(String text) {
        filter = text.strip().toLowerCase(Locale.ROOT);
        refresh();
    }

    void sortBy(Column column) {
        sorting = sorting.clicked(column);
        refresh();
    }

    private void refresh() {
        shown = all.stream().filter(this::matches).sorted(sorting.order().thenComparingLong(ProcessInfo::pid)).toList();
    }

    private boolean matches(ProcessInfo process) {
        String text = (process.pid() + " " + process.name() + " " + process.user().name() + " " + process.command())
                .toLowerCase(Locale.ROOT);
        return List.of(filter.split("\\s+")).stream().allMatch(text::contains);
    }

    List<ProcessInfo> shown() {
        return shown;
    }

    int total() {
        return all.size();
    }

    Sorting<ProcessInfo, Column> sorting() {
        return sorting;
    }
}
