// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.selection;

import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;

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
        selection.add(new TraceSelection(selection));
        locator.getService(CallsService.class).add(state -> {
            if (state instanceof CallsState.None) {
                selection.clear();
            }
        });
        return selection;
    }
}
