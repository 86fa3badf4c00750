// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

/** What can be said of a difference. */
public enum Significance {
    /** Larger than what noise, resolution and the minimum effect account for. */
    BEYOND_NOISE("beyond_noise", "beyond noise"),
    WITHIN_NOISE("within_noise", "within noise"),
    /** Regular, but smaller than a bucket, or than the difference in what was subtracted for the probes. */
    BELOW_RESOLUTION("below_resolution", "below resolution"),
    /** Regular, but smaller than what was asked for. */
    BELOW_MINIMUM("below_minimum", "below the minimum effect"),
    TOO_FEW_CALLS("too_few_calls", "too few calls"),
    /** Too few slices of time hold calls to tell how the figure varies. */
    TOO_SHORT("too_short", "too short to judge"),
    /**
     * In groups: fewer than three recordings of a side have the figure; if a side has only two recordings, fewer than two.
     */
    TOO_FEW_RECORDINGS("too_few_recordings", "too few recordings have it"),
    /** The figure is not known: of a damaged session, or a rate of a function whose probes came off before the end. */
    UNKNOWN("unknown", "not known");

    private final String id;
    private final String label;

    Significance(String id, String label) {
        this.id = id;
        this.label = label;
    }

    /** The name in reports; never changes. */
    public String id() {
        return id;
    }

    /** The name for people. */
    public String label() {
        return label;
    }
}
