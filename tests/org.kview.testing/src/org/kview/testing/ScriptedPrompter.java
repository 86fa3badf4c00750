// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.kview.ssh.SshPrompter;

/** Answers as a test says, and remembers what it was asked. */
public final class ScriptedPrompter implements SshPrompter {
    public final List<UnknownHostKey> keys = new ArrayList<>();
    public final List<String> questions = new ArrayList<>();
    public final List<Question> asked = new ArrayList<>();
    /** Of answered questions: whether the answers were right. */
    public final List<Boolean> judgements = new ArrayList<>();
    public final List<String> said = new ArrayList<>();
    private final HostKeyAnswer answer;
    private final Deque<String> answers;

    public ScriptedPrompter(HostKeyAnswer answer, String... answers) {
        this.answer = answer;
        this.answers = new ArrayDeque<>(List.of(answers));
    }

    @Override
    public synchronized HostKeyAnswer confirm(UnknownHostKey key) {
        keys.add(key);
        return answer;
    }

    @Override
    public synchronized Optional<List<String>> ask(Question question) {
        asked.add(question);
        List<String> given = new ArrayList<>();
        for (Prompt prompt : question.prompts()) {
            questions.add((question.heading().isEmpty() ? "" : question.heading() + ": ") + prompt.text()
                    + (prompt.secret() ? " (secret)" : ""));
            if (answers.isEmpty()) {
                return Optional.empty();
            }
            given.add(answers.poll());
        }
        return Optional.of(given);
    }

    @Override
    public synchronized void judged(Question question, boolean right) {
        judgements.add(right);
    }

    @Override
    public synchronized void say(String sentence) {
        said.add(sentence);
    }
}
