// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** The axis of heights. A curve's height at a time is the share of calls in a stretch as long as 1 % of this time. */
final class ShareAxis {
    private static final double STRETCH = Math.log(1.01);
    private static final String EXPONENTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    /** As decimals, smaller percentages would be too long for labels. */
    private static final int SMALLEST_PLAIN_EXPONENT = -3;
    private static final int LINEAR_TICKS = 5;

    private final ShareScale scale;
    /** Shares at both ends; the lower one is 0 on a linear axis. */
    private final double least;
    private final double most;

    /**
     * A mark on the axis.
     *
     * @param position its height: 0 at the bottom, 1 at the top
     * @param label    "20 %"
     */
    record Tick(double position, String label) {
    }

    private ShareAxis(ShareScale scale, double least, double most) {
        this.scale = scale;
        this.least = least;
        this.most = most;
    }

    /** @param densities what is to stand on it, as {@link DistributionSeries.Bin#density}; those of bins without a call are 0 */
    static ShareAxis of(ShareScale scale, double[] densities) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (double density : densities) {
            double share = share(density);
            least = share > 0 ? Math.min(least, share) : least;
            most = Math.max(most, share);
        }
        if (most == 0) {
            return new ShareAxis(ShareScale.LINEAR, 0, 1);
        }
        // The smallest has a height, too.
        return scale == ShareScale.LINEAR ? new ShareAxis(scale, 0, most) : new ShareAxis(scale, Math.min(least / 2, most / 10), most);
    }

    /** For shares of calls up to a time, all of which are shown. @param calls of the curve with the most of them */
    static ShareAxis cumulative(ShareScale scale, long calls) {
        // Half a call: the slowest one is below the top.
        return new ShareAxis(scale, scale == ShareScale.CUMULATIVE ? 0 : 0.5 / Math.max(1, calls), 1);
    }

    private static double share(double density) {
        return density * STRETCH;
    }

    /** The height of a curve, 0 to 1. */
    double position(double density) {
        return positionOf(share(density));
    }

    /** The height of a share, 0 to 1; of calls up to a time where the axis is of these. */
    double positionOf(double share) {
        if (scale == ShareScale.PERCENTILES) {
            return Math.clamp(Math.log(Math.max(least, 1 - share)) / Math.log(least), 0, 1);
        }
        if (scale == ShareScale.CUMULATIVE) {
            return share;
        }
        if (scale == ShareScale.LINEAR) {
            return share / most;
        }
        return share <= least ? 0 : Math.log(share / least) / Math.log(most / least);
    }

    /** From the bottom up. */
    List<Tick> ticks() {
        List<Tick> ticks = new ArrayList<>();
        if (scale == ShareScale.PERCENTILES) {
            ticks.add(new Tick(0, "0 %"));
            ticks.add(new Tick(positionOf(0.5), "p50"));
            for (double rest = 0.1, nines = 1; rest >= least; rest /= 10, nines++) {
                ticks.add(new Tick(positionOf(1 - rest), percentile((int) nines)));
            }
            return ticks;
        }
        if (scale != ShareScale.LOGARITHMIC) {
            double step = LinearSteps.atLeast(most / LINEAR_TICKS);
            for (int i = 0; i * step <= most; i++) {
                ticks.add(tick(i * step));
            }
            return ticks;
        }
        int[] steps = most / least < 100 ? new int[] {1, 2, 5} : new int[] {1};
        for (int decade = (int) Math.floor(Math.log10(least)); decade <= Math.log10(most); decade++) {
            for (int step : steps) {
                double share = step * Math.pow(10, decade);
                if (share >= least && share <= most) {
                    ticks.add(tick(share));
                }
            }
        }
        return ticks;
    }

    /** "p99.9" of three nines. */
    private static String percentile(int nines) {
        return nines == 1 ? "p90" : nines == 2 ? "p99" : "p99." + "9".repeat(nines - 2);
    }

    private Tick tick(double share) {
        return new Tick(positionOf(share), label(share));
    }

    /** "20 %", "0.001 %", "10⁻⁴ %". */
    private static String label(double share) {
        BigDecimal percent = BigDecimal.valueOf(share * 100).round(new MathContext(2)).stripTrailingZeros();
        int exponent = percent.precision() - percent.scale() - 1;
        if (percent.signum() == 0 || exponent >= SMALLEST_PLAIN_EXPONENT) {
            return percent.toPlainString() + " %";
        }
        String mantissa = percent.scaleByPowerOfTen(-exponent).stripTrailingZeros().toPlainString();
        StringBuilder power = new StringBuilder("10⁻");
        for (char digit : Integer.toString(-exponent).toCharArray()) {
            power.append(EXPONENTS.charAt(digit - '0'));
        }
        return (mantissa.equals("1") ? "" : mantissa + "·") + power + " %";
    }
}
