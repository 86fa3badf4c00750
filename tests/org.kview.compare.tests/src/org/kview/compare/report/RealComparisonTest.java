// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.compare.Change;
import org.kview.compare.ComparedSession;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.model.Metric;
import org.kview.session.Progress;
import org.kview.session.read.SessionReader;
import org.kview.session.report.TableStyle;
import org.kview.statistics.Statistic;
import org.kview.testing.Golden;

/**
 * Three recordings of the demo workload, eight seconds each, on a busy machine with two CPUs: twice
 * alike, and once with its cache's file in memory, {@code --folder /dev/shm}.
 */
class RealComparisonTest {
    private static final double MICROSECONDS_OF_PROBES = 2;

    @TempDir
    Path temp;

    private ComparedSession session(String name) throws IOException {
        Path zip = temp.resolve(name + ".kview.zip");
        try (InputStream in = RealComparisonTest.class.getResourceAsStream("data/" + name + ".kview.zip")) {
            Files.copy(in, zip, StandardCopyOption.REPLACE_EXISTING);
        }
        try (SessionReader reader = SessionReader.open(zip)) {
            return ComparedSession.read(name + ".kview", reader, Progress.NONE);
        }
    }

    private static FunctionComparison function(Comparison comparison, String name) {
        return comparison.functions().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void twoAlikeDoNotDiffer() throws IOException {
        Comparison comparison = Comparer.compare(session("before"), session("again"));
        assertThat(comparison.functions()).hasSize(5);
        // lookup_price takes less time than its probes, whose own cost rose with the load of the machine.
        assertThat(comparison.functions()).filteredOn(f -> !f.name().equals("lookup_price")).hasSize(4)
                .allMatch(f -> !f.differs());
        assertThat(Statistic.PER_CALL).map(function(comparison, "lookup_price").wall()::get)
                .allMatch(c -> Math.abs(c.difference()) < MICROSECONDS_OF_PROBES * 1000);
    }

    @Test
    void aCacheInMemoryIsFasterAndSoIsWhoWaitsForIt() throws IOException {
        Comparison comparison = Comparer.compare(session("before"), session("after"));
        assertThat(comparison.functions().stream().limit(2).map(FunctionComparison::name))
                .containsExactlyInAnyOrder("flush_cache", "price_basket");
        Change write = function(comparison, "flush_cache").perCall().get(Metric.BLOCK_IO);
        assertThat(write.isBeyondNoise()).isTrue();
        assertThat(write.b()).isZero();
        FunctionComparison waits = function(comparison, "price_basket");
        assertThat(waits.mainCause()).map(Change::metric).contains(Metric.LOCK);
        assertThat(waits.wall().get(Statistic.P50).difference()).isNegative();
    }

    /** Mean times of a call add up, and so do their changes. */
    @Test
    void changesOfCausesAddUp() throws IOException {
        Comparison comparison = Comparer.compare(session("before"), session("after"));
        for (FunctionComparison function : comparison.functions()) {
            double sum = function.perCall().values().stream().mapToDouble(Change::difference).sum();
            assertThat(sum).as(function.name()).isCloseTo(function.wall().get(Statistic.MEAN).difference(),
                    org.assertj.core.api.Assertions.within(1.0));
        }
    }

    @Test
    void reportsAreAsKept() throws IOException {
        Comparison comparison = Comparer.compare(session("before"), session("after"));
        Golden.assertSame(getClass(), "change.txt", ComparisonTable.of(comparison, TableStyle.PLAIN));
        Golden.assertSame(getClass(), "change.json", ComparisonJson.of(comparison));
        Golden.assertSame(getClass(), "alike.txt", ComparisonTable.of(Comparer.compare(session("before"), session("again")),
                TableStyle.PLAIN));
    }
}
