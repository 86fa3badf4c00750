// SPDX-License-Identifier: EPL-2.0
package org.kview.session.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.parquet.Column;
import org.kview.session.parquet.FunctionColumns;
import org.kview.session.parquet.ParquetFile;
import org.kview.session.parquet.ParquetFolder;
import org.kview.session.read.IntervalVisitor;
import org.kview.session.read.SessionReader;

/** A session's histograms as a table: how many calls of a function took how long in an interval, one row for each bucket. */
final class HistogramTable {
    private static final String HISTOGRAMS = "histograms";

    private final ParquetFolder tables;
    private final Map<Integer, ProbedFunction> functions = new HashMap<>();

    /** A bucket in which an interval has calls. */
    private record Row(long endNanos, BucketRow bucket) {
    }

    HistogramTable(ParquetFolder tables) {
        this.tables = tables;
    }

    /**
     * Writes those of a session.
     *
     * @return a sentence for what is missing
     * @throws IOException if a file can't be written
     */
    Optional<String> write(SessionReader session) throws IOException {
        LatencySnapshot figures = session.snapshot();
        for (FunctionLatency latency : figures.functions()) {
            functions.put(latency.function().id(), latency.function());
        }
        Iterator<LatencySnapshot> hosts = (figures.hosts().isEmpty() ? List.of(figures) : figures.hosts()).iterator();
        int[] index = {0};
        try {
            session.intervals(() -> new OfHost(hosts.next(), index[0]++));
        } catch (SessionException e) {
            return Optional.of("The histograms are not whole: " + e.getMessage() + ".");
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return Optional.empty();
    }

    private final class OfHost implements IntervalVisitor {
        private final String target;
        private final String host;
        private final long startNanos;
        private final int index;
        private final Map<Integer, ParquetFile<Row>> files = new HashMap<>();

        OfHost(LatencySnapshot figures, int index) {
            target = SafeText.line(figures.info().target());
            host = SafeText.line(figures.info().host());
            Instant start = figures.info().start();
            startNanos = TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano();
            this.index = index;
        }

        @Override
        public void interval(int functionId, Metric metric, long endNanos, Distribution buckets) {
            ParquetFile<Row> file = files.computeIfAbsent(functionId, this::file);
            try {
                for (BucketRow row : (Iterable<BucketRow>) BucketRow.of(metric, buckets)::iterator) {
                    file.add(new Row(endNanos, row));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private ParquetFile<Row> file(int functionId) {
            ProbedFunction function = functions.get(functionId);
            List<Column<Row>> columns = FunctionColumns.of(target, function);
            columns.add(Column.moment("time", row -> startNanos + row.endNanos()));
            columns.add(Column.number("end_ns", Row::endNanos));
            columns.addAll(BucketRow.columns(Row::bucket));
            return tables.file(HISTOGRAMS, List.of(FunctionColumns.hostFolder(host, target),
                    FunctionColumns.functionFolder(SafeText.line(function.name()))), index + "-" + functionId, columns);
        }
    }
}
