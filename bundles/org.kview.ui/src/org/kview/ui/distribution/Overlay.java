// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.Optional;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;

/**
 * Another session, whose curves are drawn over those of the open one.
 *
 * @param name    of its file
 * @param figures of all its hosts
 */
record Overlay(String name, LatencySnapshot figures) {
    /** The same function there; empty if it was not measured. */
    Optional<FunctionLatency> of(FunctionLatency function) {
        return figures.functions().stream().filter(other -> MergedHosts.isSame(other.function(), function.function())).findFirst();
    }
}
