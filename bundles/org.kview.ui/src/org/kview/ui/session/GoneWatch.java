// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.kview.session.library.FolderWatch;

/** Notices when another program renames or removes the open session, and says so once. */
final class GoneWatch implements AutoCloseable {
    /** What the operating system does not tell at once, such as changes on a network file system. */
    private static final Duration ROUND = Duration.ofSeconds(10);

    private final Path session;
    private final Runnable gone;
    private final FolderWatch watch;
    private boolean told;

    /** @param gone called on a thread of the watch's own */
    GoneWatch(Path session, Runnable gone) {
        this.session = session;
        this.gone = gone;
        watch = new FolderWatch(session.getParent(), ROUND, this::look);
    }

    private void look() {
        if (!told && !Files.exists(session)) {
            told = true;
            gone.run();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
