/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.compare;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.model.SessionInfo;
import org.kview.session.SessionSummary;

/** Compares two sessions that are selected: the earlier one is A. */
public final class CompareSelectedHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        if (HandlerUtil.getCurrentSelection(event) instanceof IStructuredSelection selection) {
            List<SessionSummary> sessions = inTime(selection.toList());
            if (sessions.size() == 2) {
                CompareView.open(HandlerUtil.getActiveWorkbenchWindow(event).getActivePage(),
                        sessions.getFirst().path(), sessions.getLast().path());
            }
        }
        return null;
    }

    /** The sessions among these, by the time when they were recorded. */
    static List<SessionSummary> inTime(List<?> selected) {
        return selected.stream().filter(SessionSummary.class::isInstance).map(SessionSummary.class::cast)
                .sorted(Comparator.comparing(s -> s.info().map(SessionInfo::start).orElse(Instant.MIN))).toList();
    }
}
