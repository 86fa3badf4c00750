// SPDX-License-Identifier: EPL-2.0
package org.kview.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** The bundles as they were just built: their manifests and their classes. */
final class Bundles {
    private static final Path FOLDER = Path.of(System.getProperty("kview.bundles"));

    private Bundles() {
    }

    static JavaClasses classes() {
        var folders = folders().stream().map(folder -> folder.resolve("target/classes")).filter(Files::isDirectory).toList();
        return new ClassFileImporter().importPaths(folders);
    }

    /** Every bundle's name, with the names of all bundles that it requires. */
    static Map<String, Set<String>> requirements() {
        return folders().stream().collect(Collectors.toMap(
                folder -> folder.getFileName().toString(), Bundles::required, (one, other) -> one, TreeMap::new));
    }

    private static List<Path> folders() {
        try (var list = Files.list(FOLDER)) {
            return list.filter(folder -> Files.exists(folder.resolve("META-INF/MANIFEST.MF"))).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("can't list the bundles in " + FOLDER, e);
        }
    }

    private static Set<String> required(Path folder) {
        try (var in = Files.newInputStream(folder.resolve("META-INF/MANIFEST.MF"))) {
            var header = Optional.ofNullable(new Manifest(in).getMainAttributes().getValue("Require-Bundle")).orElse("");
            // A comma inside quotes belongs to a version range.
            return Arrays.stream(header.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)"))
                    .map(clause -> clause.split(";")[0].strip())
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the manifest of " + folder, e);
        }
    }
}
