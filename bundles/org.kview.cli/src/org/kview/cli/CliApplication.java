// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import org.eclipse.equinox.app.IApplication;
import org.eclipse.equinox.app.IApplicationContext;

/** Runs one command and hands its exit code to the launcher. */
public final class CliApplication implements IApplication {

    @Override
    public Object start(IApplicationContext context) {
        var arguments = (String[]) context.getArguments().get(IApplicationContext.APPLICATION_ARGS);
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            System.out.println("Kview Workbench " + context.getBrandingBundle().getVersion());
            return 0;
        }
        System.err.println("kview: no such command: " + String.join(" ", arguments));
        return 2;
    }

    @Override
    public void stop() {
        // Nothing outlives start().
    }
}
