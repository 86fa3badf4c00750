// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;

/** Makes the service of compared ways, once a workbench. */
public final class WaysServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        return service == WaysService.class ? new WaysService() : null;
    }
}
