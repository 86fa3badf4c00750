// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.OptionalLong;

import org.kview.model.LatencyFormat;

/**
 * What a series shows at a place of the picture.
 *
 * @param series which
 * @param bin    the calls there
 * @param upTo   those and all that were faster, where the picture is about these
 */
public record Hover(DistributionSeries series, DistributionSeries.Bin bin, OptionalLong upTo) {

    /** "1.98–2.11 ms · 611 calls · 3.4 %"; or "below 2.11 ms: 17,311 calls · 96.6 %, above: 611 · 3.4 %". */
    public String text() {
        if (upTo.isPresent()) {
            long calls = series.binned();
            long above = calls - upTo.getAsLong();
            return "below " + LatencyFormat.nanos(bin.highNanos()) + ": " + count(upTo.getAsLong()) + " · "
                    + share(1 - (double) above / calls) + ", above: " + LatencyFormat.count(above) + " · " + share((double) above / calls);
        }
        return LatencyFormat.range(bin.lowNanos(), bin.highNanos()) + " · " + count(bin.count()) + " · " + share(bin.share());
    }

    private static String count(long calls) {
        return LatencyFormat.count(calls) + (calls == 1 ? " call" : " calls");
    }

    private static String share(double share) {
        double percent = share * 100;
        return percent > 0 && percent < 0.05 ? "<0.1 %" : percent < 100 && percent >= 99.95 ? ">99.9 %"
                : LatencyFormat.fixed(percent, 1) + " %";
    }
}
