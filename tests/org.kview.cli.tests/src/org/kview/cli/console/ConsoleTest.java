// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.cli.KviewCommand;
import org.kview.session.SessionException;
import org.kview.session.report.TableStyle;
import org.kview.targets.values.TargetException;

class ConsoleTest {
    private static final String HOSTILE = "\u001b]0;owned\u0007\u009b2J\r\u202e";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console console(boolean colour) {
        return new Console(new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8),
                true, new TableStyle(TableStyle.LEAST_WIDTH, colour, true));
    }

    /** What Console itself writes to steer the terminal. */
    private static void assertSafe(ByteArrayOutputStream stream) {
        assertThat(stream.toString(StandardCharsets.UTF_8).replace("\r\u001b[K", "").replaceAll("\u001b\\[[0-9;]*m", ""))
                .doesNotContainPattern("[\\p{Cntrl}&&[^\\n\\t]]").doesNotContainPattern("[\u0080-\u009f\u202e]");
    }

    @Test
    void whatComesFromElsewhereDoesNotReachTheTerminalRaw() {
        for (boolean colour : new boolean[] {false, true}) {
            Console console = console(colour);
            console.say("the host said " + HOSTILE);
            console.progress("probing " + HOSTILE);
            console.result("target " + HOSTILE + "\n\u001b[1mbold\u001b[0m\n");
            console.json("{\"host\":\"" + HOSTILE.replace("\u001b", "\\u001b").replace("\u0007", "\\u0007").replace("\r", "\\r") + "\"}");
            console.stackOf(new IllegalStateException(HOSTILE));
            assertSafe(out);
            assertSafe(err);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\\u009b2J\\r\\u202e").contains("\u001b[1mbold");
    }

    @Test
    void neitherDoFailures() {
        assertThat(new TargetException(TargetException.Kind.FAILED, "no " + HOSTILE)).message().doesNotContain("\u001b", "\u202e");
        assertThat(new SessionException("no " + HOSTILE)).message().doesNotContain("\u001b", "\u009b");
    }

    @Test
    void aResultThatCouldNotBeWrittenIsAFailure() throws Exception {
        KeptFailure full = new KeptFailure(new FileOutputStream("/dev/full"));
        Console console = new Console(new PrintStream(full, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, TableStyle.PLAIN, full::failure);
        assertThat(new KviewCommand(console, () -> "1").run(List.of("--version"))).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("could not be written to standard output (the disk is full)");
    }
}
