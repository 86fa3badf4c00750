// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.ui.ISelectionListener;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchPart;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbedFunction;
import org.kview.ui.KviewUi;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** The function that is selected in the Functions view, or whose calls with a value are, with its figures of now; the one with most time where none is selected. */
final class SelectedFunction implements SessionListener, ISelectionListener {
    private final IWorkbenchPage page;
    private final Runnable changed;
    private final SessionService service = SessionService.get();
    private Optional<ProbedFunction> selected = Optional.empty();

    /** @param changed is told in the UI thread when the function or its figures are others, and once at the beginning */
    SelectedFunction(IWorkbenchPage page, Runnable changed) {
        this.page = page;
        this.changed = changed;
    }

    void follow(IWorkbenchPart part) {
        service.add(this);
        page.addSelectionListener(KviewUi.VIEW_FUNCTIONS, this);
        selectionChanged(part, page.getSelection(KviewUi.VIEW_FUNCTIONS));
    }

    void dispose() {
        service.remove(this);
        page.removeSelectionListener(KviewUi.VIEW_FUNCTIONS, this);
    }

    @Override
    public void selectionChanged(IWorkbenchPart part, ISelection selection) {
        selected = selection instanceof IStructuredSelection structured
                && structured.getFirstElement() instanceof ProbedFunction function
                        ? Optional.of(function) : Optional.empty();
        changed.run();
    }

    @Override
    public void sessionChanged(SessionState state) {
        changed.run();
    }

    boolean isSessionOpen() {
        return service.state().snapshot().isPresent();
    }

    Optional<FunctionLatency> figures() {
        return selected.isPresent() ? service.state().snapshot().flatMap(figures -> figures.whole(selected.get()))
                : all().stream().max(Comparator.comparingLong(f -> f.wall().totalNanos()));
    }

    /** Those of the session that is open; empty without one. */
    List<FunctionLatency> all() {
        return service.state().snapshot().map(LatencySnapshot::functions).orElse(List.of());
    }
}
