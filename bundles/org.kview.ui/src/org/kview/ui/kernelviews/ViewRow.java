// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.KernelViews.Pages;
import org.kview.ui.widgets.RowsTree;

/**
 * A line of the list of kernel views: a view, or a set or an attachment of one.
 *
 * @param id        the module's number of it
 * @param pages     unknown but of a view
 * @param tookNanos to attach, or of a view, to add its last set; 0 where it is not known
 * @param owner     empty but of a view
 * @param note      a sentence; may be empty
 * @param children  in their order
 */
record ViewRow(long id, String name, Figures figures, long memoryBytes, Pages pages, long tookNanos, long ageNanos, String owner, String note,
        List<ViewRow> children) implements RowsTree.Row<ViewRow> {
    /**
     * What is counted.
     *
     * @param sites     empty of an attachment
     * @param processes address spaces; empty of a set
     * @param hits      empty where they are not known
     * @param hitRate   a second, since the reading before; empty at the first reading
     * @param missed    hits that no eBPF program saw; empty as hits
     * @param rejected  calls that were not the process's own; empty as hits
     */
    record Figures(OptionalLong sites, OptionalLong processes, OptionalLong hits, OptionalDouble hitRate, OptionalLong missed,
            OptionalLong rejected) {
    }

    ViewRow {
        children = List.copyOf(children);
    }

    ViewRow with(List<ViewRow> others) {
        return new ViewRow(id, name, figures, memoryBytes, pages, tookNanos, ageNanos, owner, note, others);
    }

    String pagesText() {
        return pages.isKnown() ? LatencyFormat.count(pages.text()) + " + " + LatencyFormat.count(pages.tables()) : "";
    }
}
