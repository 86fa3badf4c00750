// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import org.eclipse.osgi.service.datalocation.Location;

/**
 * Where the workbench keeps its own state: {@code ${XDG_DATA_HOME:-~/.local/share}/kview-workbench/workspace}.
 * A second workbench takes {@code workspace-2}, and so on: two can't share one, and one may well want
 * two sessions side by side.
 */
final class Workspace {
    private static final int AT_MOST = 16;

    private Workspace() {
    }

    /**
     * Locks a workspace: the one that was named on the command line, else the user's first free one.
     *
     * @throws IOException with one sentence for the user
     */
    static void take(Location location) throws IOException {
        if (location.isSet()) {
            if (!lock(location)) {
                throw new IOException("The workspace " + Path.of(location.getURL().getPath())
                        + " is in use by another workbench. Close that one, or name another with KVIEW_WORKSPACE.");
            }
            return;
        }
        Path base = base(System.getenv(), System.getProperty("user.home"));
        for (int i = 1; i <= AT_MOST; i++) {
            Path folder = i == 1 ? base : base.resolveSibling(base.getFileName() + "-" + i);
            if (set(location, folder)) {
                return;
            }
        }
        throw new IOException("All " + AT_MOST + " workspaces below " + base.getParent()
                + " are in use. Close a workbench, or name a workspace with KVIEW_WORKSPACE.");
    }

    static Path base(Map<String, String> environment, String home) {
        String data = environment.getOrDefault("XDG_DATA_HOME", "");
        Path folder = data.startsWith("/") ? Path.of(data) : Path.of(home, ".local", "share");
        return folder.resolve("kview-workbench").resolve("workspace");
    }

    private static boolean lock(Location location) throws IOException {
        try {
            return location.lock();
        } catch (IOException e) {
            throw notWritable(Path.of(location.getURL().getPath()), e);
        }
    }

    private static boolean set(Location location, Path folder) throws IOException {
        try {
            return location.set(folder.toUri().toURL(), true);
        } catch (IOException e) {
            throw notWritable(folder, e);
        }
    }

    private static IOException notWritable(Path folder, IOException cause) {
        return new IOException("The workspace " + folder + " can't be written (" + cause.getMessage()
                + "). Make it writable, or name another with KVIEW_WORKSPACE.", cause);
    }
}
