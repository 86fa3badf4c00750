// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.io.IOException;
import java.nio.file.Path;

import org.eclipse.core.runtime.Platform;
import org.eclipse.equinox.app.IApplication;
import org.eclipse.equinox.app.IApplicationContext;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SafeText;
import org.kview.ui.UiThread;

/** Opens the workbench window and stays until it is closed. */
public final class WorkbenchApplication implements IApplication {
    private static final String LAUNCHER_PROPERTY = "kview.launcher";

    @Override
    public Object start(IApplicationContext context) {
        var display = PlatformUI.createDisplay();
        try {
            Workspace.take(Platform.getInstanceLocation());
            var arguments = Arguments.parse(Platform.getApplicationArgs());
            var advisor = new KviewWorkbenchAdvisor(arguments);
            String launcher = System.getProperty(LAUNCHER_PROPERTY, "");
            if (PlatformUI.createAndRunWorkbench(display, advisor) == PlatformUI.RETURN_RESTART && !launcher.isEmpty()) {
                Restart.start(Path.of(launcher), ProcessHandle.current().pid(), advisor.sessionAtEnd());
            }
            return EXIT_OK;
        } catch (IOException e) {
            MessageDialog.openError(null, "Kview Workbench", SafeText.lines(e.getMessage()));
            return EXIT_OK;
        } finally {
            display.dispose();
        }
    }

    @Override
    public void stop() {
        if (PlatformUI.isWorkbenchRunning()) {
            var workbench = PlatformUI.getWorkbench();
            UiThread.wait(workbench.getDisplay(), workbench::close);
        }
    }
}
