// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The version of this program. */
public final class ProgramVersion {
    private static final String VERSION = read();

    private ProgramVersion() {
    }

    /** Empty if it is not known. */
    public static String get() {
        return VERSION;
    }

    /**
     * The version of the bundle that holds this class, a jar or a folder: commands run without a framework that could be
     * asked.
     */
    private static String read() {
        try {
            Path bundle = Path.of(ProgramVersion.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            String version;
            if (Files.isDirectory(bundle)) {
                try (InputStream in = Files.newInputStream(bundle.resolve(JarFile.MANIFEST_NAME))) {
                    version = new Manifest(in).getMainAttributes().getValue("Bundle-Version");
                }
            } else {
                try (JarFile jar = new JarFile(bundle.toFile())) {
                    version = jar.getManifest().getMainAttributes().getValue("Bundle-Version");
                }
            }
            return version == null ? "" : version;
        } catch (IOException | URISyntaxException | RuntimeException e) {
            return ""; // It runs from an unforeseen place. A recording must not fail for that.
        }
    }
}
