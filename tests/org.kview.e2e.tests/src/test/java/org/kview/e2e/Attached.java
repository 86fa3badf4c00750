// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an agent has in the kernel: its eBPF programs and the links that attach them. Others may record on this machine
 * as well, so each is known by its id.
 */
record Attached(Set<String> programs, Set<String> links) {

    /** What a process holds now, as its own open files tell. */
    static Attached by(long agent) throws IOException {
        Set<String> programs = new HashSet<>();
        Set<String> links = new HashSet<>();
        try (var files = Files.list(Path.of("/proc/" + agent + "/fdinfo"))) {
            for (Path file : files.toList()) {
                String open;
                try {
                    open = Files.readString(file);
                } catch (NoSuchFileException e) {
                    continue; // It was closed meanwhile.
                }
                open.lines().map(line -> line.split(":\\s*")).filter(field -> field.length == 2)
                        .forEach(field -> {
                            switch (field[0]) {
                                case "prog_id" -> programs.add(field[1]);
                                case "link_id" -> links.add(field[1]);
                                default -> {
                                    // Of no concern.
                                }
                            }
                        });
            }
        }
        assertThat(programs).as("programs of the agent").isNotEmpty();
        assertThat(links).as("links of the agent").isNotEmpty();
        return new Attached(programs, links);
    }

    /** The agent has ended, and the kernel has let go of all that it had. */
    void assertGone() throws IOException, InterruptedException {
        awaitGone("link", links);
        awaitGone("prog", programs);
    }

    /** The kernel takes its time for the last of it: it waits for all CPUs to have left the programs. */
    private static void awaitGone(String kind, Set<String> ids) throws IOException, InterruptedException {
        for (int i = 0; i < 1200 && !Collections.disjoint(inKernel(kind), ids); i++) {
            Thread.sleep(100);
        }
        assertThat(inKernel(kind)).as("%ss in the kernel", kind).doesNotContainAnyElementsOf(ids);
    }

    /** A list ends at a link that another program just makes: such a list is not whole, and is asked for again. */
    private static Set<String> inKernel(String kind) throws IOException, InterruptedException {
        for (int left = 50;; left--) {
            Process list = new ProcessBuilder("bpftool", kind, "list").redirectErrorStream(true).start();
            String text = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (list.waitFor() == 0) {
                return Pattern.compile("(?m)^(\\d+):").matcher(text).results().map(m -> m.group(1)).collect(Collectors.toSet());
            }
            assertThat(text).as("bpftool's list").contains("Resource temporarily unavailable");
            assertThat(left).as("lists that were not whole, the last one: %s", text).isPositive();
            Thread.sleep(20);
        }
    }
}
