// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import java.util.Set;

import org.eclipse.core.runtime.ILog;
import org.eclipse.ui.IMemento;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IViewReference;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.kview.ui.KviewUi;

/** Which views were in sight, and what they remember. */
final class OpenViews {
    /** Those from which one opens sessions stay as they are; the histogram and the calls come and go with a trace. */
    private static final Set<String> APART = Set.of(KviewUi.VIEW_SESSIONS, "org.kview.ui.view.targets",
            KviewUi.VIEW_TRACE_HISTOGRAM, KviewUi.VIEW_CALLS);
    private static final String VIEW = "view";
    private static final String SECONDARY = "secondary";
    private static final String VISIBLE = "visible";

    private OpenViews() {
    }

    static void save(IWorkbenchPage page, IMemento memento) {
        for (IViewReference reference : page.getViewReferences()) {
            IViewPart view = reference.getView(false);
            if (view == null || APART.contains(reference.getId())) {
                continue;
            }
            IMemento child = memento.createChild(VIEW, reference.getId());
            if (reference.getSecondaryId() != null) {
                child.putString(SECONDARY, reference.getSecondaryId());
            }
            child.putBoolean(VISIBLE, page.isPartVisible(view));
            if (view instanceof RemembersSession remembers) {
                remembers.saveSession(child);
            }
        }
    }

    /** Shows the views again that were in sight. Other views stay in sight unless they are in the way. */
    static void restore(IWorkbenchPage page, IMemento memento) {
        for (IMemento child : memento.getChildren(VIEW)) {
            String id = child.getID();
            String secondary = child.getString(SECONDARY);
            try {
                if (Boolean.TRUE.equals(child.getBoolean(VISIBLE)) && !APART.contains(id)) {
                    page.showView(id, secondary, IWorkbenchPage.VIEW_VISIBLE);
                }
            } catch (PartInitException e) {
                // A view of a later version, or of an extension that is gone.
                ILog.of(OpenViews.class).info("The view " + id + " does not open: " + e.getMessage());
            }
            IViewReference reference = page.findViewReference(id, secondary);
            if (reference != null && reference.getView(false) instanceof RemembersSession remembers) {
                remembers.restoreSession(child);
            }
        }
    }
}
