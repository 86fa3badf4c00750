// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.LongPredicate;

import org.kview.calls.CallBlock;
import org.kview.calls.CallField;
import org.kview.calls.CallScan;
import org.kview.calls.Condition;
import org.kview.model.Distribution;

/**
 * Lists the calls of a session's stores in an order: finds those that are wanted, and sorts their numbers by one number each. Of
 * those that are the same in it the one that ended first comes first.
 */
final class CallListing {
    private final List<StorePart> parts;
    private final CallSelector selector;
    private final long begunBy;
    private final CallFilter filter;
    private final CallOrder order;
    private final LongPredicate progress;
    private final Distribution.Builder wall = new Distribution.Builder();
    private int[] numbers = new int[1024];
    private long[] keys = new long[1024];
    private int size;
    private long read;

    /** @param begunBy when the calls were entered at the latest, in ns since 1970 */
    CallListing(List<StorePart> parts, CallSelector selector, long begunBy, CallFilter filter, CallOrder order, LongPredicate progress) {
        this.parts = parts;
        this.selector = selector;
        this.begunBy = begunBy;
        this.filter = filter;
        this.order = order;
        this.progress = progress;
    }

    CallList list() {
        SortKeys sortKeys = new SortKeys(parts, order);
        for (StorePart part : parts) {
            if (part.isOf(selector)) {
                SortKeys.Key key = sortKeys.of(part);
                List<Condition> wanted = part.conditions(selector, filter);
                wanted.add(part.begunBy(begunBy));
                new CallScan(part.store(), wanted).each((block, rows, count) -> {
                    add(part, block, rows, count, key);
                    return true;
                });
            }
        }
        KeySort.sort(keys, numbers, size, () -> {
            if (!progress.test(read)) {
                throw new CancellationException();
            }
        });
        return new CallList(numbers, size, wall.build());
    }

    private void add(StorePart part, CallBlock block, int[] rows, int count, SortKeys.Key key) {
        read += count;
        if (!progress.test(read)) {
            throw new CancellationException();
        }
        if (size + count > numbers.length) {
            int room = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(size + (long) count, 2L * numbers.length));
            numbers = Arrays.copyOf(numbers, room);
            keys = Arrays.copyOf(keys, room);
        }
        int first = part.firstIndex() + (int) block.firstRow();
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            if (filter == CallFilter.ALL || filter.wants(new CallRow(part.host(), block.call(row)))) {
                wall.add(block.value(CallField.WALL, row));
                numbers[size] = first + row;
                keys[size++] = key.of(block, row);
            }
        }
    }
}
