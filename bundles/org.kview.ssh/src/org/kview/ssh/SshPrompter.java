// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.nio.file.Path;
import java.util.List;
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
        /** Yes, for this connection. */
        ONCE,
        /** Yes, always: the key is added to known_hosts. */
        REMEMBER
    }

    /**
     * A host key that is not known.
     *
     * @param host        as the user knows it, with its port where that is not 22
     * @param keyType     such as "ssh-ed25519"
     * @param fingerprint "SHA256:…", as ssh shows it
     * @param warning     one sentence where there is a reason to be careful; otherwise empty
     * @param file        where the key would be stored; empty where that is not possible
     */
    record UnknownHostKey(String host, String keyType, String fingerprint, String warning, String file) {
    }

    /** Asks whether to trust a host key. The answer is never REMEMBER where {@link UnknownHostKey#file()} is empty. */
    HostKeyAnswer confirm(UnknownHostKey key);

    /** The purpose of the answers. Remembered secrets are stored under it. */
    sealed interface Purpose {

        /** To unlock a private key. */
        record Passphrase(Path key) implements Purpose {
        }

        /**
         * To log in by a password.
         *
         * @param account {@code user@host[:port]}, the alias of its key, and the way on which it is reached
         */
        record Password(String account) implements Purpose {
        }

        /**
         * To log in by answering the host's own questions.
         *
         * @param account as for {@link Password}
         */
        record Interactive(String account) implements Purpose {
        }
    }

    /**
     * One part of a question.
     *
     * @param text   without control characters, ready to be shown
     * @param secret whether the answer must not be shown while it is typed
     */
    record Prompt(String text, boolean secret) {
    }

    /**
     * A question for a password, a passphrase or anything else that a host wants to know.
     *
     * @param heading shown above the prompts; without control characters; may be empty
     * @param prompts at least one; each has an answer of its own
     * @param again   whether this connection asked the same before, and the answers were wrong
     */
    record Question(Purpose purpose, String heading, List<Prompt> prompts, boolean again) {
        public Question {
            prompts = List.copyOf(prompts);
        }
    }

    /** @return an answer to each prompt; empty if the user gave none */
    Optional<List<String>> ask(Question question);

    /**
     * Tells whether the answers to a question were right. Each answered question is judged once, unless the
     * connection ends before that is known. If one of several open questions was answered wrongly, all count as wrong.
     */
    default void judged(Question question, boolean right) {
        // Only prompters that remember answers need this.
    }

    /** Tells the user about something that takes time, such as the first upload. */
    void say(String sentence);

    /** A prompter for when there is nobody to ask. */
    static SshPrompter none() {
        return new SshPrompter() {
            @Override
            public HostKeyAnswer confirm(UnknownHostKey key) {
                return HostKeyAnswer.REFUSE;
            }

            @Override
            public Optional<List<String>> ask(Question question) {
                return Optional.empty();
            }

            @Override
            public void say(String sentence) {
                // Nobody listens.
            }
        };
    }
}
