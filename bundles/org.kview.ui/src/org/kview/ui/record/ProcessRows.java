/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.record;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.ProcessInfo;

/** The processes that can be chosen: filtered and sorted. Threads of the kernel can't be probed and are left out. */
final class ProcessRows {

    /** The columns of the list. */
    enum Column {
        PID("PID", 70, true, p -> Long.toString(p.pid()), Comparator.comparingLong(ProcessInfo::pid)),
        NAME("Name", 140, false, ProcessInfo::name,
                Comparator.comparing(ProcessInfo::name, String.CASE_INSENSITIVE_ORDER)),
        USER("User", 90, false, ProcessInfo::user, Comparator.comparing(ProcessInfo::user)),
        CPU("CPU time", 106, true, p -> LatencyFormat.nanos(p.cpuTimeNanos()),
                Comparator.comparingLong(ProcessInfo::cpuTimeNanos)),
        THREADS("Threads", 80, true, p -> Integer.toString(p.threads()),
                Comparator.comparingInt(ProcessInfo::threads)),
        COMMAND("Command", 420, false, ProcessInfo::command, Comparator.comparing(ProcessInfo::command));

        final String title;
        final int width;
        final boolean number;
        final Function<ProcessInfo, String> text;
        final Comparator<ProcessInfo> order;

        Column(String title, int width, boolean number, Function<ProcessInfo, String> text,
                Comparator<ProcessInfo> order) {
            this.title = title;
            this.width = width;
            this.number = number;
            this.text = text;
            this.order = order;
        }
    }

    private List<ProcessInfo> all = List.of();
    private List<ProcessInfo> shown = List.of();
    private String filter = "";
    private Column sortColumn = Column.CPU;
    private boolean descending = true;

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
        descending = column == sortColumn ? !descending : column.number;
        sortColumn = column;
        refresh();
    }

    private void refresh() {
        Comparator<ProcessInfo> order = descending ? sortColumn.order.reversed() : sortColumn.order;
        shown = all.stream().filter(this::matches).sorted(order.thenComparingLong(ProcessInfo::pid)).toList();
    }

    private boolean matches(ProcessInfo process) {
        String text = (process.pid() + " " + process.name() + " " + process.user() + " " + process.command())
                .toLowerCase(Locale.ROOT);
        return List.of(filter.split("\\s+")).stream().allMatch(text::contains);
    }

    List<ProcessInfo> shown() {
        return shown;
    }

    int total() {
        return all.size();
    }

    Column sortColumn() {
        return sortColumn;
    }

    boolean descending() {
        return descending;
    }
}
