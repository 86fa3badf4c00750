// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.model.LatencyFormat;
import org.kview.recording.imports.EventPair;
import org.kview.recording.imports.ImportRequest;
import org.kview.recording.imports.ImportResult;
import org.kview.recording.imports.TraceImport;
import org.kview.session.report.TableReport;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a session of a trace that was recorded elsewhere. */
@Command(name = "import", sortOptions = false,
        header = "Makes a session of a trace in the Common Trace Format.",
        customSynopsis = {"kview import TRACE [--entry EVENT --exit EVENT [--name FIELD]] -o SESSION.kview"},
        description = {"", "TRACE is a folder with a trace, or with folders of traces, as LTTng writes them. Calls are those of",
                "Kview's own events, of LTTng's lttng_ust_cyg_profile, or between the two events that you name. Where",
                "the trace has sched_switch and sched_wakeup, time on the CPU, in the run queue and waiting is told apart.",
                "Needs libbabeltrace2.", ""},
        footer = {"", "Examples:", "  kview import shop-trace -o shop.kview", "  kview import ~/lttng-traces/auto-1 -o auto.kview",
                "  kview import trace --entry shop:request_begin --exit shop:request_end --name url -o shop.kview"})
public final class ImportCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Parameters(paramLabel = "TRACE", description = "The trace's folder.")
    private Path trace;
    @ArgGroup(exclusive = false)
    private Pair pair;
    @Option(names = {"-o", "--output"}, paramLabel = "SESSION.kview", required = true,
            description = "The session's folder, which must not exist.")
    private Path session;

    private static final class Pair {
        @Option(names = "--entry", paramLabel = "EVENT", required = true, description = "The event at a call's begin.")
        private String entry;
        @Option(names = "--exit", paramLabel = "EVENT", required = true, description = "And at its end, on the same thread.")
        private String exit;
        @Option(names = "--name", paramLabel = "FIELD",
                description = "The field that names the function; if not given: name, function, func, symbol, addr or ip,"
                        + " whichever there is, otherwise the event's name.")
        private String name;
    }

    public ImportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        ImportResult result = TraceImport.run(new ImportRequest(trace, session, Optional.ofNullable(pair)
                .map(p -> new EventPair(p.entry, p.exit, Optional.ofNullable(p.name)))),
                (what, events) -> console.progress(what + (events == 0 ? "" : ": " + LatencyFormat.count(events) + " events")));
        console.result(TableReport.of(result.figures(), console.tableStyle()));
        console.result("session " + session);
        return result.whole() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
