// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.List;
import java.util.OptionalDouble;

import org.kview.targets.values.ProcessInfo;
import org.kview.ui.widgets.RowsTree;

/**
 * A line of the process list.
 *
 * @param process  it is about
 * @param cpu      CPUs' worth of time since the list before, 1.0 being one CPU all the time; empty for a process
 *                 that was not in that list
 * @param matches  whether it passes the filter; otherwise it is shown only because of the processes below it
 * @param children in their order; empty in a flat list
 */
record ProcessRow(ProcessInfo process, OptionalDouble cpu, boolean matches, List<ProcessRow> children)
        implements RowsTree.Row<ProcessRow> {
    ProcessRow {
        children = List.copyOf(children);
    }

    @Override
    public long id() {
        return process.pid();
    }

    @Override
    public boolean isFaint() {
        return !matches;
    }
}
