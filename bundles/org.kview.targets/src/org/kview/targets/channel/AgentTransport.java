// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A running agent's pair of streams and its life. What carries the bytes (a child process, SSH) is
 * all that differs between targets.
 */
public interface AgentTransport extends AutoCloseable {

    /** What carries the connection, for messages: "the agent on this machine". */
    String description();

    /** Whether the agent has rights that this process has not, so that what it starts would have them, too. */
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

    /** Ends the agent at once, as one that can't be trusted; what it attached the kernel removes. */
    void kill();

    /** Closes the streams and sees to it that the agent ends, by force if it does not by itself. */
    @Override
    void close();
}
