// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.calls.CallsService;

/** Makes the services of this bundle, once a workbench. */
public final class SessionServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        if (service == SessionService.class) {
            return SessionService.on(PlatformUI.getWorkbench().getDisplay());
        }
        if (service == SessionController.class) {
            return new SessionController(locator.getService(SessionService.class), locator.getService(CallsService.class),
                    PlatformUI.getWorkbench().getDisplay());
        }
        return null;
    }
}
