// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.help;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the documentation says of each view, and of how to read figures, by headings.
 *
 * @param sections never empty; the first one is about all
 */
record Manual(List<Section> sections) {
    private static final List<String> FILES = List.of("/docs/views.md", "/docs/reading-a-latency-breakdown.md");

    /**
     * A heading and what stands below it.
     *
     * @param title the heading
     * @param lines of Markdown
     */
    record Section(String title, List<String> lines) {
    }

    /** The one that is part of this bundle. */
    static Manual load() {
        return of(FILES.stream().map(Manual::read).collect(Collectors.joining("\n")));
    }

    private static String read(String file) {
        try (InputStream in = Manual.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not part of this bundle");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(file + " can't be read from this bundle", e);
        }
    }

    static Manual of(String markdown) {
        List<Section> sections = new ArrayList<>();
        boolean code = false;
        for (String line : markdown.lines().toList()) {
            code ^= line.startsWith("```");
            int level = code ? 0 : IntStream.range(0, line.length()).filter(i -> line.charAt(i) != '#').findFirst().orElse(0);
            if (level > 0 && level < 3 || sections.isEmpty()) {
                sections.add(new Section(line.substring(level).strip(), new ArrayList<>()));
            } else {
                sections.getLast().lines().add(line);
            }
        }
        return new Manual(List.copyOf(sections));
    }

    /** The number of the section about a view; 0 where there is none. */
    int indexOf(String title) {
        return IntStream.range(0, sections.size()).filter(i -> sections.get(i).title().equalsIgnoreCase(title)).findFirst()
                .orElse(0);
    }
}
