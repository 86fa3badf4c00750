// SPDX-License-Identifier: EPL-2.0
package org.kview.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the manifests ask of bundles that are not ours is what the classes use; that they ask for enough, the compiler checks. */
class ForeignPackagesTest {
    /** A bundle's packages begin with its name, but for these. */
    private static final Map<String, String> PACKAGES = Map.of("org.apache.sshd.osgi", "org.apache.sshd",
            "org.eclipse.e4.ui.model.workbench", "org.eclipse.e4.ui.model");

    /** No class of ours names them: the SSH library finds by itself that they are there, for kinds of keys that Java lacks. */
    private static final Set<String> FOUND_AT_RUN_TIME = Set.of("bcprov", "bcpkix");

    /** By the bundle of ours, the packages that its classes use. */
    private static Map<String, Set<String>> used;

    @BeforeAll
    static void readClasses() {
        used = Bundles.classes().stream().collect(Collectors.groupingBy(Bundles::of, TreeMap::new, Collectors.flatMapping(
                user -> user.getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType().getPackageName()),
                Collectors.toSet())));
    }

    /** A reader that finds nothing would let every other test pass. */
    @Test
    void thereAreUses() {
        assertThat(used.get("org.kview.ui")).contains("org.eclipse.swt.widgets", "org.eclipse.tracecompass.tmf.core.signal");
        assertThat(Bundles.imports().get("org.kview.session")).contains("org.HdrHistogram");
    }

    @Test
    void bundlesThatAreRequiredAreUsed() {
        Set<String> unused = new TreeSet<>();
        Bundles.requirements().forEach((bundle, required) -> required.stream()
                .filter(other -> !other.startsWith("org.kview.") && !FOUND_AT_RUN_TIME.contains(other))
                .filter(other -> used.get(bundle).stream()
                        .noneMatch(name -> (name + ".").startsWith(PACKAGES.getOrDefault(other, other) + ".")))
                .forEach(other -> unused.add(bundle + " requires " + other)));
        assertThat(unused).isEmpty();
    }

    @Test
    void packagesThatAreImportedAreUsed() {
        Set<String> unused = new TreeSet<>();
        Bundles.imports().forEach((bundle, imported) -> imported.stream()
                .filter(name -> !used.get(bundle).contains(name))
                .forEach(name -> unused.add(bundle + " imports " + name)));
        assertThat(unused).isEmpty();
    }
}
