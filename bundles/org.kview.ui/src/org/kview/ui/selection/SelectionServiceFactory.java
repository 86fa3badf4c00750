// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.selection;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchListener;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** Makes the workbench's {@link SelectionService}, which follows Trace Compass and the open session. */
public final class SelectionServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        if (service != SelectionService.class) {
            return null;
        }
        SelectionService selection = new SelectionService();
        TraceSelection traces = new TraceSelection(selection);
        selection.add(traces);
        PlatformUI.getWorkbench().addWorkbenchListener(new IWorkbenchListener() {
            @Override
            public boolean preShutdown(IWorkbench workbench, boolean forced) {
                return true;
            }

            @Override
            public void postShutdown(IWorkbench workbench) {
                traces.stop();
            }
        });
        locator.getService(SessionService.class).add(new Forgetter(selection));
        return selection;
    }

    /** With another session, or none, nothing is selected. Not before: what was selected is kept with the session that is left. */
    private static final class Forgetter implements SessionListener {
        private final SelectionService selection;
        private Optional<Path> session = Optional.empty();

        Forgetter(SelectionService selection) {
            this.selection = selection;
        }

        @Override
        public void sessionChanged(SessionState state) {
            Optional<Path> next = switch (state) {
                case SessionState.Recording recording -> Optional.of(recording.session());
                case SessionState.Opened opened -> Optional.of(opened.session());
                // It may come back to the same one.
                case SessionState.Busy _ -> session;
                case SessionState.None _, SessionState.Failed _ -> Optional.empty();
            };
            if (!next.equals(session)) {
                session = next;
                selection.clear();
            }
        }
    }
}
