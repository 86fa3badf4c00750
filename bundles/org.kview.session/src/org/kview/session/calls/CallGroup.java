// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.kview.calls.CallBlock;
import org.kview.calls.CallField;
import org.kview.model.Metric;

/** Adds up some calls: where their time went, and how many had what in common. */
final class CallGroup {
    /** What calls can have in common. In a store's numbers; those of 0 in the last two are none. */
    static final CallField[] TRAITS = {CallField.TID, CallField.CPU, CallField.PARENT_FUNCTION, CallField.WAKER_TID};

    private static final Metric[] PARTS = parts();
    private static final CallField[] PART_FIELDS = partFields();

    private final long[] partNanos = new long[PARTS.length];
    /** By their places in {@link #TRAITS}. */
    private final TraitCounts[] traits = new TraitCounts[TRAITS.length];
    private long calls;
    private long wallNanos;

    /** A host's number of something. */
    record Trait(int host, long number) {
    }

    CallGroup() {
        Arrays.setAll(traits, _ -> new TraitCounts());
    }

    private static Metric[] parts() {
        Metric[] parts = new Metric[Metric.CAUSES.size() + 1];
        parts[0] = Metric.ON_CPU;
        for (int i = 1; i < parts.length; i++) {
            parts[i] = Metric.CAUSES.get(i - 1);
        }
        return parts;
    }

    private static CallField[] partFields() {
        CallField[] fields = new CallField[PARTS.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = CallField.of(PARTS[i]);
        }
        return fields;
    }

    void add(int host, CallBlock block, int row) {
        calls++;
        wallNanos += block.value(CallField.WALL, row);
        for (int i = 0; i < PARTS.length; i++) {
            partNanos[i] += block.value(PART_FIELDS[i], row);
        }
        for (int i = 0; i < TRAITS.length; i++) {
            traits[i].add(host, block.value(TRAITS[i], row));
        }
    }

    long calls() {
        return calls;
    }

    /** How long a call took on average, in ns; 0 if there are none. */
    double meanWallNanos() {
        return calls == 0 ? 0 : (double) wallNanos / calls;
    }

    /** Likewise what a part of it took. */
    double meanNanos(Metric part) {
        for (int i = 0; i < PARTS.length; i++) {
            if (PARTS[i] == part) {
                return calls == 0 ? 0 : (double) partNanos[i] / calls;
            }
        }
        throw new IllegalArgumentException("No part of a call: " + part);
    }

    static Metric[] allParts() {
        return PARTS.clone();
    }

    /** How many of the calls have which. */
    Map<Trait, Long> traits(CallField field) {
        return counts(field).all();
    }

    private TraitCounts counts(CallField field) {
        return traits[List.of(TRAITS).indexOf(field)];
    }

    /** Which share of the calls have it. */
    double share(CallField field, Trait trait) {
        return calls == 0 ? 0 : (double) counts(field).count(trait) / calls;
    }
}
