// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import org.kview.model.LatencyFormat;

/**
 * What a series shows at a place of the picture.
 *
 * @param series which
 * @param bin    the calls there
 */
public record Hover(DistributionSeries series, DistributionSeries.Bin bin) {

    /** "1.98–2.11 ms · 611 calls · 3.4 %". */
    public String text() {
        return LatencyFormat.range(bin.lowNanos(), bin.highNanos()) + " · " + LatencyFormat.count(bin.count())
                + (bin.count() == 1 ? " call · " : " calls · ") + share();
    }

    private String share() {
        double percent = bin.share() * 100;
        return percent > 0 && percent < 0.05 ? "<0.1 %" : LatencyFormat.fixed(percent, 1) + " %";
    }
}
