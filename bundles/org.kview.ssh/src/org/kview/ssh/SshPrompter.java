// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.Optional;

/**
 * Asks the user on behalf of a connection. Called by the connection's own threads, one question at a
 * time for each connection; may block as long as the user takes. Answers are used once and kept nowhere.
 */
public interface SshPrompter {

    /** Whether a host whose key is not known is to be trusted. */
    enum HostKeyAnswer {
        /** No: the connection ends. */
        REFUSE,
        /** For this connection. */
        ONCE,
        /** From now on: the key is added to known_hosts. */
        REMEMBER
    }

    /**
     * A key that is not known.
     *
     * @param host        as the user knows it, with its port where that is not 22
     * @param keyType     such as "ssh-ed25519"
     * @param fingerprint "SHA256:…", as ssh shows it
     * @param warning     one sentence where there is a reason to be careful; else empty
     * @param file        where it would be remembered; empty where it can't be
     */
    record UnknownHostKey(String host, String keyType, String fingerprint, String warning, String file) {
    }

    /** Never REMEMBER where {@link UnknownHostKey#file()} is empty. */
    HostKeyAnswer confirm(UnknownHostKey key);

    /**
     * Asks for a password, a passphrase or what else the host wants to know.
     *
     * @param question without control characters, ready to be shown
     * @param secret   whether the answer must not be shown while it is typed
     * @return empty if the user gave none
     */
    Optional<String> ask(String question, boolean secret);

    /** Tells what takes time, such as the first upload. */
    void say(String sentence);

    /** Nobody is there to be asked. */
    static SshPrompter none() {
        return new SshPrompter() {
            @Override
            public HostKeyAnswer confirm(UnknownHostKey key) {
                return HostKeyAnswer.REFUSE;
            }

            @Override
            public Optional<String> ask(String question, boolean secret) {
                return Optional.empty();
            }

            @Override
            public void say(String sentence) {
                // Nobody listens.
            }
        };
    }
}
