// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.kview.calls.CallBlock;
import org.kview.calls.CallField;
import org.kview.model.Metric;

/** A number for each call, by which they come in an order when it ascends. Texts get their place in the alphabet. */
final class SortKeys {
    /** What a call does not have comes last in both directions. */
    private static final long LAST = Long.MAX_VALUE;
    private static final Map<String, CallField> NUMBERS = numbers();

    private final List<StorePart> parts;
    private final CallOrder order;
    private final Map<String, Long> places = new HashMap<>();

    /** What a row of a block is sorted by. */
    @FunctionalInterface
    interface Key {
        long of(CallBlock block, int row);
    }

    SortKeys(List<StorePart> parts, CallOrder order) {
        this.parts = parts;
        this.order = order;
        TreeSet<String> texts = new TreeSet<>();
        switch (order.column().name()) {
            case "thread", "waker" -> parts.forEach(part -> texts.addAll(part.store().texts()));
            case "function", "parent" -> names(texts);
            case "host" -> parts.forEach(part -> texts.add(part.host().name()));
            case "target" -> parts.forEach(part -> texts.add(part.host().target()));
            case "cause" -> Metric.OF_CALLS.forEach(metric -> texts.add(metric.id()));
            default -> { }
        }
        texts.remove("");
        texts.forEach(text -> places.put(text, (long) places.size()));
    }

    private static Map<String, CallField> numbers() {
        Map<String, CallField> fields = new HashMap<>(Map.of("tid", CallField.TID, "cpu", CallField.CPU, "depth", CallField.DEPTH,
                Metric.WALL.id(), CallField.WALL, Metric.ON_CPU.id(), CallField.ON_CPU));
        Metric.CAUSES.forEach(cause -> fields.put(cause.id(), CallField.of(cause)));
        return Map.copyOf(fields);
    }

    /** Adds the names of the functions that were probed; a damaged trace may tell of others, whose calls come last. */
    private void names(TreeSet<String> texts) {
        for (StorePart part : parts) {
            part.host().events().figures().functions().forEach(f -> texts.add(part.host().function(f.function().id())));
            part.store().functions().forEach(id -> texts.add(part.host().function(id)));
        }
    }

    Key of(StorePart part) {
        Key plain = plain(part);
        return order.descending() ? (block, row) -> {
            long key = plain.of(block, row);
            return key == LAST ? LAST : -1 - key;
        } : plain;
    }

    private Key plain(StorePart part) {
        CallHost host = part.host();
        return switch (order.column().name()) {
            case "start" -> (block, row) -> host.sinceStartNanos(block.value(CallField.BEGIN, row));
            case "end" -> (block, row) -> host.sinceStartNanos(block.value(CallField.END, row));
            case "start_cpu" -> absentAt0(CallField.START_CPU);
            case "waker_tid" -> absentAt0(CallField.WAKER_TID);
            case "host" -> {
                long place = place(host.name());
                yield (_, _) -> place;
            }
            case "target" -> {
                long place = place(host.target());
                yield (_, _) -> place;
            }
            case "thread" -> {
                Map<Long, Long> known = new HashMap<>();
                yield (block, row) -> known.computeIfAbsent(block.value(CallField.THREAD, row), id -> place(part.store().text(id)));
            }
            case "waker" -> {
                Map<Long, Long> known = new HashMap<>();
                yield (block, row) -> block.value(CallField.WAKER_TID, row) == 0 ? LAST
                        : known.computeIfAbsent(block.value(CallField.WAKER, row), id -> place(part.store().text(id)));
            }
            case "function" -> {
                Map<Long, Long> known = new HashMap<>();
                yield (block, row) -> known.computeIfAbsent(block.value(CallField.FUNCTION, row), id -> place(host.function(id)));
            }
            case "parent" -> {
                Map<Long, Long> known = new HashMap<>();
                yield (block, row) -> block.value(CallField.PARENT_FUNCTION, row) == 0 ? LAST
                        : known.computeIfAbsent(block.value(CallField.PARENT_FUNCTION, row), id -> place(host.function(id - 1)));
            }
            case "cause" -> (block, row) -> place(Metric.values()[(int) block.value(CallField.MAIN_PART, row)].id());
            case String name -> {
                CallField field = NUMBERS.get(name);
                yield (block, row) -> block.value(field, row);
            }
        };
    }

    /** An empty text is none. */
    private long place(String text) {
        return places.getOrDefault(text, LAST);
    }

    private static Key absentAt0(CallField field) {
        return (block, row) -> {
            long value = block.value(field, row);
            return value == 0 ? LAST : value;
        };
    }
}
