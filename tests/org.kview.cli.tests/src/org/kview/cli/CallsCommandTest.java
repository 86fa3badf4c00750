// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.session.report.TableStyle;

/** What the command says; what it prints of a session is tested where that is made, and with real recordings. */
class CallsCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, TableStyle.PLAIN);
        return new KviewCommand(console, () -> "1.2.3").run(List.of(arguments));
    }

    @Test
    void aMistakeInAFilterIsPointedAt() {
        assertThat(run("calls", "s.kview", "--where", "wall > 10ms && caus == lock")).isEqualTo(ExitCode.WRONG_ARGUMENTS);
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "kview: --where, column 16: 'caus' is no column; did you mean cause?",
                "  wall > 10ms && caus == lock",
                "                 ^",
                "kview: 'kview calls --help' tells what is understood.");
        assertThat(out.size()).isZero();
    }

    @Test
    void soIsOneInAnOrder() {
        assertThat(run("calls", "s.kview", "--sort", "quickness")).isEqualTo(ExitCode.WRONG_ARGUMENTS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--sort, column 1: 'quickness' is no column; they are host target start")
                .contains("  quickness\n  ^\n");
    }

    /** The arguments are looked at before the session is. */
    @Test
    void aSessionThatIsNotThereIsOneSentence() {
        Path none = Path.of("/nonexistent.kview");
        assertThat(run("calls", none.toString(), "--where", "wall > 1ms", "--json")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(none + " does not exist").hasLineCount(1);
        assertThat(out.size()).isZero();
    }
}
