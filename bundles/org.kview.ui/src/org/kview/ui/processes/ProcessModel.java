// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;
import org.kview.ui.widgets.Sorting;

/** Which of a target's processes are shown, and how much CPU time each took between the last two lists. Knows no widgets. */
final class ProcessModel {
    private ProcessList latest = new ProcessList(0, List.of());
    private Map<Long, OptionalDouble> cpu = Map.of();
    private String filter = "";
    private Sorting<ProcessRow, ProcessColumn> sorting = new Sorting<>(ProcessColumn.CPU, true);
    private boolean tree = true;
    private boolean kernelThreads;
    private int shown;

    /** Forgets everything: the next list is of another target. */
    void clear() {
        latest = new ProcessList(0, List.of());
        cpu = Map.of();
    }

    void update(ProcessList next) {
        Map<Long, ProcessInfo> before = new HashMap<>();
        latest.processes().forEach(process -> before.put(process.pid(), process));
        long elapsed = latest.instantNanos() == 0 ? 0 : next.instantNanos() - latest.instantNanos();
        Map<Long, OptionalDouble> shares = new HashMap<>();
        for (ProcessInfo process : next.processes()) {
            shares.put(process.pid(), share(before.get(process.pid()), process, elapsed));
        }
        cpu = shares;
        latest = next;
    }

    private static OptionalDouble share(ProcessInfo before, ProcessInfo now, long elapsedNanos) {
        boolean same = before != null && elapsedNanos > 0 && now.isSameAs(before);
        return same ? OptionalDouble.of((now.cpuTimeNanos() - before.cpuTimeNanos()) / (double) elapsedNanos)
                : OptionalDouble.empty();
    }

    /** Words that must all occur, in the number, name, user, control group or command. */
    void setFilter(String text) {
        filter = text.strip().toLowerCase(Locale.ROOT);
    }

    void sortBy(ProcessColumn column) {
        sorting = sorting.clicked(column);
    }

    void setTree(boolean byParent) {
        tree = byParent;
    }

    void setKernelThreads(boolean wanted) {
        kernelThreads = wanted;
    }

    boolean isTree() {
        return tree;
    }

    Sorting<ProcessRow, ProcessColumn> sorting() {
        return sorting;
    }

    /** How many there are, kernel threads only where they are wanted. */
    int total() {
        return (int) latest.processes().stream().filter(this::isWanted).count();
    }

    /** How many of them passed the filter at the last {@link #rows()}. */
    int shown() {
        return shown;
    }

    private boolean isWanted(ProcessInfo process) {
        return kernelThreads || !process.kernelThread();
    }

    /** The top lines, with what is below them. */
    List<ProcessRow> rows() {
        Map<Long, List<ProcessInfo>> children = new HashMap<>();
        Map<Long, ProcessInfo> byPid = new HashMap<>();
        latest.processes().stream().filter(this::isWanted).forEach(process -> byPid.put(process.pid(), process));
        List<ProcessInfo> roots = new ArrayList<>();
        for (ProcessInfo process : byPid.values()) {
            if (tree && byPid.containsKey(process.parentPid()) && process.parentPid() != process.pid()) {
                children.computeIfAbsent(process.parentPid(), _ -> new ArrayList<>()).add(process);
            } else {
                roots.add(process);
            }
        }
        shown = 0;
        Set<Long> visited = new HashSet<>();
        List<ProcessRow> rows = rows(roots, children, visited);
        // If pids were reused while the list was read, processes can be each other's parents. Such a circle has no
        // root.
        List<ProcessInfo> lost = byPid.values().stream().filter(process -> !visited.contains(process.pid())).toList();
        if (!lost.isEmpty()) {
            rows = new ArrayList<>(rows);
            rows.addAll(rows(lost, Map.of(), visited));
        }
        return rows;
    }

    private List<ProcessRow> rows(List<ProcessInfo> processes, Map<Long, List<ProcessInfo>> children,
            Set<Long> visited) {
        List<ProcessRow> rows = new ArrayList<>();
        for (ProcessInfo process : processes) {
            if (visited.add(process.pid())) {
                boolean matches = matches(process);
                List<ProcessRow> below = rows(children.getOrDefault(process.pid(), List.of()), children, visited);
                if (matches || !below.isEmpty()) {
                    shown += matches ? 1 : 0;
                    rows.add(new ProcessRow(process, cpu.getOrDefault(process.pid(), OptionalDouble.empty()), matches,
                            below));
                }
            }
        }
        rows.sort(sorting.order().thenComparingLong(row -> row.process().pid()));
        return rows;
    }

    private boolean matches(ProcessInfo process) {
        if (filter.isEmpty()) {
            return true;
        }
        String text = (process.pid() + " " + process.name() + " " + process.user().name() + " " + process.cgroup() + " "
                + process.command()).toLowerCase(Locale.ROOT);
        return List.of(filter.split("\\s+")).stream().allMatch(text::contains);
    }
}
