// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/**
 * Hears of a program that the agent started. Called by one thread at a time, in the order in which
 * things happened; a slow listener in the end slows the program's output down.
 */
public interface ProcessListener {

    /** @param bytes of its standard output, or of its standard error; the listener's own */
    void output(boolean errorStream, byte[] bytes);

    /**
     * It ended; nothing follows.
     *
     * @param signalled whether a signal ended it
     * @param status    its exit code, or the signal's number
     */
    void exited(boolean signalled, int status);
}
