// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionSummary;

/**
 * Compares the selected sessions. If there are two, the earlier one is A; if there are more, the user is asked which
 * are A and which are B.
 */
public final class CompareSelectedHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        if (HandlerUtil.getCurrentSelection(event) instanceof IStructuredSelection selection) {
            List<SessionSummary> sessions = inTime(selection.toList());
            if (sessions.size() > 1) {
                ComparedPaths proposed = ComparedPaths.of(sessions.stream().map(SessionSummary::path).toList());
                sides(event, proposed).ifPresent(sides -> CompareView.open(
                        HandlerUtil.getActiveWorkbenchWindow(event).getActivePage(), sides));
            }
        }
        return null;
    }

    private static Optional<ComparedPaths> sides(ExecutionEvent event, ComparedPaths proposed) {
        if (proposed.a().size() == 1 && proposed.b().size() == 1) {
            return Optional.of(proposed);
        }
        CompareDialog dialog = new CompareDialog(HandlerUtil.getActiveShell(event), proposed.a(), proposed.b());
        dialog.open();
        return dialog.chosen();
    }

    /** The sessions among these, by the time when they were recorded. */
    static List<SessionSummary> inTime(List<?> selected) {
        return selected.stream().filter(SessionSummary.class::isInstance).map(SessionSummary.class::cast)
                .sorted(Comparator.comparing(s -> s.info().map(SessionInfo::start).orElse(Instant.MIN))).toList();
    }
}
