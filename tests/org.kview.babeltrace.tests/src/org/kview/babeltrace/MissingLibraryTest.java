// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

/** In a JVM of its own, as a library is looked for once. */
class MissingLibraryTest {
    /** What the other JVM runs. */
    static final class Loading {
        private Loading() {
        }

        public static void main(String[] arguments) {
            try {
                System.out.println("version " + Babeltrace.load().version());
            } catch (BabeltraceException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static String classPath(Class<?> type) throws Exception {
        Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path classes = place.resolve("target/classes");
        return (Files.isDirectory(classes) ? classes : place).toString();
    }

    private static String load(String library) throws Exception {
        Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-D" + Babeltrace.LIBRARY_PROPERTY + "=" + library,
                "-cp", classPath(Babeltrace.class) + ":" + System.getProperty("kview.test-classes"), Loading.class.getName())
                .redirectErrorStream(true).start();
        return new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    @Test
    void aLibraryThatIsMissingIsOneSentence() throws Exception {
        assertThat(load("/nowhere/libbabeltrace2.so.0")).isEqualTo("libbabeltrace2, the library that reads traces, is not"
                + " installed; install it, on Debian by 'apt-get install libbabeltrace2-0'");
    }

    @Test
    void anotherLibraryIsRefusedByWhatItLacks() throws Exception {
        assertThat(load("libz.so.1")).isEqualTo("The libbabeltrace2 that is installed can't be used"
                + " here: it has no bt_version_get_major; install version 2.0 or a later one of version 2");
    }

    @Test
    void thePropertyNamesAFile() throws Exception {
        assertThat(load("libbabeltrace2.so.0")).startsWith("version 2.");
    }
}
