// SPDX-License-Identifier: EPL-2.0
package org.kview.session.export;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.model.ValueFigures;
import org.kview.session.parquet.Column;
import org.kview.session.parquet.FunctionColumns;
import org.kview.session.parquet.ParquetFile;
import org.kview.session.parquet.ParquetFolder;

/** The figures by a value as a table: how many calls with a value took how long in the whole recording, one row for each bucket. */
final class ValueTable {
    private static final String VALUES = "values";

    private final ParquetFolder tables;

    private record Row(ValueFigures figures, BucketRow bucket) {
    }

    ValueTable(ParquetFolder tables) {
        this.tables = tables;
    }

    /** @throws IOException if a file can't be written */
    void write(LatencySnapshot figures) throws IOException {
        List<LatencySnapshot> hosts = figures.hosts().isEmpty() ? List.of(figures) : figures.hosts();
        for (int i = 0; i < hosts.size(); i++) {
            for (FunctionLatency latency : hosts.get(i).functions()) {
                write(hosts.get(i), latency, i);
            }
        }
    }

    private void write(LatencySnapshot host, FunctionLatency latency, int index) throws IOException {
        String target = SafeText.line(host.info().target());
        String by = SafeText.line(latency.function().by());
        List<Column<Row>> columns = FunctionColumns.of(target, latency.function());
        columns.add(Column.text("by", _ -> by));
        columns.add(Column.text("value_kind", row -> row.figures().value().kind().id()));
        columns.add(Column.text("value", row -> row.figures().value().text()));
        columns.add(Column.optionalNumber("value_number", row -> number(row.figures().value())));
        columns.addAll(BucketRow.columns(Row::bucket));
        ParquetFile<Row> file = tables.file(VALUES, List.of(FunctionColumns.hostFolder(SafeText.line(host.info().host()), target),
                FunctionColumns.functionFolder(SafeText.line(latency.function().name()))), index + "-" + latency.function().id(), columns);
        for (ValueFigures figures : latency.values()) {
            for (Map.Entry<Metric, Distribution> entry : figures.distributions().entrySet()) {
                for (BucketRow row : (Iterable<BucketRow>) BucketRow.of(entry.getKey(), entry.getValue())::iterator) {
                    file.add(new Row(figures, row));
                }
            }
        }
    }

    /** The least number there is reads as none: readers have its text. */
    private static long number(CallValue value) {
        return value.kind() == CallValue.Kind.NUMBER ? value.number() : Column.ABSENT;
    }
}
