// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.List;
import java.util.Optional;

/** Passes all questions on to another prompter; subclasses change some of them. */
abstract class PassingPrompter implements SshPrompter {
    final SshPrompter user;

    PassingPrompter(SshPrompter user) {
        this.user = user;
    }

    @Override
    public HostKeyAnswer confirm(UnknownHostKey key) {
        return user.confirm(key);
    }

    @Override
    public Optional<List<String>> ask(Question question) {
        return user.ask(question);
    }

    @Override
    public void judged(Question question, boolean right) {
        user.judged(question, right);
    }

    @Override
    public void say(String sentence) {
        user.say(sentence);
    }
}
