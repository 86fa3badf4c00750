// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.util.List;
import java.util.Optional;

import org.eclipse.swt.graphics.Point;
import org.eclipse.ui.IPerspectiveDescriptor;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PerspectiveAdapter;
import org.eclipse.ui.application.ActionBarAdvisor;
import org.eclipse.ui.application.IActionBarConfigurer;
import org.eclipse.ui.application.IWorkbenchWindowConfigurer;
import org.eclipse.ui.application.WorkbenchWindowAdvisor;
import org.kview.model.SafeText;
import org.kview.ui.notes.NotesService;
import org.kview.ui.session.FunctionsInSight;
import org.kview.ui.session.LeaveInOrder;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.session.TraceViews;
import org.kview.ui.session.memory.SessionMemory;
import org.kview.ui.sessions.SessionDrop;
import org.kview.ui.tracecompass.EventTableMenu;
import org.kview.ui.tracecompass.HistogramRoom;
import org.kview.ui.tracecompass.TimeGraphTheme;

/** The window: its bars, its title and the line at its bottom that says what is open. */
final class KviewWindowAdvisor extends WorkbenchWindowAdvisor implements SessionListener {
    private static final Point INITIAL_SIZE = new Point(1500, 950);

    /** What the platform adds for editing files, which nobody does here. */
    private static final List<String> EDITING_ACTION_SETS = List.of(
            "org.eclipse.ui.edit.text.actionSet.annotationNavigation", "org.eclipse.ui.edit.text.actionSet.navigation",
            "org.eclipse.ui.edit.text.actionSet.convertLineDelimitersTo",
            "org.eclipse.ui.edit.text.actionSet.openExternalFile", "org.eclipse.ui.NavigateActionSet",
            "org.eclipse.ui.actionSet.openFiles", "org.eclipse.ui.actionSet.keyBindings",
            "org.eclipse.ui.WorkingSetActionSet");

    private SessionStatusItem status;

    KviewWindowAdvisor(IWorkbenchWindowConfigurer configurer) {
        super(configurer);
    }

    @Override
    public ActionBarAdvisor createActionBarAdvisor(IActionBarConfigurer configurer) {
        status = new SessionStatusItem();
        return new KviewActionBarAdvisor(configurer, status);
    }

    @Override
    public void preWindowOpen() {
        IWorkbenchWindowConfigurer window = getWindowConfigurer();
        window.setInitialSize(INITIAL_SIZE);
        window.setShowMenuBar(true);
        window.setShowCoolBar(true);
        window.setShowPerspectiveBar(false);
        window.setShowStatusLine(true);
        window.setShowProgressIndicator(true);
        window.setTitle(WindowText.PRODUCT);
        RestoredEditors.forget(window.getWindow());
    }

    @Override
    public void postWindowOpen() {
        // This comes first: it may keep the workbench open, and the others release what an open workbench needs.
        LeaveInOrder.install(getWindowConfigurer().getWindow());
        SessionService service = SessionService.get();
        service.add(this);
        sessionChanged(service.state());
        NotesService.get();
        FunctionsInSight.start(getWindowConfigurer().getWindow());
        SessionMemory.start(getWindowConfigurer().getWindow());
        SessionDrop.install(getWindowConfigurer().getWindow().getShell());
        EventTableMenu.install(getWindowConfigurer().getWindow().getShell().getDisplay());
        TimeGraphTheme.install(getWindowConfigurer().getWindow().getShell().getDisplay());
        HistogramRoom.install(getWindowConfigurer().getWindow());
        getWindowConfigurer().getWindow().addPerspectiveListener(new PerspectiveAdapter() {
            @Override
            public void perspectiveActivated(IWorkbenchPage page, IPerspectiveDescriptor perspective) {
                hideEditing(page);
            }

            @Override
            public void perspectiveChanged(IWorkbenchPage page, IPerspectiveDescriptor perspective, String change) {
                if (change.equals(IWorkbenchPage.CHANGE_RESET_COMPLETE)) {
                    hideEditing(page);
                }
            }
        });
        Optional.ofNullable(getWindowConfigurer().getWindow().getActivePage()).ifPresent(KviewWindowAdvisor::hideEditing);
        // The views of a trace that was open the last time.
        TraceViews.hide();
    }

    private static void hideEditing(IWorkbenchPage page) {
        EDITING_ACTION_SETS.forEach(page::hideActionSet);
    }

    @Override
    public void sessionChanged(SessionState state) {
        if (getWindowConfigurer().getWindow().getShell() != null) {
            getWindowConfigurer().setTitle(SafeText.line(WindowText.title(state)));
            status.show(WindowText.status(state));
        }
    }

    @Override
    public void dispose() {
        SessionService.get().remove(this);
    }
}
