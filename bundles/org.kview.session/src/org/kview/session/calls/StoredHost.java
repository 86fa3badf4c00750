// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.kview.calls.CallField;
import org.kview.calls.CallScan;
import org.kview.calls.CallStore;
import org.kview.calls.Condition;
import org.kview.model.Metric;
import org.kview.session.store.CallStores;

/**
 * The calls of a host, read from a store if there is one. The store knows neither when the recording started nor which
 * values are absent.
 */
final class StoredHost implements AutoCloseable {
    /** The sum of a larger time and the recording's start might overflow. */
    private static final long LARGE = 1L << 61;
    private static final Map<String, CallField> MOMENTS = Map.of("start", CallField.BEGIN, "end", CallField.END);
    private static final Map<String, CallField> NUMBERS = Map.of("tid", CallField.TID, "cpu", CallField.CPU, "depth",
            CallField.DEPTH, "cause", CallField.MAIN_PART);

    private final CallHost host;
    private final Optional<CallStore> store;

    StoredHost(CallHost host, CallStores stores) {
        this(host, stores.open(host.events()));
    }

    StoredHost(CallHost host, Optional<CallStore> store) {
        this.host = host;
        this.store = store;
    }

    /** Open until {@link #close()}. */
    Optional<CallStore> store() {
        return store;
    }

    /**
     * Lists the calls that are not ruled out, in the order of their ends.
     *
     * @param functions the ids of those whose calls are wanted; empty for all
     * @param bounds    asked for now and then
     */
    <E extends Exception> void each(Optional<Set<Long>> functions, Supplier<List<CallBound>> bounds, CallScan.Visitor<E> visitor)
            throws E {
        new CallScan(store.orElseThrow(), () -> conditions(functions, bounds.get())).each(visitor);
    }

    private List<Condition> conditions(Optional<Set<Long>> functions, List<CallBound> bounds) {
        List<Condition> conditions = new ArrayList<>();
        functions.ifPresent(ids -> conditions.add(new Condition.OneOf(CallField.FUNCTION, ids)));
        conditions.addAll(conditions(bounds));
        return conditions;
    }

    /** The same, for the store. */
    List<Condition> conditions(List<CallBound> bounds) {
        List<Condition> conditions = new ArrayList<>();
        for (CallBound bound : bounds) {
            String name = bound.column().name();
            if (MOMENTS.containsKey(name)) {
                moment(MOMENTS.get(name), bound).ifPresent(conditions::add);
            } else {
                number(name).ifPresent(field -> conditions.add(new Condition.Between(field, bound.least(), bound.most())));
            }
        }
        return conditions;
    }

    private static Optional<CallField> number(String name) {
        return Optional.ofNullable(NUMBERS.get(name)).or(() -> Metric.ofId(name).map(CallField::of));
    }

    private Optional<Condition> moment(CallField field, CallBound bound) {
        long startNanos = -host.sinceStartNanos(0);
        boolean isPlain = Math.abs(startNanos) < LARGE && store.orElseThrow().least(field) > -LARGE
                && store.orElseThrow().most(field) < LARGE;
        return isPlain ? Optional.of(new Condition.Between(field, shifted(bound.least(), startNanos), shifted(bound.most(), startNanos)))
                : Optional.empty();
    }

    /** Numbers that are too large for a time stay as they are. */
    private static long shifted(long nanos, long by) {
        return nanos <= -LARGE || nanos >= LARGE ? nanos : nanos + by;
    }

    @Override
    public void close() {
        store.ifPresent(CallStore::close);
    }
}
