// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

import org.kview.session.files.AppendFile;
import org.kview.session.files.Disk;
import org.kview.session.format.SessionFiles;

/**
 * Space kept back for the figures: the trace, which is what fills a disk, must not leave the
 * histograms and session.json, which are small, without room. Safe for use by several threads,
 * none of which waits for another.
 */
final class SpaceReserve {
    static final int BYTES = 1 << 20;

    private final Path file;
    private final AtomicBoolean held = new AtomicBoolean();

    private SpaceReserve(Path file) {
        this.file = file;
    }

    static SpaceReserve take(Path folder, Disk disk) throws IOException {
        SpaceReserve reserve = new SpaceReserve(folder.resolve(SessionFiles.RESERVE));
        try (AppendFile out = AppendFile.create(reserve.file, disk)) {
            out.append(ByteBuffer.allocate(BYTES));
        }
        reserve.held.set(true);
        return reserve;
    }

    /** True if there was space to be given back, so that a write may be tried again. */
    boolean release() throws IOException {
        boolean was = held.getAndSet(false);
        return Files.deleteIfExists(file) && was;
    }

    /** Whether so much room is free that a trace may grow into it and leave the figures theirs. */
    boolean isRoomBeside() throws IOException {
        return Files.getFileStore(file.getParent()).getUsableSpace() > (held.get() ? BYTES : 3L * BYTES);
    }
}
