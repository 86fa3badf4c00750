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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** The bundles as they were just built: their manifests and their classes. */
final class Bundles {
    private static final Path FOLDER = Path.of(System.getProperty("kview.bundles"));
    private static final Pattern FRIENDS = Pattern.compile("x-friends:=\"([^\"]*)\"");

    private Bundles() {
    }

    /** Read once for all tests, as that takes longer than what they ask of them. */
    private static final class Read {
        private static final JavaClasses CLASSES = new ClassFileImporter().importPaths(
                folders().stream().map(folder -> folder.resolve("target/classes")).filter(Files::isDirectory).toList());
    }

    static JavaClasses classes() {
        return Read.CLASSES;
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

    /** Every bundle's name, with the packages that it imports. */
    static Map<String, Set<String>> imports() {
        return folders().stream().collect(Collectors.toMap(folder -> folder.getFileName().toString(),
                folder -> clauses(folder, "Import-Package").keySet(), (one, other) -> one, TreeMap::new));
    }

    /** The bundle whose classes these are; empty unless it is ours. */
    static String of(JavaClass type) {
        return type.getSource().map(source -> source.getUri().toString().replaceFirst("/target/classes/.*", "").replaceFirst(".*/", ""))
                .filter(name -> name.startsWith("org.kview.")).orElse("");
    }

    /** All the Java source of a bundle, or of one of tests. */
    static String source(String bundle) {
        Path folder = FOLDER.resolve(bundle);
        try (var files = Files.walk((Files.exists(folder) ? folder : FOLDER.resolveSibling("tests").resolve(bundle)).resolve("src"))) {
            var text = new StringBuilder();
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the sources of " + bundle, e);
        }
    }

    private static Set<String> required(Path folder) {
        return clauses(folder, "Require-Bundle").keySet();
    }

    /**
     * Who may use a package.
     *
     * @param friends  if there are any, nobody else
     * @param internal nobody
     */
    record Export(Set<String> friends, boolean internal) {
        boolean admits(String bundle) {
            return isOpen() || friends.contains(bundle);
        }

        boolean isOpen() {
            return friends.isEmpty() && !internal;
        }
    }

    /** Every package that a bundle exports. */
    static Map<String, Export> exports() {
        Map<String, Export> exports = new TreeMap<>();
        folders().forEach(folder -> clauses(folder, "Export-Package").forEach((name, rest) -> exports.put(name, new Export(
                FRIENDS.matcher(rest).results().flatMap(list -> Arrays.stream(list.group(1).split(",")))
                        .map(String::strip).collect(Collectors.toSet()),
                rest.contains("x-internal:=true")))));
        return exports;
    }

    /** The names that a header lists, each with what follows it. */
    private static Map<String, String> clauses(Path folder, String name) {
        try (var in = Files.newInputStream(folder.resolve("META-INF/MANIFEST.MF"))) {
            var header = Optional.ofNullable(new Manifest(in).getMainAttributes().getValue(name)).orElse("");
            // A comma inside quotes belongs to a version range or a list of friends.
            return Arrays.stream(header.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)"))
                    .map(String::strip).filter(clause -> !clause.isEmpty())
                    .collect(Collectors.toMap(clause -> clause.split(";")[0].strip(), clause -> clause));
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the manifest of " + folder, e);
        }
    }
}
