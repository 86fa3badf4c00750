// SPDX-License-Identifier: EPL-2.0
package org.kview.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

/** Classes that are named in text, where no compiler looks. */
class PluginClassesTest {
    private static final Pattern CLASS = Pattern.compile("(?<![\\w.])org\\.kview(?:\\.[a-z]\\w*)+\\.[A-Z]\\w*");

    @Test
    void extensionsNameClassesThatAreThere() throws IOException {
        var classes = Bundles.classes();
        Set<String> named = new TreeSet<>();
        try (var files = Files.find(Path.of(System.getProperty("kview.bundles")), 2,
                (file, attributes) -> file.endsWith("plugin.xml"))) {
            for (Path file : files.toList()) {
                CLASS.matcher(Files.readString(file)).results().forEach(result -> named.add(result.group()));
            }
        }
        assertThat(named).hasSizeGreaterThan(20).allMatch(classes::contain);
    }
}
