// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.Optional;

import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.SiteSet;

/**
 * What a target told at one time.
 *
 * @param sites of the sets that were asked for, as far as they are still there
 */
record ViewsReading(KernelViews views, List<Sites> sites) {
    ViewsReading {
        sites = List.copyOf(sites);
    }

    /**
     * The sites of one set.
     *
     * @param now  with their names; empty where they can't be told
     * @param note why they can't, or have no names, as a sentence; else empty
     */
    record Sites(SiteSet set, Optional<KernelSites> now, String note) {
    }
}
