// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.EnumSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.cli.console.Console;
import org.kview.model.ComparedWays.Kind;
import org.kview.session.report.TableStyle;
import org.kview.targets.Agent;
import org.kview.testing.FakeAgent;

import sun.misc.Signal;

@SuppressWarnings("restriction")
class WaysRequestTest {

    @Test
    @Timeout(20)
    void aSignalEndsItWhileTheHostIsSilent() throws Exception {
        FakeAgent silent = new FakeAgent();
        PrintStream out = new PrintStream(new ByteArrayOutputStream());
        Console console = new Console(out, out, false, TableStyle.PLAIN);
        try (Agent agent = Agent.connect(silent.start())) {
            Thread.ofVirtual().start(() -> {
                silent.awaitUnanswered();
                Signal.raise(new Signal("TERM"));
            });
            assertThat(WaysRequest.of(agent, "web-3", EnumSet.of(Kind.CALL_IN), console)).isEmpty();
            assertThat(Thread.currentThread().isInterrupted()).as("what follows is not interrupted").isFalse();
        }
    }
}
