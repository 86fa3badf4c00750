// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;

import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;

/** Runs short scripts on a host, whichever login shell the user has there. */
final class RemoteShell {
    private static final int MAX_OUTPUT_BYTES = 64 << 10;

    /** What a script printed, and its exit status; -1 if it was killed. */
    record Result(int status, String output, String errors) {
        /** The last line of its standard error; empty if there was none. */
        String complaint() {
            return Questions.shown(errors.strip().replaceFirst("(?s).*\n", ""));
        }
    }

    /** Writes a script's standard input. */
    interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    private final ClientSession session;

    RemoteShell(ClientSession session) {
        this.session = session;
    }

    /** @param script contains no single quotes; so it can be put between such, and no login shell interprets it */
    static String command(String script) {
        if (script.indexOf('\'') >= 0 || script.indexOf('!') >= 0 || script.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("would mean something else in some login shell: " + script);
        }
        return "exec /bin/sh -c '" + script + "'";
    }

    /** A channel without a terminal; not opened yet. */
    static ChannelExec channel(ClientSession session, String command) throws IOException {
        try {
            return session.createExecChannel(command);
        } catch (IllegalStateException e) {
            // So the library says that the connection is closed.
            throw new IOException("it is closed", e);
        }
    }

    /** @throws IOException if the connection breaks, or the script takes longer */
    Result run(String script, Duration timeout, Input input) throws IOException, InterruptedException {
        try (ChannelExec channel = channel(session, command(script))) {
            channel.open().verify(timeout);
            var errors = new Collected(channel.getInvertedErr());
            var output = new Collected(channel.getInvertedOut());
            IOException broken = null;
            try (OutputStream in = channel.getInvertedIn()) {
                input.writeTo(in);
            } catch (IOException e) {
                broken = e; // the script ended early: what it printed about that is more useful
            }
            if (!channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), timeout).contains(ClientChannelEvent.CLOSED)) {
                throw new IOException("the host did not answer within " + timeout.toSeconds() + " s");
            }
            Integer status = channel.getExitStatus();
            if (status == null && broken != null) {
                throw broken;
            }
            return new Result(status == null ? -1 : status, output.text(), errors.text());
        }
    }

    Result run(String script, Duration timeout) throws IOException, InterruptedException {
        return run(script, timeout, out -> { });
    }

    /** Reads a stream to its end, but keeps a limited part of it only: a host may send without end. */
    private static final class Collected {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread thread;

        Collected(InputStream in) {
            thread = Thread.ofVirtual().name("kview-ssh-output").start(() -> {
                byte[] buffer = new byte[8192];
                try {
                    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                        bytes.write(buffer, 0, Math.min(count, MAX_OUTPUT_BYTES - bytes.size()));
                    }
                } catch (IOException e) {
                    // The connection has ended.
                }
            });
        }

        String text() throws InterruptedException {
            thread.join();
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
