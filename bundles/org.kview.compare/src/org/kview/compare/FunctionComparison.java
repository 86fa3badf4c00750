/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

import org.kview.model.Metric;

/**
 * How a function changed.
 *
 * @param pair    what was measured
 * @param wall    of its wall-clock times, by statistic; all of them
 * @param perCall by metric, the mean over all calls; those that occur in neither recording are absent.
 *                The changes of on-CPU time and of the causes add up to that of wall-clock time
 */
public record FunctionComparison(FunctionPair pair, Map<Statistic, Change> wall, Map<Metric, Change> perCall) {
    /** A cause is named where it holds this part of the change. */
    private static final double MAIN_SHARE = 0.5;

    public FunctionComparison {
        wall = Collections.unmodifiableMap(new EnumMap<>(wall));
        Map<Metric, Change> copy = new EnumMap<>(Metric.class);
        copy.putAll(perCall);
        perCall = Collections.unmodifiableMap(copy);
    }

    public String name() {
        return pair.name();
    }

    /**
     * The change to tell first: of those beyond noise the one that is largest in proportion; empty if
     * none is.
     */
    public Optional<Change> headline() {
        return wall.values().stream().filter(Change::isBeyondNoise)
                .max(Comparator.comparingDouble(Change::magnitude));
    }

    /**
     * What accounts for most of the change of the mean: on-CPU time or a cause whose own change is beyond
     * noise, goes the same way as the headline and is at least half of it; empty if there is none.
     */
    public Optional<Change> mainCause() {
        return headline().flatMap(main -> {
            double whole = wall.get(Statistic.MEAN).difference();
            return perCall.values().stream().filter(c -> c.metric() != Metric.WALL && c.isBeyondNoise())
                    .filter(c -> c.difference() * main.difference() > 0 && c.difference() / whole >= MAIN_SHARE)
                    .max(Comparator.comparingDouble(c -> Math.abs(c.difference())));
        });
    }

    /** Whether at least one statistic could be judged. */
    public boolean isJudged() {
        return wall.values().stream().anyMatch(c -> c.interval().isPresent());
    }
}
