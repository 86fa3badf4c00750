// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

/**
 * The colours of cells: the more calls, the further from the ground. One hue whose lightness alone tells, so that eyes that can't
 * tell hues apart see the same; no cause has it.
 */
final class HeatColours {
    private static final int[] LIGHT = {0x9CC4E4, 0x5C9BD1, 0x2A6DB0, 0x124583, 0x08254F};
    private static final int[] DARK = {0x2F5F8F, 0x4A86BD, 0x76ACDB, 0xA9CFF0, 0xEDF6FF};

    private HeatColours() {
    }

    /**
     * The colour of a cell, 0xRRGGBB.
     *
     * @param calls 1 or more
     * @param most  of any cell
     */
    static int of(long calls, long most, boolean dark) {
        double share = most <= 1 ? 1 : Math.log(calls) / Math.log(most);
        int[] stops = dark ? DARK : LIGHT;
        double at = Math.clamp(share, 0, 1) * (stops.length - 1);
        int low = Math.min((int) at, stops.length - 2);
        return mixed(stops[low], stops[low + 1], at - low);
    }

    private static int mixed(int one, int other, double share) {
        int rgb = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            double value = (one >> shift & 0xff) * (1 - share) + (other >> shift & 0xff) * share;
            rgb |= (int) Math.round(value) << shift;
        }
        return rgb;
    }
}
