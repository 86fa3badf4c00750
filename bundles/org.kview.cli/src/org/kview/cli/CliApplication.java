// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.util.Arrays;
import java.util.List;

import org.eclipse.equinox.app.IApplication;
import org.eclipse.equinox.app.IApplicationContext;
import org.osgi.framework.FrameworkUtil;

/** Runs one command and hands its exit code to the launcher. */
public final class CliApplication implements IApplication {

    @Override
    public Object start(IApplicationContext context) {
        List<String> arguments = arguments(context);
        if (arguments.equals(List.of("--version"))) {
            System.out.println("Kview Workbench " + FrameworkUtil.getBundle(getClass()).getVersion());
            return 0;
        }
        System.err.println("kview: no such command: " + String.join(" ", arguments));
        return 2;
    }

    /** The launcher marks each argument with a leading '=', so that Equinox takes none for its own. */
    private static List<String> arguments(IApplicationContext context) {
        var raw = (String[]) context.getArguments().get(IApplicationContext.APPLICATION_ARGS);
        return Arrays.stream(raw).map(argument -> argument.startsWith("=") ? argument.substring(1) : argument).toList();
    }

    @Override
    public void stop() {
        // Nothing outlives start().
    }
}
