// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

import org.kview.calls.CallBox.Range;
import org.kview.calls.ThreadStates;
import org.kview.calls.ThreadStates.Picture;
import org.kview.model.Metric;
import org.kview.session.report.CsvLine;

/**
 * What the threads of a session did in a stretch of time.
 *
 * @param threads   those of which something is known, by host and number
 * @param slotNanos states shorter than that are summed up; 0 if none are
 * @param isPartial those of a host with more than {@link ThreadStates#MOST_THREADS} threads are missing instead
 */
public record StoredStates(List<StoredThread> threads, long slotNanos, boolean isPartial) {
    private static final Metric[] STATES = Metric.values();
    /** So many slots can be drawn, and looked at, at once. */
    private static final int MOST_SLOTS = 20_000;
    private static final int LEAST_SLOTS = 16;

    public StoredStates {
        threads = List.copyOf(threads);
    }

    /** @param leastNanos shorter states can't be told apart */
    static StoredStates of(List<StorePart> parts, CallSelector selector, Range time, long leastNanos, BooleanSupplier wanted) {
        List<StorePart> chosen = parts.stream().filter(part -> part.isOf(selector)).toList();
        long threads = selector.threads().map(Set::size).map(Integer::longValue)
                .orElseGet(() -> chosen.stream().mapToLong(part -> part.store().threads().size()).sum());
        long slots = Math.clamp(MOST_SLOTS / Math.max(1, threads), LEAST_SLOTS, MOST_SLOTS);
        long least = Math.max(leastNanos, (time.most() - time.least()) / slots);
        List<StoredThread> found = new ArrayList<>();
        long slotNanos = 0;
        boolean isPartial = false;
        for (StorePart part : chosen) {
            Picture picture = part.store().states().picture(part.own(time.least()), part.own(time.most()), least, selector.threads(), wanted);
            slotNanos = Math.max(slotNanos, picture.slotNanos());
            isPartial |= picture.isPartial();
            found.addAll(threads(part, picture));
        }
        return new StoredStates(found, slotNanos, isPartial);
    }

    private static List<StoredThread> threads(StorePart part, Picture picture) {
        Map<Long, List<StoredThread.State>> states = new TreeMap<>();
        Map<Long, List<StoredThread.Slot>> slots = new TreeMap<>();
        for (ThreadStates.State state : picture.states()) {
            states.computeIfAbsent(state.tid(), _ -> new ArrayList<>()).add(new StoredThread.State(part.epoch(state.beginNanos()),
                    part.epoch(state.endNanos()), state.state(), state.cpu(),
                    state.waker().map(waker -> OptionalLong.of(waker.tid())).orElse(OptionalLong.empty()),
                    state.waker().map(waker -> CallHost.shown(waker.name()) + "/" + waker.tid())));
        }
        for (ThreadStates.Slot slot : picture.slots()) {
            Map<Metric, Long> nanos = new EnumMap<>(Metric.class);
            for (Metric state : STATES) {
                if (slot.nanos()[state.ordinal()] > 0) {
                    nanos.put(state, slot.nanos()[state.ordinal()]);
                }
            }
            slots.computeIfAbsent(slot.tid(), _ -> new ArrayList<>()).add(new StoredThread.Slot(part.epoch(slot.beginNanos()),
                    part.epoch(slot.beginNanos() + picture.slotNanos()), nanos));
        }
        states.values().forEach(its -> its.sort(Comparator.comparingLong(StoredThread.State::beginNanos)));
        slots.values().forEach(its -> its.sort(Comparator.comparingLong(StoredThread.Slot::beginNanos)));
        Set<Long> tids = new TreeSet<>(states.keySet());
        tids.addAll(slots.keySet());
        return tids.stream().map(tid -> new StoredThread(part.host().target(), tid, name(part, tid),
                states.getOrDefault(tid, List.of()), slots.getOrDefault(tid, List.of()))).toList();
    }

    private static String name(StorePart part, long tid) {
        return Optional.ofNullable(part.store().threads().get(tid)).map(part.store()::text).map(CallHost::shown).orElse("");
    }

    /**
     * What they did, thread by thread, for spreadsheets: a line for each state, and behind these, where others are summed up, one for each
     * of them in each slot of time. Times are ns since the recording's start.
     *
     * @param startNanos when that was, in ns since 1970
     */
    public String csv(long startNanos) {
        StringBuilder csv = new StringBuilder(CsvLine.of(List.of("host", "tid", "thread", "from_ns", "to_ns", "state", "ns", "cpu", "ended_by_tid",
                "ended_by")));
        for (StoredThread thread : threads) {
            for (StoredThread.State state : thread.states()) {
                csv.append(line(thread, state.beginNanos() - startNanos, state.endNanos() - startNanos, state.state(),
                        state.endNanos() - state.beginNanos(), List.of(state.cpu().isPresent() ? Integer.toString(state.cpu().getAsInt()) : "",
                                state.wakerTid().isPresent() ? Long.toString(state.wakerTid().getAsLong()) : "", state.waker().orElse(""))));
            }
            for (StoredThread.Slot slot : thread.slots()) {
                for (Metric state : STATES) {
                    if (slot.nanos().containsKey(state)) {
                        csv.append(line(thread, slot.beginNanos() - startNanos, slot.endNanos() - startNanos, state, slot.nanos().get(state),
                                List.of("", "", "")));
                    }
                }
            }
        }
        return csv.toString();
    }

    private static String line(StoredThread thread, long from, long to, Metric state, long nanos, List<String> more) {
        List<String> fields = new ArrayList<>(List.of(thread.target(), Long.toString(thread.tid()), thread.thread(), Long.toString(from),
                Long.toString(to), state.id(), Long.toString(nanos)));
        fields.addAll(more);
        return CsvLine.of(fields);
    }
}
