// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.compare.Change;
import org.kview.compare.ComparedSession;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.model.Metric;
import org.kview.session.Progress;
import org.kview.session.read.SessionReader;
import org.kview.session.report.JsonReport;
import org.kview.testing.Golden;

/**
 * A recording of {@code dd}'s system calls. Its session is of version 2, as only their wall-clock time is measured; each later
 * version must tell the same of it.
 */
class SystemCallsComparisonTest {
    @TempDir
    Path temp;

    private Path session;

    @BeforeEach
    void unpack() throws IOException {
        session = temp.resolve("system-calls.kview.zip");
        try (InputStream in = SystemCallsComparisonTest.class.getResourceAsStream("data/system-calls.kview.zip")) {
            Files.copy(in, session);
        }
    }

    @Test
    void theReportIsAsKept() throws IOException {
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.snapshot().functions()).noneMatch(f -> f.isMeasured(Metric.ON_CPU));
            Golden.assertSame(getClass(), "system-calls.json", JsonReport.of(reader.snapshot()));
        }
    }

    @Test
    void itComparesEqualWithItself() throws IOException {
        try (SessionReader a = SessionReader.open(session); SessionReader b = SessionReader.open(session)) {
            Comparison comparison = Comparer.compare(ComparedSession.read("a", a, Progress.NONE),
                    ComparedSession.read("b", b, Progress.NONE));
            assertThat(comparison.functions()).hasSize(4).noneMatch(f -> f.differs());
            assertThat(comparison.functions()).flatExtracting(f -> f.wall().values()).extracting(c -> ((Change) c).difference())
                    .allMatch(difference -> difference.equals(0.0) || difference.isNaN());
        }
    }
}
