// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/**
 * Hears of a program that the agent started. Called by one thread at a time, in the order of events.
 * A slow listener slows down the program's output in the end.
 */
public interface ProcessListener {

    /**
     * The program wrote something.
     *
     * @param errorStream whether to its standard error; otherwise to its standard output
     * @param bytes       the listener may keep the array
     */
    void output(boolean errorStream, byte[] bytes);

    /**
     * The program ended; nothing follows.
     *
     * @param signalled whether a signal ended it
     * @param status    its exit code, or the signal's number
     */
    void exited(boolean signalled, int status);
}
