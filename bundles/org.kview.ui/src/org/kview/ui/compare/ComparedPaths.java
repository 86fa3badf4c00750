// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.eclipse.ui.IMemento;
import org.kview.compare.Comparer;

/**
 * What is compared: the sessions of each side.
 *
 * @param a before, folders or zips
 * @param b after
 */
record ComparedPaths(List<Path> a, List<Path> b) {
    private static final String MEMENTO_A = "a";
    private static final String MEMENTO_B = "b";

    ComparedPaths {
        a = a.stream().map(path -> path.toAbsolutePath().normalize()).toList();
        b = b.stream().map(path -> path.toAbsolutePath().normalize()).toList();
    }

    boolean isComparable() {
        return Comparer.isComparable(a.size(), b.size());
    }

    ComparedPaths swapped() {
        return new ComparedPaths(b, a);
    }

    /** "before → after"; of several a side "old-1 +2 → new-1 +2". */
    String title() {
        return name(a) + " → " + name(b);
    }

    private static String name(List<Path> side) {
        return CompareJob.name(side.getFirst()) + (side.size() == 1 ? "" : " +" + (side.size() - 1));
    }

    /** All of them, a line each. */
    String tip() {
        return lines("A: ", a) + "\n" + lines("B: ", b);
    }

    private static String lines(String letter, List<Path> side) {
        return side.stream().map(path -> letter + path).collect(Collectors.joining("\n"));
    }

    /**
     * Makes sides of sessions that are in the order of time. If their names form two groups that differ only in a number at
     * the end, as repeated recordings have, these are the sides; otherwise the earlier half and the later half are.
     */
    static ComparedPaths of(List<Path> inTime) {
        Map<String, List<Path>> byStem = new LinkedHashMap<>();
        inTime.forEach(path -> byStem.computeIfAbsent(path.getParent() + "/" + CompareJob.name(path)
                .replaceFirst("-[0-9]+$", ""), stem -> new ArrayList<>()).add(path));
        List<List<Path>> groups = List.copyOf(byStem.values());
        int half = inTime.size() / 2;
        return groups.size() == 2 && inTime.size() > 2 ? new ComparedPaths(groups.getFirst(), groups.getLast())
                : new ComparedPaths(inTime.subList(0, half), inTime.subList(half, inTime.size()));
    }

    void save(IMemento memento) {
        save(memento, MEMENTO_A, a);
        save(memento, MEMENTO_B, b);
    }

    /** The first session is stored as in former versions, so that these find it. */
    private static void save(IMemento memento, String key, List<Path> side) {
        for (int i = 0; i < side.size(); i++) {
            memento.putString(i == 0 ? key : key + (i + 1), side.get(i).toString());
        }
    }

    static Optional<ComparedPaths> restore(IMemento memento) {
        ComparedPaths paths = new ComparedPaths(restore(memento, MEMENTO_A), restore(memento, MEMENTO_B));
        return paths.isComparable() ? Optional.of(paths) : Optional.empty();
    }

    private static List<Path> restore(IMemento memento, String key) {
        List<Path> side = new ArrayList<>();
        for (String text = memento.getString(key); text != null; text = memento.getString(key + (side.size() + 1))) {
            side.add(Path.of(text));
        }
        return side;
    }
}
