// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;

import org.kview.calls.CallBox;
import org.kview.calls.CallBox.Range;
import org.kview.calls.CallField;
import org.kview.calls.CallStore;
import org.kview.calls.Condition;
import org.kview.calls.Pyramid.HeatMap;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.session.SessionException;

/** The stored calls of one of a session's hosts: between the store's ids and times and those of the session. */
final class StorePart {
    /** The sum of two times below is a time. */
    static final long LARGE = 1L << 61;

    private final CallHost host;
    private final CallStore store;
    private final int firstIndex;
    private final StoredHost stored;
    private final long offsetNanos;
    /** From the host's ids of functions to the session's. */
    private final Map<Long, Integer> ids = new HashMap<>();

    /** @param firstIndex the number of its first call among all of the session */
    StorePart(CallHost host, CallStore store, int firstIndex, LatencySnapshot session) throws SessionException {
        this.host = host;
        this.store = store;
        this.firstIndex = firstIndex;
        stored = new StoredHost(host, Optional.of(store));
        offsetNanos = host.epochNanos(0);
        if (store.calls() > 0 && (Math.abs(offsetNanos) >= LARGE || Math.abs(host.sinceStartNanos(0)) >= LARGE
                || store.least(CallField.BEGIN) <= -LARGE || store.least(CallField.END) <= -LARGE
                || store.most(CallField.BEGIN) >= LARGE || store.most(CallField.END) >= LARGE)) {
            throw new SessionException("The calls of " + host.target() + " can't be shown over time: their times are damaged");
        }
        Map<Object, Integer> merged = new HashMap<>();
        session.functions().forEach(f -> merged.putIfAbsent(MergedHosts.identity(f.function()), f.function().id()));
        for (FunctionLatency latency : host.events().figures().functions()) {
            int own = latency.function().id();
            ids.put((long) own, session.hosts().isEmpty() ? own : merged.get(MergedHosts.identity(latency.function())));
        }
    }

    CallHost host() {
        return host;
    }

    CallStore store() {
        return store;
    }

    int firstIndex() {
        return firstIndex;
    }

    StoredCall call(long index) {
        CallRow row = new CallRow(host, store.call(index - firstIndex));
        Integer id = ids.get(row.call().function());
        return new StoredCall(row, id == null ? OptionalInt.empty() : OptionalInt.of(id));
    }

    CallRow row(long index) {
        return new CallRow(host, store.call(index - firstIndex));
    }

    boolean isOf(CallSelector selector) {
        return selector.target().filter(target -> !target.equals(host.target())).isEmpty();
    }

    /** The same selection by the store's own ids and times. */
    CallBox box(CallSelector selector) {
        return new CallBox(new Range(own(selector.ends().least()), own(selector.ends().most())), selector.wall(),
                selector.functions().map(this::own), selector.threads(), selector.causes());
    }

    private Set<Long> own(Set<Integer> functions) {
        Set<Long> own = new HashSet<>();
        ids.forEach((id, session) -> {
            if (functions.contains(session)) {
                own.add(id);
            }
        });
        return own;
    }

    /** By how much calls of the selected functions may be wrong because of their probes. */
    CallError callError(CallSelector selector) {
        return host.events().figures().functions().stream().filter(latency -> selector.functions()
                .filter(chosen -> !chosen.contains(ids.get((long) latency.function().id()))).isEmpty())
                .map(CallError::of).reduce(CallError.NONE, CallError::or);
    }

    long epoch(long nanos) {
        return nanos + offsetNanos;
    }

    /** What is too far from zero for a time stays there. */
    long own(long epochNanos) {
        return epochNanos <= -LARGE || epochNanos >= LARGE ? epochNanos : epochNanos - offsetNanos;
    }

    List<Condition> conditions(CallSelector selector, CallFilter filter) {
        List<Condition> all = new ArrayList<>(box(selector).conditions());
        all.addAll(stored.conditions(filter.bounds()));
        return all;
    }

    /** @param epochNanos when a call was entered at the latest */
    Condition begunBy(long epochNanos) {
        return new Condition.Between(CallField.BEGIN, Long.MIN_VALUE, own(epochNanos));
    }

    /** When its first call was entered and its last returned: ns since 1970. */
    Optional<Range> time() {
        return store.calls() == 0 ? Optional.empty()
                : Optional.of(new Range(Math.min(store.least(CallField.BEGIN), store.least(CallField.END)) + offsetNanos,
                        store.most(CallField.END) + offsetNanos));
    }

    /** @see StoredSession#heatMap */
    HeatMap heatMap(CallSelector selector, int mostBins, BooleanSupplier wanted) {
        CallBox box = box(selector);
        HeatMap own = store.pyramid().heatMap(box, mostBins, wanted);
        return new HeatMap(own.beginNanos() + offsetNanos, own.slotNanos(), own.counts());
    }

    /** Adds the selected calls to those of other hosts, in the same slots. */
    void addTo(HeatMap sum, CallSelector selector, int shift, BooleanSupplier wanted) {
        HeatMap own = store.pyramid().scan(box(selector), own(sum.beginNanos()), shift, sum.counts().length, wanted);
        for (int slot = 0; slot < own.counts().length; slot++) {
            for (int bucket = 0; bucket < own.counts()[slot].length; bucket++) {
                sum.counts()[slot][bucket] += own.counts()[slot][bucket];
            }
        }
    }
}
