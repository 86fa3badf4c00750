// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import org.kview.model.Metric;
import org.kview.statistics.Statistic;

/**
 * How a function changed.
 *
 * @param pair    what was measured
 * @param wall    of its calls' wall-clock times and of its rates, by statistic; all of them
 * @param perCall by metric, the mean over all calls; those that occur in neither recording are absent.
 *                The changes of on-CPU time and of the causes add up to that of wall-clock time
 */
public record FunctionComparison(FunctionPair pair, Map<Statistic, Change> wall, Map<Metric, Change> perCall) {
    /** A cause is named if it accounts for at least this part of the change. */
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

    /** Whether anything is found to differ: how long calls take, how many there are, or both together. */
    public boolean differs() {
        return wall.values().stream().anyMatch(Change::isBeyondNoise);
    }

    /** By how much the time changed that the program spends in it, by second of the recording, in ns. */
    public double programNanos() {
        return wall.get(Statistic.TOTAL).difference();
    }

    /** The changes of the calls per second and of the total time, in this order, if they are beyond noise. */
    public List<Change> rates() {
        return Statistic.RATES.stream().map(wall::get).filter(Change::isBeyondNoise).toList();
    }

    /**
     * The most important change of a call's time. Of the changes of wall-clock time that are beyond noise, this is the
     * largest in proportion. If none is beyond noise, it is the change of the time that a call takes undisturbed; empty if
     * that is not beyond noise either.
     */
    public Optional<Change> headline() {
        return Statistic.PER_CALL.stream().map(wall::get).filter(Change::isBeyondNoise)
                .max(Comparator.comparingDouble(Change::magnitude))
                .or(() -> Optional.of(wall.get(Statistic.UNDISTURBED)).filter(Change::isBeyondNoise));
    }

    /**
     * What accounts for most of the change of the mean: on-CPU time or a cause whose own change is beyond
     * noise, goes the same way as the headline and is at least half of it; empty if there is none.
     */
    public Optional<Change> mainCause() {
        return headline().flatMap(main -> {
            double whole = perCall.values().stream().mapToDouble(Change::difference).sum();
            return perCall.values().stream().filter(c -> c.metric() != Metric.WALL && c.isBeyondNoise())
                    .filter(c -> c.difference() * main.difference() > 0 && whole != 0 && c.difference() / whole >= MAIN_SHARE)
                    .max(Comparator.comparingDouble(c -> Math.abs(c.difference())));
        });
    }

    /** The smallest difference of a call's time that would be found: see {@link Change#visible}; empty where it can't be told. */
    public OptionalDouble visible() {
        return Statistic.TIMES.stream().map(wall::get).mapToDouble(Change::visible).filter(Double::isFinite).min();
    }

    /** Whether at least one statistic could be judged. */
    public boolean isJudged() {
        return wall.values().stream().anyMatch(c -> c.interval().isPresent());
    }
}
