// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The code of a process's own program, beside that of its file: breakpoints are where they differ.
 *
 * @param changedBytes how many bytes of it are not those of the file
 */
record ProgramText(int changedBytes) {

    /** As it is now. */
    static ProgramText of(long pid) throws IOException {
        Path program = Path.of("/proc/" + pid + "/exe").toRealPath();
        int changed = 0;
        int compared = 0;
        try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "r");
                RandomAccessFile file = new RandomAccessFile(program.toFile(), "r")) {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
                String[] fields = line.split("\\s+");
                if (!line.endsWith(program.toString()) || !fields[1].contains("x")) {
                    continue;
                }
                long begin = Long.parseUnsignedLong(fields[0].split("-")[0], 16);
                long end = Long.parseUnsignedLong(fields[0].split("-")[1], 16);
                long offset = Long.parseLong(fields[2], 16);
                byte[] own = new byte[(int) Math.min(end - begin, file.length() - offset)];
                byte[] original = new byte[own.length];
                memory.seek(begin);
                memory.readFully(own);
                file.seek(offset);
                file.readFully(original);
                for (int i = 0; i < own.length; i++) {
                    changed += own[i] == original[i] ? 0 : 1;
                }
                compared += own.length;
            }
        }
        assertThat(compared).as("bytes of code of %s", program).isPositive();
        return new ProgramText(changed);
    }
}
