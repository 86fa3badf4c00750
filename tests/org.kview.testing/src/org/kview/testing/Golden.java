// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares with a file kept beside the tests. After a change that is meant,
 * {@code KVIEW_GOLDEN_DIR=FOLDER}, the folder of those files, writes them anew: look at the difference
 * before it is committed.
 */
public final class Golden {
    private Golden() {
    }

    /** @param test whose package has the file, in its folder {@code data} */
    public static void assertSame(Class<?> test, String name, String actual) throws IOException {
        String folder = System.getenv("KVIEW_GOLDEN_DIR");
        if (folder != null) {
            Files.writeString(Path.of(folder, name), actual);
        }
        try (InputStream in = test.getResourceAsStream("data/" + name)) {
            assertThat(in).as("golden file " + name).isNotNull();
            assertThat(actual).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
