// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.cli.KviewCommand;
import org.kview.cli.console.Console;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.session.report.TableStyle;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

/** What fails a build and what does not, by sessions on disk. */
class CompareCommandTest {
    private static final int INTERVALS = 8;
    private static final int CALLS = 100;
    private static final long INTERVAL_NANOS = 500_000_000;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private int recorded;

    @TempDir
    private Path folder;

    /** Calls of 1 ms that hardly vary, each session of a process of its own. */
    private String session(String function, double factor, int intervals) throws IOException {
        Path path = folder.resolve("s" + ++recorded + ".kview");
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", recorded, "/srv/shop", "in", "",
                Instant.parse("2026-11-20T14:00:00Z").plusSeconds(recorded), Duration.ZERO, SessionInfo.State.RECORDING, "");
        Random random = new Random(recorded);
        try (SessionWriter writer = SessionWriter.create(path, info, List.of(Recorded.function(0, function, function,
                "/srv/shop", 0x1000, 0x1000, 100, ProbedFunction.ExitKind.RETURN_SITES, 0, 0)), Optional.empty())) {
            for (int i = 0; i < intervals; i++) {
                Distribution.Builder wall = new Distribution.Builder();
                for (int call = 0; call < CALLS; call++) {
                    wall.add(Math.round(factor * 1e6 * Math.exp(0.01 * random.nextGaussian())));
                }
                writer.append(Recorded.interval(i * INTERVAL_NANOS, (i + 1) * INTERVAL_NANOS,
                        List.of(new FunctionInterval(0, (i + 1L) * CALLS, 0, 0, Map.of(Metric.WALL, wall.build(),
                                Metric.ON_CPU, wall.build()))), Losses.NONE, i == intervals - 1));
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return path.toString();
    }

    /** Recorded in turns. */
    private List<String> groups(double factor) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("compare", "--a"));
        List<String> after = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            arguments.add(session("pay", 1, INTERVALS));
            after.add(session("pay", factor, INTERVALS));
        }
        arguments.add("--b");
        arguments.addAll(after);
        return arguments;
    }

    private int run(List<String> arguments, String... options) {
        err.reset();
        Console console = new Console(new PrintStream(new ByteArrayOutputStream()),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, TableStyle.PLAIN);
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(options));
        return new KviewCommand(console, () -> "1.2.3").run(all);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** The minimum effect of 5 % is for tables; who asks for 2 % means 2 %. */
    @Test
    void aRegressionOfTheSizeThatWasAskedForFails() throws IOException {
        List<String> fourPercent = groups(1.04);
        assertThat(run(fourPercent, "--fail-on-regression=2")).isEqualTo(1);
        assertThat(said()).contains("1 function is slower by 2 % or more");
        assertThat(run(fourPercent, "--fail-on-regression=10")).isZero();
        assertThat(run(fourPercent, "--fail-on-regression")).as("less than the minimum effect").isZero();
        assertThat(run(fourPercent, "--fail-on-regression=2", "--min-effect=5")).as("both were asked for").isZero();
        assertThat(run(fourPercent, "--fail-on-regression", "--min-effect=0")).isEqualTo(1);
        assertThat(said()).contains("1 function is slower.");
    }

    /** What changed on the host between the two sides would fail a build in which nothing did. */
    @Test
    void oneSideAfterTheOtherIsNotJudgedUnasked() throws IOException {
        List<String> after = new ArrayList<>(List.of("compare", "--a"));
        for (int i = 0; i < 3; i++) {
            after.add(session("pay", 1, INTERVALS));
        }
        after.add("--b");
        for (int i = 0; i < 3; i++) {
            after.add(session("pay", 1.3, INTERVALS));
        }
        assertThat(run(after, "--fail-on-regression")).isEqualTo(2);
        assertThat(said()).contains("in turns, A B A B A B").contains("--single");
        assertThat(run(after, "--fail-on-regression", "--single")).isEqualTo(1);
        assertThat(said()).contains("1 function is slower in these recordings.");
        assertThat(run(after)).as("without the gate").isZero();
    }

    /** A function that was renamed is no reason to pass. */
    @Test
    void whatCouldNotBeJudgedDoesNotPass() throws IOException {
        List<String> others = List.of("compare", session("pay", 1, INTERVALS), session("paid", 1, INTERVALS), "--single");
        assertThat(run(others, "--fail-on-regression")).isEqualTo(1);
        assertThat(said()).contains("0 of 2 functions could be judged");
        assertThat(run(others)).as("without the gate").isZero();
        List<String> tooShort = List.of("compare", session("pay", 1, 2), session("pay", 1, 2), "--single");
        assertThat(run(tooShort, "--fail-on-regression")).isEqualTo(1);
        assertThat(said()).contains("0 of 1 functions could be judged");
        List<String> same = List.of("compare", session("pay", 1, INTERVALS), session("pay", 1, INTERVALS), "--single");
        assertThat(run(same, "--fail-on-regression")).isZero();
        assertThat(said()).doesNotContain("judged");
    }
}
