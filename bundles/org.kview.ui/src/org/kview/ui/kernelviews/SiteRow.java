// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.OptionalDouble;

import org.kview.targets.values.KernelSites.Figures;
import org.kview.targets.values.KernelViews.SiteKind;

/**
 * A line of the list of sites.
 *
 * @param set  the number of its set
 * @param rate hits a second, since the reading before; empty at the first reading
 */
record SiteRow(long set, SiteKind kind, String name, Figures figures, OptionalDouble rate) {
    boolean isSameSite(SiteRow other) {
        return set == other.set && figures.site() == other.figures.site();
    }
}
