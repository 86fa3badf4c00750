// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets;

import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.services.AbstractServiceFactory;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.ssh.SecretStore;

/** Makes the targets' service, once a workbench. */
public final class TargetServiceFactory extends AbstractServiceFactory {
    // The framework's method is from before generics.
    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public Object create(Class service, IServiceLocator parent, IServiceLocator locator) {
        if (parent.getService(service) != null) {
            return parent.getService(service);
        }
        if (service != TargetService.class) {
            return null;
        }
        TargetService targets = new TargetService(PlatformUI.getWorkbench().getDisplay(), AddedHosts.ofWorkspace(),
                SecretStore.ofUser());
        targets.reload();
        return targets;
    }
}
