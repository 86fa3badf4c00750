// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.kview.model.LatencySnapshot;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.statistics.FunctionSlices;

/**
 * A recording as one side of a comparison.
 *
 * @param name    for people, such as the name of its folder
 * @param figures what it measured
 * @param slices  by function id, the same cut up by time; functions whose buckets are lost may be absent
 */
public record ComparedSession(String name, LatencySnapshot figures, Map<Integer, FunctionSlices> slices) {
    public ComparedSession {
        slices = Map.copyOf(slices);
    }

    /** How long was recorded; more than 0. */
    double seconds() {
        return Math.max(1e-9, figures.info().duration().toNanos() / 1e9);
    }

    /**
     * Reads what is compared of a session.
     *
     * @param progress hears how much was read, and may end it
     * @throws SessionException if its latency.hlog can't be read
     */
    public static ComparedSession read(String name, SessionReader session, Progress progress) throws SessionException {
        LatencySnapshot figures = session.snapshot();
        List<SliceCollector> hosts = new ArrayList<>();
        boolean hasBuckets = figures.functions().stream().anyMatch(f -> !f.wall().isEmpty() && f.wall().hasBuckets());
        if (hasBuckets) {
            session.intervals(() -> {
                hosts.add(new SliceCollector());
                return hosts.getLast();
            }, progress);
        }
        Map<Integer, FunctionSlices> slices = new HashMap<>();
        List<Integer> ids = figures.functions().stream().filter(f -> f.wall().hasBuckets())
                .map(f -> f.function().id()).toList();
        long nanos = figures.info().duration().toNanos();
        hosts.forEach(host -> host.slices(ids, nanos).forEach((id, own) -> slices.merge(id, own, FunctionSlices::plus)));
        return new ComparedSession(name, figures, slices);
    }
}
