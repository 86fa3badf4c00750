// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.nio.file.Path;

import org.eclipse.core.runtime.Platform;
import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.KviewUi;
import org.osgi.framework.FrameworkUtil;

/** Makes the service of compared ways, once a workbench. */
public final class WaysServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        return service == WaysService.class ? new WaysService(
                Path.of(Platform.getStateLocation(FrameworkUtil.getBundle(KviewUi.class)).toOSString(), "ways.json")) : null;
    }
}
