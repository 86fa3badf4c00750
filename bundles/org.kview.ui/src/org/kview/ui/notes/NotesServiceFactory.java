// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchListener;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.session.SessionService;

/** Makes the service for notes, once a workbench. */
public final class NotesServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        IWorkbench workbench = PlatformUI.getWorkbench();
        NotesService notes = new NotesService(workbench.getDisplay());
        SessionService sessions = locator.getService(SessionService.class);
        sessions.add(notes);
        notes.sessionChanged(sessions.state());
        TraceBookmarks bookmarks = TraceBookmarks.start(notes);
        workbench.addWorkbenchListener(new IWorkbenchListener() {
            @Override
            public boolean preShutdown(IWorkbench ending, boolean forced) {
                notes.shutdown();
                bookmarks.stop();
                return true;
            }

            @Override
            public void postShutdown(IWorkbench ended) {
                // Everything is written.
            }
        });
        return notes;
    }
}
