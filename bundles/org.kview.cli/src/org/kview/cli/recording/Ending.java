// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.nio.file.Path;
import java.util.Optional;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;

/**
 * What Ctrl-C and other signals do to a recording: while it starts they break it off, while it runs the first one ends
 * it and keeps it, without waiting for a lost link, and the second one waits for nothing. Safe for use by several threads.
 */
final class Ending {
    private final Console console;
    private final Path folder;
    private final String agents;
    private Optional<Thread> starter = Optional.empty();
    private Optional<Runnable> stop = Optional.empty();
    private int signals;

    /**
     * @param folder the session's
     * @param agents a clause that says what happens to agents that are not waited for; empty if they end with this process
     */
    Ending(Console console, Path folder, String agents) {
        this.console = console;
        this.folder = folder;
        this.agents = agents;
    }

    /** The calling thread begins to start the recording; it is interrupted by a signal. */
    synchronized void starting() {
        starter = Optional.of(Thread.currentThread());
    }

    /** The recording runs. A signal that came in the last moment ends it. */
    synchronized void running(Runnable how) {
        starter = Optional.empty();
        stop = Optional.of(how);
        if (signals > 0) {
            Thread.interrupted();
            how.run();
        }
    }

    synchronized void signalled() {
        signals++;
        if (signals > 1) {
            console.say("broken off while ending; " + folder + " holds what was written before"
                    + (agents.isEmpty() ? "" : ", and " + agents));
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
        console.say(stop.isPresent() ? "ending the recording" : "breaking off before the recording began");
        stop.ifPresentOrElse(Runnable::run, () -> starter.ifPresent(Thread::interrupt));
    }
}
