// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import org.kview.targets.channel.AgentTransport;

/** An agent that is a child process of this one. */
final class ProcessTransport implements AgentTransport {
    /** Long enough to detach many probes: what a killed agent has not detached, the kernel has to remove. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TERM_TIMEOUT = Duration.ofSeconds(2);

    private final Process process;
    private final String description;
    private final boolean raisesPrivileges;

    ProcessTransport(Process process, String description, boolean raisesPrivileges) {
        this.process = process;
        this.description = description;
        this.raisesPrivileges = raisesPrivileges;
    }

    @Override
    public boolean raisesPrivileges() {
        return raisesPrivileges;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public InputStream input() {
        return process.getInputStream();
    }

    @Override
    public OutputStream output() {
        return process.getOutputStream();
    }

    @Override
    public InputStream errors() {
        return process.getErrorStream();
    }

    @Override
    public OptionalInt awaitExit(Duration timeout) throws InterruptedException {
        return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(process.exitValue()) : OptionalInt.empty();
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The agent has closed its end already, which is what is wanted.
        }
        try {
            if (awaitExit(END_TIMEOUT).isEmpty()) {
                process.destroy();
                if (awaitExit(TERM_TIMEOUT).isEmpty()) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
