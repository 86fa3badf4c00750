// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.util.Optional;

import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.kview.model.Bookmark;
import org.kview.model.ProbedFunction;
import org.kview.ui.KviewUi;
import org.kview.ui.functions.FunctionsView;
import org.kview.ui.session.memory.TraceTime;

/** Makes bookmarks of what is selected, and selects what they are about. */
final class Bookmarks {
    private Bookmarks() {
    }

    /** A bookmark of the selected function and time, still without a text. */
    static Bookmark here(IWorkbenchPage page) {
        Optional<Bookmark.Function> function = page.getSelection(KviewUi.VIEW_FUNCTIONS)
                instanceof IStructuredSelection selection && selection.getFirstElement() instanceof ProbedFunction probed
                        ? Optional.of(Bookmark.Function.of(probed)) : Optional.empty();
        return new Bookmark("", function, TraceTime.selection());
    }

    /** Asks for the text; empty if the user cancels. */
    static Optional<Bookmark> ask(Shell shell, String title, Bookmark bookmark) {
        String about = String.join(", ", java.util.stream.Stream.of(BookmarkText.function(bookmark),
                BookmarkText.when(bookmark)).filter(s -> !s.isEmpty()).toList());
        InputDialog dialog = new InputDialog(shell, title, (about.isEmpty() ? "" : about + "\n\n") + "What is to be seen:",
                bookmark.text(), null);
        return dialog.open() == Window.OK
                ? Optional.of(new Bookmark(dialog.getValue().strip(), bookmark.function(), bookmark.range()))
                : Optional.empty();
    }

    static void goTo(IWorkbenchPage page, Bookmark bookmark) {
        bookmark.function().ifPresent(function -> {
            IViewPart view = page.findView(KviewUi.VIEW_FUNCTIONS);
            if (view instanceof FunctionsView functions) {
                functions.select(function);
            }
        });
        bookmark.range().filter(range -> TraceTime.selection().isPresent()).ifPresent(TraceTime::select);
    }
}
