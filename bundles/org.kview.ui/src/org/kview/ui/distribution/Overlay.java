// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.session.report.MarkedFunctions;
import org.kview.session.report.SessionText;

/**
 * Another session, whose curves are drawn over those of the open one.
 *
 * @param name    of its file
 * @param figures of all its hosts
 */
record Overlay(String name, LatencySnapshot figures) {
    /** The same function there; empty if it was not measured. */
    Optional<FunctionLatency> of(FunctionLatency function) {
        return figures.functions().stream().flatMap(f -> Stream.concat(Stream.of(f), f.byValue().stream())).filter(other -> MergedHosts.isSame(other.function(), function.function())).findFirst();
    }

    /** What is wrong with its figures, or missing in them, and what has to be known of some functions; it is named in each sentence. */
    List<String> warnings(List<FunctionLatency> shown) {
        return Stream.concat(new SessionText(figures).warnings().stream(), MarkedFunctions.sentences(figures, shown::contains).stream())
                .map(sentence -> name + ": " + sentence).toList();
    }
}
