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
        String version = FrameworkUtil.getBundle(getClass()).getVersion().toString();
        return new KviewCommand(Console.ofProcess(), version).run(arguments(context));
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
