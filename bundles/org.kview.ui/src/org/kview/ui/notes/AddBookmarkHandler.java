// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.model.SafeText;

/** Adds a bookmark of the selected function and time. */
public final class AddBookmarkHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        IWorkbenchPage page = HandlerUtil.getActiveWorkbenchWindow(event).getActivePage();
        Shell shell = HandlerUtil.getActiveShell(event);
        NotesService notes = NotesService.get();
        if (notes.state().canChange()) {
            Bookmarks.ask(shell, "Add Bookmark", Bookmarks.here(page))
                    .ifPresent(bookmark -> notes.change(n -> n.plus(bookmark)));
        } else {
            MessageDialog.openInformation(shell, "Add Bookmark", SafeText.lines(switch (notes.state()) {
                case NotesState.Loaded(var _, var _, String problem, var _) -> problem;
                case NotesState.Unreadable(var _, String problem) -> problem;
                case NotesState.Conflict _ -> "The notes were changed by another program: say in the Notes view"
                        + " which are right.";
                case NotesState.None _ -> "No session is open.";
            }));
        }
        return null;
    }
}
