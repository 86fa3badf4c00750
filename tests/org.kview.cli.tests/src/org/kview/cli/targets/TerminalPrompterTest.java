// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.ssh.SshPrompter.Prompt;
import org.kview.ssh.SshPrompter.Purpose;
import org.kview.ssh.SshPrompter.Question;

class TerminalPrompterTest {
    /** A host's second question may be in the words in which this program asks for a passphrase. */
    @Test
    void whoAsksIsToldBeforeEachPrompt() {
        Prompt first = new Prompt("Press Enter", false);
        Prompt second = new Prompt("Passphrase of the key /home/ada/.ssh/id_ed25519", true);
        Question question = new Question(new Purpose.Interactive("ada@web-3"), "ada@web-3 asks", List.of(first, second), false);
        assertThat(List.of(TerminalPrompter.shown(question, first), TerminalPrompter.shown(question, second)))
                .containsExactly("ada@web-3 asks: Press Enter: ",
                        "ada@web-3 asks: Passphrase of the key /home/ada/.ssh/id_ed25519: ");
    }

    @Test
    void thisProgramsOwnQuestionStandsAlone() {
        Prompt own = new Prompt("Password of ada@web-3", true);
        assertThat(TerminalPrompter.shown(new Question(new Purpose.Password("ada@web-3"), "", List.of(own), false), own))
                .isEqualTo("Password of ada@web-3: ");
    }
}
