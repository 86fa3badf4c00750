// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;

import org.kview.ctf.CtfException;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.ThreadTurn;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.parquet.Column;
import org.kview.session.parquet.FunctionColumns;
import org.kview.session.parquet.ParquetFile;
import org.kview.session.parquet.ParquetFolder;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionReader.HostEvents;

/**
 * A session's single calls, and what its threads did between their switches, as tables. The trace is read once, and a call has
 * the same figures as in the list of calls.
 */
public final class CallTables {
    private static final String CALLS = "calls";
    private static final String SWITCHES = "switches";
    private static final int PROGRESS_CALLS = 1 << 17;

    private final ParquetFolder tables;
    private final LongConsumer progress;
    private long read;

    /** @param progress hears now and then how many calls were read */
    public CallTables(ParquetFolder tables, LongConsumer progress) {
        this.tables = tables;
        this.progress = progress;
    }

    /**
     * Writes those of a session; of one without events there are none.
     *
     * @return sentences for what is missing, most serious first
     * @throws SessionException if a trace can't be read any further
     * @throws IOException      if a file can't be written
     */
    public List<String> write(SessionReader session) throws IOException {
        CallFindings findings = new CallFindings(session.snapshot());
        session.hostsWithoutEvents().forEach(findings::without);
        int index = 0;
        for (HostEvents events : session.events()) {
            CallHost host = new CallHost(index++, events);
            try {
                write(host, session.snapshot().hosts().isEmpty() ? "" : host.target() + ": ", findings);
            } catch (CtfException e) {
                throw new SessionException(e.getMessage(), e);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        return findings.ofCalls();
    }

    private void write(CallHost host, String where, CallFindings findings) throws CtfException, IOException {
        ParquetFile<ThreadTurn> switches = tables.file(SWITCHES, List.of(FunctionColumns.hostFolder(host.name(), host.target())),
                Integer.toString(host.index()), turnColumns(host));
        Map<Long, ParquetFile<CallRow>> files = new HashMap<>();
        for (FunctionLatency latency : host.events().figures().functions()) {
            long id = latency.function().id();
            files.put(id, calls(host, host.function(id), Long.toString(id), FunctionColumns.of(host.target(), latency.function())));
        }
        // A made-up trace may have any number of others.
        ParquetFile<CallRow> others = calls(host, "", "others",
                FunctionColumns.ofUnlisted(host.target(), row -> host.function(row.call().function())));
        try (CallCursor cursor = CallCursor.ahead(host.events().trace(), host.events().whole(), turn -> add(switches, turn))) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                files.getOrDefault(call.get().function(), others).add(new CallRow(host, call.get()));
                if (++read % PROGRESS_CALLS == 0) {
                    progress.accept(read);
                }
            }
            findings.read(where, host.events(), cursor.findings(), true);
        }
    }

    private static void add(ParquetFile<ThreadTurn> switches, ThreadTurn turn) {
        try {
            switches.add(turn);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param columns those that say which function it is of */
    private ParquetFile<CallRow> calls(CallHost host, String function, String name, List<Column<CallRow>> columns) {
        columns.add(Column.moment("time", CallRow::epochNanos));
        columns.add(Column.number("start_ns", row -> host.sinceStartNanos(row.call().beginNanos())));
        columns.add(Column.number("end_ns", row -> host.sinceStartNanos(row.call().endNanos())));
        columns.add(Column.number("tid", row -> row.call().tid()));
        columns.add(Column.optionalText("thread", row -> SafeText.line(row.call().thread())));
        columns.add(Column.number("cpu", row -> row.call().cpu()));
        columns.add(Column.optionalNumber("start_cpu", row -> row.call().startCpu().isPresent() ? row.call().startCpu().getAsInt()
                : Column.ABSENT));
        columns.add(Column.number("depth", row -> row.call().depth()));
        columns.add(Column.optionalText("parent", row -> row.call().parent().map(parent -> host.function(parent.function())).orElse("")));
        columns.add(Column.optionalNumber("parent_start_ns", row -> row.call().parent()
                .map(parent -> host.sinceStartNanos(parent.beginNanos())).orElse(Column.ABSENT)));
        columns.add(Column.number("wall_ns", row -> row.call().wallNanos()));
        columns.add(Column.number("on_cpu_ns", row -> row.call().onCpuNanos()));
        Metric.CAUSES.forEach(cause -> columns.add(Column.number(cause.id() + "_ns", row -> row.call().nanos(cause))));
        columns.add(Column.text("cause", row -> row.call().mainPart().id()));
        addWaker(columns, row -> row.call().waker());
        return tables.file(CALLS, List.of(FunctionColumns.hostFolder(host.name(), host.target()), FunctionColumns.functionFolder(function)),
                host.index() + "-" + name, columns);
    }

    /** Of each part that is not known the beginning is its end, as a turn has it. */
    private static List<Column<ThreadTurn>> turnColumns(CallHost host) {
        List<Column<ThreadTurn>> columns = FunctionColumns.ofHost(host.target());
        columns.add(Column.moment("time", turn -> host.epochNanos(turn.beginNanos())));
        columns.add(Column.number("start_ns", turn -> host.sinceStartNanos(turn.beginNanos())));
        columns.add(Column.number("end_ns", turn -> host.sinceStartNanos(turn.endNanos())));
        columns.add(Column.number("tid", ThreadTurn::tid));
        columns.add(Column.number("cpu", ThreadTurn::cpu));
        columns.add(Column.number("ran_ns", turn -> turn.outNanos() - turn.beginNanos()));
        columns.add(Column.optionalText("cause", turn -> turn.cause() == Metric.ON_CPU ? "" : turn.cause().id()));
        columns.add(Column.number("waited_ns", turn -> turn.wokenNanos() - turn.outNanos()));
        columns.add(Column.number("queued_ns", turn -> turn.endNanos() - turn.wokenNanos()));
        addWaker(columns, ThreadTurn::waker);
        return columns;
    }

    private static <R> void addWaker(List<Column<R>> columns, Function<R, Optional<Call.Waker>> waker) {
        columns.add(Column.optionalNumber("waker_tid", row -> waker.apply(row).map(Call.Waker::tid).orElse(Column.ABSENT)));
        columns.add(Column.optionalText("waker", row -> waker.apply(row).map(its -> SafeText.line(its.name())).orElse("")));
    }
}
