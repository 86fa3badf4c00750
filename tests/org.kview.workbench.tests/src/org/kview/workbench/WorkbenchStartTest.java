// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

class WorkbenchStartTest {
    @Test
    void opensInTheLatencyPerspective() {
        var perspective = new java.util.concurrent.atomic.AtomicReference<String>();
        Display.getDefault().syncExec(() -> perspective.set(
                PlatformUI.getWorkbench().getActiveWorkbenchWindow().getActivePage().getPerspective().getId()));
        assertThat(perspective).hasValue("org.kview.ui.perspective.latency");
    }

    @Test
    void everyBundleResolves() {
        assertThat(FrameworkUtil.getBundle(PlatformUI.class).getBundleContext().getBundles())
                .filteredOn(bundle -> bundle.getState() == Bundle.INSTALLED)
                .isEmpty();
    }
}
