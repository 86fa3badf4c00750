// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.ArrayList;
import java.util.List;

import org.kview.recording.flow.FlowLine;
import org.kview.ui.widgets.RowsTree;

/**
 * A line of a call's tree.
 *
 * @param id       its place from the top
 * @param children in their order
 */
record FlowRow(long id, FlowLine line, List<FlowRow> children) implements RowsTree.Row<FlowRow> {

    /**
     * The first lines of a call.
     *
     * @param whole whether these are all
     */
    record Rows(List<FlowRow> rows, boolean whole) {
    }

    FlowRow {
        children = List.copyOf(children);
    }

    /** From the top on, no more than so many. */
    static Rows of(List<FlowLine> lines, int atMost) {
        Filling filling = new Filling(atMost);
        List<FlowRow> rows = filling.rows(lines);
        return new Rows(rows, !filling.cut);
    }

    private static final class Filling {
        private final int atMost;
        private int made;
        private boolean cut;

        Filling(int atMost) {
            this.atMost = atMost;
        }

        List<FlowRow> rows(List<FlowLine> lines) {
            List<FlowRow> rows = new ArrayList<>();
            for (FlowLine line : lines) {
                if (made == atMost) {
                    cut = true;
                    break;
                }
                int id = made++;
                rows.add(new FlowRow(id, line, rows(line.below())));
            }
            return rows;
        }
    }
}
