// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.MergedHosts;
import org.kview.model.ProgramEnd;
import org.kview.model.Provenance;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;
import org.kview.recording.RecordingResult;
import org.kview.session.report.TableStyle;
import org.kview.testing.Recorded;

/** How the recorded program ended is said last, and what that means for the recording. */
class RecordedSessionTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private static LatencySnapshot figures(String target, String command, State state, String note, Optional<ProgramEnd> end) {
        SessionInfo info = new SessionInfo(new SessionInfo.Host(target, target, "6.18.0", Optional.empty()), List.of(), command,
                new SessionInfo.Filtering("in", ""), Instant.EPOCH, Duration.ofSeconds(1), new SessionInfo.Ending(state, note, end),
                Provenance.UNKNOWN);
        return new LatencySnapshot(info, List.of(), Losses.NONE, Recorded.overhead(900, true), List.of());
    }

    /** The exit code, and a line each on standard error. */
    private List<String> print(LatencySnapshot figures) {
        out.reset();
        err.reset();
        Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8),
                false, TableStyle.PLAIN);
        int code = RecordedSession.print(console, new RecordingResult(Path.of("/s/shop.kview"), figures), false);
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("session /s/shop.kview\n");
        assertThat(code).isEqualTo(figures.info().state() == State.FAILED ? ExitCode.FAILED : ExitCode.DONE);
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private List<String> print(State state, String note, ProgramEnd end) {
        return print(figures("local", "./shop --port 80", state, note, Optional.of(end)));
    }

    @Test
    void aProgramThatSucceeds() {
        assertThat(print(State.PROCESS_ENDED, "", new ProgramEnd(false, 0))).containsExactly("kview: ./shop --port 80 ended with status 0.");
    }

    /** Whoever sees a failing program must know whether its end was recorded. */
    @Test
    void aProgramThatFails() {
        assertThat(print(State.PROCESS_ENDED, "", new ProgramEnd(false, 3)))
                .containsExactly("kview: ./shop --port 80 ended with status 3; it was recorded to its end.");
        assertThat(print(State.FAILED, "The disk is full", new ProgramEnd(false, 3)))
                .containsExactly("kview: ./shop --port 80 ended with status 3.", "kview: The disk is full.");
        assertThat(print(State.STOPPED, "Its probes took 40 %.", new ProgramEnd(false, 3)))
                .containsExactly("kview: ./shop --port 80 ended with status 3.", "kview: Its probes took 40 %.");
    }

    @Test
    void aProgramThatWasKilled() {
        assertThat(print(State.PROCESS_ENDED, "", new ProgramEnd(true, 11))).singleElement().asString()
                .startsWith("kview: ./shop --port 80 was killed by SIGSEGV (signal 11). It was probed when it died, and the probes may be"
                        + " the cause: run it once without Kview Workbench");
    }

    @Test
    void ofSeveralHostsEachSaysItself() {
        assertThat(print(MergedHosts.of(List.of(
                figures("web-1", "./shop", State.PROCESS_ENDED, "", Optional.of(new ProgramEnd(false, 0))),
                figures("web-2", "./shop", State.STOPPED, "The budget is used up.", Optional.empty())))))
                .containsExactly("kview: web-1: ./shop ended with status 0.", "kview: web-2: The budget is used up.");
    }

    /** It comes from the host. */
    @Test
    void aLongOrHostileCommandStaysOneLine() {
        assertThat(print(figures("local", "./shop \u001b[2J\n" + "a".repeat(500), State.PROCESS_ENDED, "",
                Optional.of(new ProgramEnd(false, 0))))).singleElement().asString().doesNotContain("\u001b").hasSizeLessThan(130)
                .endsWith("… ended with status 0.");
    }
}
