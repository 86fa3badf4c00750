// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import org.eclipse.swt.SWT;
import org.eclipse.swt.SWTException;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.session.store.CallStores;

/** Makes the workbench's {@link CallsService}. */
public final class CallsServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        return service == CallsService.class
                ? new CallsService(CallStores.ofUser(), later(PlatformUI.getWorkbench().getDisplay())) : null;
    }

    private static CallsService.UiThread later(Display display) {
        return work -> {
            try {
                display.asyncExec(work);
            } catch (SWTException e) {
                // The window is closed, and nobody looks.
                if (e.code != SWT.ERROR_DEVICE_DISPOSED) {
                    throw e;
                }
            }
        };
    }
}
