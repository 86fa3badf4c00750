// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.kview.targets.channel.AgentTransport;

/**
 * An agent that runs on a host. It has no terminal there. When the connection ends, for whatever reason,
 * the agent's input ends, and so does the agent, unless it records and was told to wait.
 */
final class SshTransport implements AgentTransport {
    /** Long enough to detach many probes: what a killed agent has not detached, the kernel has to remove. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(15);
    private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "QUIT", 3, "ILL", 4, "ABRT", 6,
            "FPE", 8, "KILL", 9, "SEGV", 11, "PIPE", 13, "TERM", 15);

    private final ChannelExec channel;
    private final String description;
    private final boolean raisesPrivileges;
    private final AutoCloseable connection;
    private final InputStream input;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SshTransport(ChannelExec channel, String description, boolean raisesPrivileges, AutoCloseable connection) {
        this.channel = channel;
        this.description = description;
        this.raisesPrivileges = raisesPrivileges;
        this.connection = connection;
        this.input = new AfterMarker(channel.getInvertedOut(), AgentScripts.MARKER);
    }

    /**
     * @param raisesPrivileges whether the command gives the agent rights that its user does not have
     * @param connection       closed with the transport
     * @throws IOException if the host does not start commands
     */
    static SshTransport start(ClientSession session, String command, String description, boolean raisesPrivileges,
            AutoCloseable connection) throws IOException {
        ChannelExec channel = RemoteShell.channel(session, command);
        channel.open().verify(OPEN_TIMEOUT);
        return new SshTransport(channel, description, raisesPrivileges, connection);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public boolean raisesPrivileges() {
        return raisesPrivileges;
    }

    @Override
    public InputStream input() {
        return input;
    }

    @Override
    public OutputStream output() {
        return channel.getInvertedIn();
    }

    @Override
    public InputStream errors() {
        return channel.getInvertedErr();
    }

    @Override
    public OptionalInt awaitExit(Duration timeout) {
        channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED, ClientChannelEvent.EXIT_STATUS,
                ClientChannelEvent.EXIT_SIGNAL), timeout);
        if (channel.getExitStatus() != null) {
            return OptionalInt.of(channel.getExitStatus());
        }
        String signal = channel.getExitSignal();
        return signal == null ? OptionalInt.empty() : OptionalInt.of(128 + SIGNALS.getOrDefault(signal, 0));
    }

    @Override
    public void kill() {
        // The host ends programs whose connection is gone. A signal would need the rights that the agent has.
        channel.close(true);
        closeConnection();
    }

    @Override
    public void close() {
        try {
            channel.getInvertedIn().close();
        } catch (IOException e) {
            // The connection is gone, and with it the agent's input.
        }
        if (channel.isOpen()) {
            awaitExit(END_TIMEOUT);
        }
        channel.close(true);
        closeConnection();
    }

    private void closeConnection() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            connection.close();
        } catch (Exception e) {
            // It is given up anyway.
        }
    }
}
