// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IViewReference;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchWindow;
import org.kview.ui.KviewUi;

/** Brings the functions to the front when another session's figures come: the list of processes lies over them. */
public final class FunctionsInSight implements SessionListener {
    private final IWorkbenchWindow window;
    private Optional<Path> shown = Optional.empty();

    private FunctionsInSight(IWorkbenchWindow window) {
        this.window = window;
    }

    /** Begins to watch, for as long as the workbench runs. */
    public static void start(IWorkbenchWindow window) {
        SessionService.get().add(new FunctionsInSight(window));
    }

    @Override
    public void sessionChanged(SessionState state) {
        Optional<Path> next = switch (state) {
            case SessionState.Recording(Path session, var _, var _, var _) -> Optional.of(session);
            case SessionState.Opened(Path session, var _) -> Optional.of(session);
            // The recorded session is opened next; in between, the user has not looked at anything else.
            case SessionState.Busy _ -> shown;
            case SessionState.None _, SessionState.Failed _ -> Optional.empty();
        };
        if (next.isPresent() && !next.equals(shown)) {
            Optional.ofNullable(window.getActivePage()).ifPresent(FunctionsInSight::bring);
        }
        shown = next;
    }

    /** If the user closed the view, it stays closed. */
    private static void bring(IWorkbenchPage page) {
        IViewReference reference = page.findViewReference(KviewUi.VIEW_FUNCTIONS);
        IViewPart view = reference == null ? null : reference.getView(true);
        if (view != null && !page.isPartVisible(view)) {
            page.bringToTop(view);
        }
    }
}
