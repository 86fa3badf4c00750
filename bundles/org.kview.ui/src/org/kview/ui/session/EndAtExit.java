// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends a recording when this program is told to end, by SIGTERM or by the end of the user's login: its probes come off
 * and its session is whole.
 */
final class EndAtExit {
    /** Longer than an orderly end takes, and shorter than the patience of those who send signals. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Thread hook;

    private EndAtExit(Thread hook) {
        this.hook = hook;
    }

    static EndAtExit install(SessionController controller) {
        EndAtExit installed = new EndAtExit(Thread.ofPlatform().name("kview-end-recording")
                .unstarted(() -> end(controller)));
        Runtime.getRuntime().addShutdownHook(installed.hook);
        return installed;
    }

    /** Nothing has to be ended any more. */
    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This program is ending just now, and this very hook waits for the recording.
        }
    }

    /** Ends the recording that runs, if one does, and waits for that. */
    static void end(SessionController controller) {
        controller.stopAndLeave().ifPresent(ended -> {
            try {
                ended.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // What was written up to now is a session that broke off; its agent ends with this program.
            }
        });
    }

    Thread hook() {
        return hook;
    }
}
