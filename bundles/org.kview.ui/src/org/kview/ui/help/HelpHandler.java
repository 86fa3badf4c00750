// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.help;

import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.IWorkbenchPart;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.ui.KviewUi;

/** Shows what the documentation says of the active view, or a section that is named. */
public final class HelpHandler extends AbstractHandler {
    private static final String EVENTS = "Events and histogram";

    private Optional<HelpDialog> dialog = Optional.empty();

    @Override
    public Object execute(ExecutionEvent event) {
        IWorkbenchWindow window = HandlerUtil.getActiveWorkbenchWindow(event);
        if (window != null) {
            show(window, Optional.ofNullable(event.getParameter(KviewUi.PARAMETER_SECTION)).orElseGet(() -> title(
                    window.getActivePage() == null ? null : window.getActivePage().getActivePart())));
        }
        return null;
    }

    private void show(IWorkbenchWindow window, String section) {
        if (dialog.isEmpty() || dialog.get().getShell() == null || dialog.get().getShell().isDisposed()) {
            dialog = Optional.of(new HelpDialog(window.getShell(), Manual.load()));
            dialog.get().open();
        }
        dialog.get().show(section);
        dialog.get().getShell().forceActive();
    }

    private static String title(IWorkbenchPart part) {
        return switch (part) {
            case null -> "";
            case IEditorPart _ -> EVENTS;
            default -> switch (part.getSite().getId()) {
                case KviewUi.VIEW_TRACE_HISTOGRAM -> EVENTS;
                case KviewUi.VIEW_COMPARE -> "Compare";
                // The view's name, not its title, because the title may say what the view shows.
                default -> part.getSite().getRegisteredName();
            };
        };
    }
}
