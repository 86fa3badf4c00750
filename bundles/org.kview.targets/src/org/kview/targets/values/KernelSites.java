// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

import org.kview.targets.values.KernelViews.Rejected;

/**
 * The sites of one set of a kernel view, and what each of them counted since the set was made.
 *
 * @param readNanos when, by the host's CLOCK_MONOTONIC
 * @param count     how many there are; they are numbered from 0, and stay the same
 * @param names     one for each: of a function, a tracepoint or a trace event, empty where it is not known; or none at all
 * @param namesNote why there are none, as a sentence; else empty
 * @param figures   of those that have counted anything, in their order
 */
public record KernelSites(long readNanos, int count, List<String> names, String namesNote, List<Figures> figures) {

    /**
     * What a site counted, as {@link KernelViews.Counts} has it of a set.
     *
     * @param site its number
     */
    public record Figures(int site, long hits, long missed, long lostReturns, long lostRecords, Rejected rejected) {
        public static Figures none(int site) {
            return new Figures(site, 0, 0, 0, 0, new Rejected(0, 0, 0));
        }

        /** Hits for which no eBPF program ran where one was to. */
        public long unseen() {
            return KernelViews.plus(KernelViews.plus(missed, lostReturns), lostRecords);
        }
    }

    /** @throws IllegalArgumentException if they do not fit together */
    public KernelSites {
        names = List.copyOf(names);
        figures = List.copyOf(figures);
        if (count < 0 || !names.isEmpty() && names.size() != count) {
            throw new IllegalArgumentException("it has " + names.size() + " names of " + Integer.toUnsignedLong(count) + " sites");
        }
        int next = 0;
        for (Figures one : figures) {
            if (one.site() < next || one.site() >= count) {
                throw new IllegalArgumentException("it holds site " + Integer.toUnsignedLong(one.site()) + " of " + count
                        + ", or not in order");
            }
            next = one.site() + 1;
        }
    }
}
