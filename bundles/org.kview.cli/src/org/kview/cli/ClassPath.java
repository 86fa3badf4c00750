// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Prepares the class path of the commands. Java does not store classes of signed jars in a start-up archive. Checking
 * the signatures of jars that come with the product protects nothing, so these jars are copied without their
 * signatures. For BouncyCastle, most of an SSH connection's classes, this halves the time of a command.
 */
final class ClassPath {

    private ClassPath() {
    }

    /** @param arguments the folder for the copies, in which {@code class-path} tells the new class path */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        List<String> jars = new ArrayList<>();
        for (String jar : System.getProperty("java.class.path").split(File.pathSeparator)) {
            jars.add(unsigned(Path.of(jar), folder).toString());
        }
        Files.writeString(folder.resolve("class-path"), String.join(File.pathSeparator, jars));
    }

    private static Path unsigned(Path jar, Path folder) throws IOException {
        try (var zip = new ZipFile(jar.toFile())) {
            if (zip.stream().noneMatch(ClassPath::isSignature)) {
                return jar;
            }
            Path copy = folder.resolve(jar.getFileName());
            try (var out = new ZipOutputStream(Files.newOutputStream(copy))) {
                out.setLevel(0); // Not compressed, because they are read much more often than they are written.
                for (ZipEntry entry : zip.stream().filter(e -> !isSignature(e)).toList()) {
                    out.putNextEntry(new ZipEntry(entry.getName()));
                    try (InputStream in = zip.getInputStream(entry)) {
                        in.transferTo(out);
                    }
                }
            }
            return copy;
        }
    }

    private static boolean isSignature(ZipEntry entry) {
        return entry.getName().toUpperCase(Locale.ROOT).matches("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");
    }
}
