// SPDX-License-Identifier: EPL-2.0
package org.kview.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the manifests let each bundle see. */
class BundleDependencyTest {
    /** The bundles of ours that each may require: values, then sessions and targets, then analyses, then the user interface. */
    private static final Map<String, Set<String>> ALLOWED = Map.ofEntries(
            Map.entry("org.kview.model", Set.of()),
            Map.entry("org.kview.wire", Set.of("org.kview.model")),
            Map.entry("org.kview.chart", Set.of("org.kview.model")),
            Map.entry("org.kview.ctf", Set.of("org.kview.model")),
            Map.entry("org.kview.calls", Set.of("org.kview.model", "org.kview.ctf")),
            Map.entry("org.kview.babeltrace", Set.of()),
            Map.entry("org.kview.session", Set.of("org.kview.model", "org.kview.chart", "org.kview.ctf", "org.kview.calls")),
            Map.entry("org.kview.statistics", Set.of("org.kview.model")),
            Map.entry("org.kview.compare", Set.of("org.kview.model", "org.kview.chart", "org.kview.session", "org.kview.statistics")),
            Map.entry("org.kview.targets", Set.of("org.kview.model", "org.kview.wire")),
            Map.entry("org.kview.ssh", Set.of("org.kview.model", "org.kview.targets")),
            Map.entry("org.kview.recording", Set.of("org.kview.model", "org.kview.babeltrace", "org.kview.ctf", "org.kview.session", "org.kview.statistics", "org.kview.targets")),
            Map.entry("org.kview.cli", Set.of("org.kview.model", "org.kview.calls", "org.kview.chart", "org.kview.session", "org.kview.compare", "org.kview.targets", "org.kview.ssh", "org.kview.recording")),
            Map.entry("org.kview.trace", Set.of("org.kview.model", "org.kview.babeltrace", "org.kview.ctf")),
            Map.entry("org.kview.ui", Set.of("org.kview.model", "org.kview.chart", "org.kview.calls", "org.kview.session", "org.kview.statistics", "org.kview.compare", "org.kview.targets", "org.kview.ssh", "org.kview.recording", "org.kview.trace")),
            Map.entry("org.kview.workbench", Set.of("org.kview.model", "org.kview.session", "org.kview.targets", "org.kview.recording", "org.kview.ui", "org.kview.cli")));

    private static final Set<String> PLAIN = Set.of("org.kview.model", "org.kview.wire", "org.kview.chart", "org.kview.ctf", "org.kview.calls", "org.kview.babeltrace", "org.kview.session", "org.kview.statistics", "org.kview.compare", "org.kview.targets", "org.kview.recording");

    @Test
    void everyBundleHasItsPlace() {
        assertThat(ALLOWED).containsOnlyKeys(Bundles.requirements().keySet());
    }

    @TestFactory
    Iterable<DynamicTest> requiresOnlyWhatIsBelow() {
        return forEachBundle((bundle, required) -> assertThat(own(required)).isSubsetOf(ALLOWED.getOrDefault(bundle, Set.of())));
    }

    @TestFactory
    Iterable<DynamicTest> plainBundlesRequireNoOthers() {
        return forEachBundle((bundle, required) -> {
            if (PLAIN.contains(bundle)) {
                assertThat(required).allMatch(name -> name.startsWith("org.kview."));
            }
        });
    }

    /** Of ours; the command line's own tests look at those of others as well, which are only resolved there. */
    @Test
    void theCommandsClassPathHasWhatTheyRequireAndNoMore() throws IOException {
        Set<String> needed = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of("org.kview.cli"));
        while (!open.isEmpty()) {
            if (needed.add(open.getFirst())) {
                open.addAll(own(Bundles.requirements().get(open.getFirst())));
            }
            open.removeFirst();
        }
        assertThat(own(Set.copyOf(Files.readAllLines(Path.of(System.getProperty("kview.command-bundles"))))))
                .containsExactlyInAnyOrderElementsOf(needed);
    }

    private static Iterable<DynamicTest> forEachBundle(Check check) {
        return Bundles.requirements().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> check.check(entry.getKey(), entry.getValue())))
                .toList();
    }

    private static Set<String> own(Set<String> required) {
        return required.stream().filter(name -> name.startsWith("org.kview.")).collect(Collectors.toSet());
    }

    private interface Check {
        void check(String bundle, Set<String> required);
    }
}
