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

    /** What the answers to a question are for: whoever remembers secrets, remembers them by this. */
    sealed interface Purpose {

        /** To unlock a private key. */
        record Passphrase(Path key) implements Purpose {
        }

        /** To log in by a password. @param account {@code user@host[:port]}, its key's name, what it is reached through */
        record Password(String account) implements Purpose {
        }

        /** To log in as the host's own questions want it. @param account likewise */
        record Interactive(String account) implements Purpose {
        }
    }

    /**
     * One thing that is asked for.
     *
     * @param text   without control characters, ready to be shown
     * @param secret whether the answer must not be shown while it is typed
     */
    record Prompt(String text, boolean secret) {
    }

    /**
     * A password, a passphrase or what else a host wants to know.
     *
     * @param heading what stands above the prompts, without control characters; may be empty
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
     * Tells what became of the answers to a question; a question that was answered is judged once, unless the
     * connection ends before that is known. A wrong answer to one of several questions makes all of them wrong.
     */
    default void judged(Question question, boolean right) {
        // Of interest to who remembers answers.
    }

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
