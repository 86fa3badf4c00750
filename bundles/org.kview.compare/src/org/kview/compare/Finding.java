// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.List;
import java.util.Optional;

import org.kview.model.Metric;
import org.kview.statistics.Difference;
import org.kview.statistics.Statistic;

/** A figure under comparison, until all others have been compared as well. */
final class Finding {
    private final Figure figure;
    private final Optional<Difference> difference;
    private final double visible;
    private final Significance reason;
    private double adjusted = 1;

    /**
     * What is compared.
     *
     * @param a          in A; of several recordings the mean
     * @param b          in B
     * @param inA        in each recording of A
     * @param inB        in each recording of B
     * @param resolution smaller differences can't be told from none
     * @param least      smaller differences are not asked for
     */
    record Figure(Metric metric, Statistic statistic, double a, double b, List<Double> inA, List<Double> inB,
            double resolution, double least) {
    }

    private Finding(Figure figure, Optional<Difference> difference, double visible, Significance reason) {
        this.figure = figure;
        this.difference = difference;
        this.visible = visible;
        this.reason = reason;
    }

    /** @param reason why nothing can be said */
    static Finding untold(Figure figure, Significance reason) {
        return new Finding(figure, Optional.empty(), Double.NaN, reason);
    }

    static Finding of(Figure figure, Difference difference) {
        return of(figure, difference, Double.NaN);
    }

    /**
     * @param visible the smallest relative difference that would be found; NaN if that is not known
     */
    static Finding of(Figure figure, Difference difference, double visible) {
        return new Finding(figure, Optional.of(difference), visible, Significance.WITHIN_NOISE);
    }

    Metric metric() {
        return figure.metric();
    }

    Statistic statistic() {
        return figure.statistic();
    }

    Optional<Difference> difference() {
        return difference;
    }

    /** @param value of p, adjusted for the other findings */
    void adjust(double value) {
        adjusted = value;
    }

    Change change() {
        return new Change(metric(), statistic(), figure.a(), figure.b(), figure.inA(), figure.inB(),
                difference.map(d -> new Change.Interval(d.lowNanos(), d.highNanos())), figure.resolution(), visible(), adjusted,
                difference.isEmpty() ? reason : significance());
    }

    /** Never less than the smallest difference that is reported. */
    private double visible() {
        double smaller = Math.min(figure.a(), figure.b());
        return Math.max(visible, Math.max(figure.resolution(), figure.least()) / smaller);
    }

    private Significance significance() {
        double size = Math.abs(figure.b() - figure.a());
        if (adjusted >= Comparer.RATE) {
            return Significance.WITHIN_NOISE;
        }
        if (size <= figure.resolution()) {
            return Significance.BELOW_RESOLUTION;
        }
        return size < figure.least() ? Significance.BELOW_MINIMUM : Significance.BEYOND_NOISE;
    }
}
