// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.session.store.CallStores;
import org.kview.ui.UiThread;

/** Makes the workbench's {@link CallsService}. */
public final class CallsServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        if (service != CallsService.class) {
            return null;
        }
        Display display = PlatformUI.getWorkbench().getDisplay();
        return new CallsService(CallStores.ofUser(), work -> UiThread.later(display, work));
    }
}
