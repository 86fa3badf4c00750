// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;
import org.kview.ui.Figures;

/** Sessions on disk of ten seconds, whose first function waits for a lock by a factor. */
final class ComparedFixture {
    private static final int INTERVALS = 20;
    private static final int CALLS = 200;
    private static final long INTERVAL_NANOS = 500_000_000;
    private static final double LOCK_NANOS = 2e6;
    private static final double CPU_NANOS = 500_000;

    private ComparedFixture() {
    }

    /** @return the session's folder; recorded so many seconds after an hour as the factor is large */
    static Path write(Path folder, int lockFactor, String... names) throws IOException {
        return write(folder, lockFactor, lockFactor, names);
    }

    /** Another recording of the same, whose numbers a seed tells apart. */
    static Path write(Path folder, int lockFactor, int seed, String... names) throws IOException {
        List<ProbedFunction> functions = new ArrayList<>();
        for (String name : names) {
            functions.add(Figures.probed(functions.size(), name));
        }
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "/usr/bin/checkout", "in", "",
                Instant.parse("2026-11-20T14:00:00Z").plusSeconds(seed), Duration.ZERO, SessionInfo.State.RECORDING, "");
        Random random = new Random(seed);
        try (SessionWriter writer = SessionWriter.create(folder, info, functions, Optional.empty())) {
            for (int i = 0; i < INTERVALS; i++) {
                List<FunctionInterval> parts = new ArrayList<>();
                for (ProbedFunction function : functions) {
                    parts.add(part(random, function.id(), (i + 1L) * CALLS, function.id() == 0 ? lockFactor : 1));
                }
                writer.append(Recorded.interval(i * INTERVAL_NANOS, (i + 1) * INTERVAL_NANOS, parts, Losses.NONE,
                        i == INTERVALS - 1));
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return folder;
    }

    private static FunctionInterval part(Random random, int id, long callsSoFar, double lockFactor) {
        Distribution.Builder wall = new Distribution.Builder();
        Distribution.Builder cpu = new Distribution.Builder();
        Distribution.Builder lock = new Distribution.Builder();
        for (int call = 0; call < CALLS; call++) {
            long ran = Math.round(CPU_NANOS * Math.exp(0.3 * random.nextGaussian()));
            long waited = Math.round(LOCK_NANOS * lockFactor * Math.exp(0.4 * random.nextGaussian()));
            cpu.add(ran);
            lock.add(waited);
            wall.add(ran + waited);
        }
        return new FunctionInterval(id, callsSoFar, 0, 0, Map.of(Metric.WALL, wall.build(), Metric.ON_CPU, cpu.build(),
                Metric.LOCK, lock.build()));
    }
}
