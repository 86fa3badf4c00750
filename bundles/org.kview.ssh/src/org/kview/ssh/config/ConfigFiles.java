// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads configuration files, and finds those that an {@code Include} names. */
final class ConfigFiles {
    private static final long MAX_BYTES = 16 << 20;

    private ConfigFiles() {
    }

    /** @return the lines that are neither blank nor a comment; none if there is no such file */
    static List<ConfigLine> read(Path file, boolean guarded) throws SshConfigException {
        List<ConfigLine> lines = new ArrayList<>();
        try {
            if (!Files.isRegularFile(file)) {
                return List.of();
            }
            if (guarded) {
                refuseIfOthersCanWrite(file);
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new SshConfigException("The SSH configuration " + file + " is larger than 16 MiB; shorten it");
            }
            int number = 0;
            // Names of hosts and files may have any encoding: this one accepts every byte.
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                String decoded = new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
                ConfigLine.parse(file, ++number, decoded).ifPresent(lines::add);
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            throw new SshConfigException("The SSH configuration " + file + " can't be read (" + e.getMessage()
                    + "); correct its permissions");
        }
        return lines;
    }

    private static void refuseIfOthersCanWrite(Path file) throws IOException, SshConfigException {
        int mode = (Integer) Files.getAttribute(file, "unix:mode");
        int owner = (Integer) Files.getAttribute(file, "unix:uid");
        int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if ((mode & 022) != 0 || owner != 0 && owner != self) {
            throw new SshConfigException("The SSH configuration " + file
                    + " could have been written by other users; make it yours and writable by you alone (chmod 600)");
        }
    }

    /** The files that a pattern matches, sorted by name. */
    static List<Path> matching(Path pattern) throws SshConfigException {
        List<Path> found = List.of(pattern.getRoot() == null ? Path.of("") : pattern.getRoot());
        for (Path part : pattern) {
            List<Path> next = new ArrayList<>();
            for (Path folder : found) {
                if (part.toString().matches(".*[*?\\[].*")) {
                    next.addAll(list(folder, part.toString()));
                } else if (Files.exists(folder.resolve(part))) {
                    next.add(folder.resolve(part));
                }
            }
            found = next;
        }
        return found;
    }

    private static List<Path> list(Path folder, String pattern) throws SshConfigException {
        List<Path> found = new ArrayList<>();
        // Braces are ordinary characters here; in Java's patterns they enclose alternatives.
        String glob = pattern.replace("{", "\\{").replace("}", "\\}");
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
            entries.forEach(entry -> {
                if (pattern.startsWith(".") || !entry.getFileName().toString().startsWith(".")) {
                    found.add(entry);
                }
            });
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException | java.util.regex.PatternSyntaxException e) {
            throw new SshConfigException("An Include of the SSH configuration can't be followed in " + folder + ": "
                    + e.getMessage());
        }
        found.sort(null);
        return found;
    }
}
