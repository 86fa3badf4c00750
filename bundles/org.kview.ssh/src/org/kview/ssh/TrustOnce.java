// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which host keys were trusted once, so that a broken link to the same hosts can be opened again
 * without the same questions. It lives as long as the target, and remembers no secrets.
 */
final class TrustOnce {
    private record Trusted(String host, String keyType, String fingerprint) {
        static Trusted of(SshPrompter.UnknownHostKey key) {
            return new Trusted(key.host(), key.keyType(), key.fingerprint());
        }
    }

    private final Set<Trusted> trusted = ConcurrentHashMap.newKeySet();

    /** Asks the user, and remembers which keys are trusted. */
    SshPrompter learning(SshPrompter user) {
        return new PassingPrompter(user) {
            @Override
            public HostKeyAnswer confirm(UnknownHostKey key) {
                HostKeyAnswer answer = user.confirm(key);
                if (answer != HostKeyAnswer.REFUSE) {
                    trusted.add(Trusted.of(key));
                }
                return answer;
            }
        };
    }

    /** Asks only about keys that were not trusted yet. After one question that the user declines, asks nothing more. */
    SshPrompter reopening(SshPrompter user) {
        return new PassingPrompter(user) {
            private volatile boolean declined;

            @Override
            public HostKeyAnswer confirm(UnknownHostKey key) {
                if (trusted.contains(Trusted.of(key))) {
                    return HostKeyAnswer.ONCE;
                }
                HostKeyAnswer answer = declined ? HostKeyAnswer.REFUSE : user.confirm(key);
                declined |= answer == HostKeyAnswer.REFUSE;
                return answer;
            }

            @Override
            public Optional<List<String>> ask(Question question) {
                Optional<List<String>> answers = declined ? Optional.empty() : user.ask(question);
                declined |= answers.isEmpty();
                return answers;
            }
        };
    }
}
