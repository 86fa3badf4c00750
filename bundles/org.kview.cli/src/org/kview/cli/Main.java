// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;

import org.kview.cli.console.Console;

/** Runs one command and ends with its exit code. */
public final class Main {

    private Main() {
    }

    public static void main(String[] arguments) {
        System.exit(new KviewCommand(Console.ofProcess(), Main::version).run(List.of(arguments)));
    }

    /** That of the bundle which holds this class. */
    static String version() {
        try (var jar = new JarFile(Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toFile())) {
            return jar.getManifest().getMainAttributes().getValue("Bundle-Version");
        } catch (IOException | URISyntaxException e) {
            return "(not packed)"; // run from a folder of classes
        }
    }
}
