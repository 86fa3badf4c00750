// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A running agent: its streams, and how it ends. Targets differ only in what carries the bytes: a child
 * process, or SSH.
 */
public interface AgentTransport extends AutoCloseable {

    /** What carries the connection, for messages: "the agent on this machine". */
    String description();

    /** Whether the agent has rights that this process does not have, which programs that it starts would get, too. */
    boolean raisesPrivileges();

    /** Frames from the agent. Read by one thread. */
    InputStream input();

    /** Frames to the agent. Closing it makes the agent detach everything and end. */
    OutputStream output();

    /** The agent's standard error: lines of text for people. */
    InputStream errors();

    /**
     * Waits for the agent's end.
     *
     * @return its exit status, 128 + the signal's number if it was killed; empty if it still runs
     */
    OptionalInt awaitExit(Duration timeout) throws InterruptedException;

    /** Kills the agent at once, as one that can't be trusted. The kernel removes what it had attached. */
    void kill();

    /** Closes the streams and makes sure that the agent ends, by force if necessary. */
    @Override
    void close();
}
