// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.Optional;
import org.apache.sshd.client.auth.keyboard.UserInteraction;
import org.apache.sshd.client.session.ClientSession;

/** Hands what a host wants to know from its user to the prompter. */
final class Questions implements UserInteraction {
    private static final int MAX_CHARS = 500;

    private final String host;
    private final SshPrompter prompter;

    Questions(String host, SshPrompter prompter) {
        this.host = host;
        this.prompter = prompter;
    }

    @Override
    public String[] interactive(ClientSession session, String name, String instruction, String language,
            String[] prompts, boolean[] echo) {
        String[] answers = new String[prompts.length];
        for (int i = 0; i < prompts.length; i++) {
            String asked = shown(prompts[i]);
            String before = i == 0 ? shown(name + " " + instruction) : "";
            Optional<String> answer = prompter.ask(host + " asks: " + (before.isEmpty() ? "" : before + ": ") + asked, !echo[i]);
            if (answer.isEmpty()) {
                return null; // the library's word for: none given
            }
            answers[i] = answer.get();
        }
        return answers;
    }

    @Override
    public String resolveAuthPasswordAttempt(ClientSession session) {
        return prompter.ask("Password of " + host, true).orElse(null);
    }

    /** Changing an expired password is left to ssh itself. */
    @Override
    public String getUpdatedPassword(ClientSession session, String prompt, String language) {
        return null;
    }

    /** What a host sends must not move a terminal's cursor, nor fill the screen. */
    static String shown(String text) {
        String plain = text.replaceAll("[\\p{Cntrl}\\p{Cf}]+", " ").strip().replaceFirst("\\s*:$", "");
        return plain.length() > MAX_CHARS ? plain.substring(0, MAX_CHARS) + "…" : plain;
    }
}
