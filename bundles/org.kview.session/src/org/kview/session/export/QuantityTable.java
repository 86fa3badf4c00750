// SPDX-License-Identifier: EPL-2.0
package org.kview.session.export;

import java.io.IOException;
import java.util.List;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Quantity;
import org.kview.model.SafeText;
import org.kview.session.parquet.Column;
import org.kview.session.parquet.FunctionColumns;
import org.kview.session.parquet.ParquetFile;
import org.kview.session.parquet.ParquetFolder;

/** What was counted within calls beside their time, as a table: of a function in the whole recording, one row for each quantity. */
final class QuantityTable {
    private static final String QUANTITIES = "quantities";

    private final ParquetFolder tables;

    private record Row(Quantity quantity, Distribution taken) {
    }

    QuantityTable(ParquetFolder tables) {
        this.tables = tables;
    }

    /** @throws IOException if a file can't be written */
    void write(LatencySnapshot figures) throws IOException {
        List<LatencySnapshot> hosts = figures.hosts().isEmpty() ? List.of(figures) : figures.hosts();
        for (int i = 0; i < hosts.size(); i++) {
            for (FunctionLatency latency : hosts.get(i).functions()) {
                if (!latency.function().quantities().isEmpty()) {
                    write(hosts.get(i), latency, i);
                }
            }
        }
    }

    private void write(LatencySnapshot host, FunctionLatency latency, int index) throws IOException {
        String target = SafeText.line(host.info().target());
        long timed = latency.wall().count();
        List<Column<Row>> columns = FunctionColumns.of(target, latency.function());
        columns.add(Column.number("timed_calls", _ -> timed));
        columns.add(Column.text("quantity", row -> row.quantity().id()));
        columns.add(Column.text("unit", row -> row.quantity().unit().id()));
        columns.add(Column.text("of", row -> row.quantity().of().isEmpty() ? "calls" : row.quantity().of()));
        columns.add(Column.number("count", row -> row.taken().count()));
        columns.add(Column.number("total", row -> row.taken().totalNanos()));
        for (int percentile : List.of(50, 90, 99)) {
            columns.add(Column.optionalNumber("p" + percentile, row -> row.taken().isEmpty() || !row.taken().hasBuckets() ? Column.ABSENT
                    : Math.round(row.taken().percentileNanos(percentile))));
        }
        columns.add(Column.number("max", row -> row.taken().maxNanos()));
        ParquetFile<Row> file = tables.file(QUANTITIES, List.of(FunctionColumns.hostFolder(SafeText.line(host.info().host()), target),
                FunctionColumns.functionFolder(SafeText.line(latency.function().name()))), index + "-" + latency.function().id(), columns);
        for (Quantity quantity : latency.function().quantities()) {
            file.add(new Row(quantity, latency.quantity(quantity)));
        }
    }
}
