// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Commands run on a plain class path, which the launcher makes of the bundles in a list. What they need
 * is known where they are resolved as bundles, as here.
 */
class CommandBundlesTest {
    /** Imported by HdrHistogram's log writer, which takes java.util.Base64 where there is one. */
    private static final Set<String> NEVER_CALLED = Set.of("jakarta.xml.bind-api", "jakarta.activation-api");

    private static List<String> listed() throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("kview.command-bundles")));
    }

    /** The bundles that a bundle is wired to, in whatever way, and theirs. */
    private static Set<String> closure(Predicate<BundleRequirement> followed) {
        Set<String> found = new TreeSet<>();
        collect(FrameworkUtil.getBundle(Main.class), followed, found);
        found.removeAll(NEVER_CALLED);
        return found;
    }

    private static void collect(Bundle bundle, Predicate<BundleRequirement> followed, Set<String> found) {
        if (bundle.getBundleId() == Constants.SYSTEM_BUNDLE_ID || !found.add(bundle.getSymbolicName())) {
            return;
        }
        for (BundleWire wire : bundle.adapt(BundleWiring.class).getRequiredWires(null)) {
            BundleRequirement requirement = wire.getRequirement();
            boolean classes = Set.of(BundleRevision.PACKAGE_NAMESPACE, BundleRevision.BUNDLE_NAMESPACE)
                    .contains(requirement.getNamespace());
            // These tests are a fragment, whose requirements are wired as its host's.
            if (classes && requirement.getRevision().getBundle() == bundle && followed.test(requirement)) {
                collect(wire.getProvider().getBundle(), followed, found);
            }
        }
    }

    private static boolean isMandatory(BundleRequirement requirement) {
        return Constants.RESOLUTION_MANDATORY.equals(requirement.getDirectives()
                .getOrDefault(Constants.RESOLUTION_DIRECTIVE, Constants.RESOLUTION_MANDATORY));
    }

    @Test
    void theListHasWhatTheCommandsRequire() throws IOException {
        assertThat(listed()).doesNotHaveDuplicates().containsAll(closure(CommandBundlesTest::isMandatory));
    }

    @Test
    void theListHasNothingThatTheyDontUse() throws IOException {
        assertThat(closure(_ -> true)).containsAll(listed());
    }
}
