// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.sshd.client.auth.keyboard.UserInteraction;
import org.apache.sshd.client.session.ClientSession;
import org.kview.model.SafeText;
import org.kview.ssh.SshPrompter.Prompt;
import org.kview.ssh.SshPrompter.Purpose;
import org.kview.ssh.SshPrompter.Question;

/** Hands the host's questions to the prompter, and tells it whether the answers were right. */
final class Questions implements UserInteraction {
    private static final int MAX_CHARS = 500;

    private final String host;
    private final String account;
    private final SshPrompter prompter;
    /** Questions that were answered, where it is not known yet whether the answers were right. */
    private final List<Question> open = new ArrayList<>();
    private final List<Question> wrong = new ArrayList<>();

    /**
     * @param host    as the user knows it
     * @param account the name under which answers are remembered
     */
    Questions(String host, String account, SshPrompter prompter) {
        this.host = host;
        this.account = account;
        this.prompter = prompter;
    }

    @Override
    public String[] interactive(ClientSession session, String name, String instruction, String language,
            String[] prompts, boolean[] echo) {
        if (prompts.length == 0) {
            return prompts; // the host only says something, or is done
        }
        List<Prompt> asked = new ArrayList<>();
        for (int i = 0; i < prompts.length; i++) {
            asked.add(new Prompt(shown(prompts[i]), !echo[i]));
        }
        String before = shown(name + " " + instruction);
        return ask(new Purpose.Interactive(account), host + " asks" + (before.isEmpty() ? "" : ": " + before), asked)
                .map(answers -> answers.toArray(String[]::new)).orElse(null); // null tells the library: no answer
    }

    @Override
    public String resolveAuthPasswordAttempt(ClientSession session) {
        return ask(new Purpose.Password(account), "", List.of(new Prompt("Password of " + host, true)))
                .map(List::getFirst).orElse(null);
    }

    private Optional<List<String>> ask(Purpose purpose, String heading, List<Prompt> prompts) {
        Question question = new Question(purpose, heading, prompts, false);
        // The host asks the same question again, so the answer was wrong.
        if (open.remove(question)) {
            wrong.add(question);
            prompter.judged(question, false);
        }
        Optional<List<String>> answers = prompter.ask(
                new Question(purpose, heading, prompts, wrong.contains(question)));
        answers.ifPresent(_ -> open.add(question));
        return answers;
    }

    /** Judges the open answers at the end of the login. */
    void judge(boolean loggedIn) {
        open.forEach(question -> prompter.judged(question, loggedIn));
        open.clear();
    }

    /** Never changes an expired password: that is left to ssh itself. */
    @Override
    public String getUpdatedPassword(ClientSession session, String prompt, String language) {
        return null;
    }

    /** A host's text made safe to show: it must not move a terminal's cursor, nor fill the screen. */
    static String shown(String text) {
        return SafeText.line(text.replaceAll("[\\r\\n\\t]+", " ").strip().replaceFirst("\\s*:$", ""), MAX_CHARS);
    }
}
