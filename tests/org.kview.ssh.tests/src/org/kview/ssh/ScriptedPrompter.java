// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Answers as a test says, and remembers what it was asked. */
final class ScriptedPrompter implements SshPrompter {
    final List<UnknownHostKey> keys = new ArrayList<>();
    final List<String> questions = new ArrayList<>();
    final List<String> said = new ArrayList<>();
    private final HostKeyAnswer answer;
    private final Deque<String> answers;

    ScriptedPrompter(HostKeyAnswer answer, String... answers) {
        this.answer = answer;
        this.answers = new ArrayDeque<>(List.of(answers));
    }

    @Override
    public synchronized HostKeyAnswer confirm(UnknownHostKey key) {
        keys.add(key);
        return answer;
    }

    @Override
    public synchronized Optional<String> ask(String question, boolean secret) {
        questions.add(question + (secret ? " (secret)" : ""));
        return Optional.ofNullable(answers.poll());
    }

    @Override
    public synchronized void say(String sentence) {
        said.add(sentence);
    }
}
