// SPDX-License-Identifier: EPL-2.0
package org.kview.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;


/** Which packages are API and which are internal: the manifests say it, and the classes keep to it. The build only warns. */
class ExportedPackagesTest {
    /** A package that a bundle's classes use, of another bundle. */
    private record Use(String bundle, String other) {
    }

    private static Map<String, Bundles.Export> exports;
    private static Set<Use> uses;

    @BeforeAll
    static void readBundles() {
        exports = Bundles.exports();
        uses = Bundles.classes().stream()
                .flatMap(user -> user.getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                        .filter(used -> !Bundles.of(used).isEmpty() && !Bundles.of(used).equals(Bundles.of(user)))
                        .map(used -> new Use(Bundles.of(user), used.getPackageName())))
                .collect(Collectors.toSet());
    }

    /** A reader that finds nothing would let every other test pass. */
    @Test
    void thereAreUses() {
        assertThat(uses).contains(new Use("org.kview.ssh", "org.kview.targets"), new Use("org.kview.targets", "org.kview.wire"));
    }

    @Test
    void whatIsUsedIsExportedToWhoUsesIt() {
        assertThat(uses).allSatisfy(use -> {
            assertThat(exports).containsKey(use.other());
            assertThat(exports.get(use.other()).admits(use.bundle())).as(use.bundle() + " may use " + use.other()).isTrue();
        });
    }

    @Test
    void whatIsExportedToAllIsUsed() {
        Set<String> open = new TreeSet<>(exports.keySet());
        open.removeIf(name -> !exports.get(name).isOpen());
        uses.forEach(use -> open.remove(use.other()));
        assertThat(open).as("packages that no other bundle uses").isEmpty();
    }

    /** By their sources: constants leave no trace in classes. */
    @Test
    void friendsUseWhatIsExportedToThem() {
        Set<String> unused = new TreeSet<>();
        exports.forEach((name, export) -> export.friends().stream()
                .filter(friend -> !Bundles.source(friend).matches("(?s).*\\bimport (static )?" + name + "\\.[A-Z].*"))
                .forEach(friend -> unused.add(friend + " does not use " + name)));
        assertThat(unused).isEmpty();
    }

    /** Of ours; for others see {@link ForeignPackagesTest}. */
    @Test
    void whatABundleRequiresItUses() {
        Set<String> unused = new TreeSet<>();
        Bundles.requirements().forEach((bundle, required) -> required.stream()
                .filter(other -> other.startsWith("org.kview."))
                .filter(other -> uses.stream().noneMatch(use -> use.bundle().equals(bundle)
                        && (use.other() + ".").startsWith(other + ".")))
                .forEach(other -> unused.add(bundle + " requires " + other)));
        assertThat(unused).isEmpty();
    }
}
