// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.sessions;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;

import org.kview.calls.CallStore;
import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.model.LatencyFormat;
import org.kview.model.SyntaxException;
import org.kview.session.SessionException;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallForm;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallQuery;
import org.kview.session.calls.SessionCalls;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the single calls of a session. */
@Command(name = "calls", sortOptions = false,
        header = "Tells a session's single calls, the slowest first.",
        customSynopsis = {"kview calls SESSION.kview [--where EXPR] [--function GLOB] [--sort COLUMN] [--top N]",
                "            [--store] [--json | --csv]"},
        description = {"", "The session must have been recorded with --events. Columns: host target start end tid thread",
                "cpu start_cpu depth function parent wall on_cpu run_queue preempted block_io lock sleep",
                "network page_fault steal throttled stopped other cause waker_tid waker.", ""},
        footer = {"", "EXPR compares columns (== != < <= > >=, and ~ with a glob), joined by && || ! and parentheses.",
                "A time has a unit (ns us ms s), a text stands in quotes; cause is the largest part of a call.", "",
                "Examples:", "  kview calls shop.kview --top 20",
                "  kview calls shop.kview --where 'wall > 10ms && cause == lock'",
                "  kview calls shop.kview --where 'thread ~ \"worker-*\" && start >= 1.5s' --sort start",
                "  kview calls shop.kview --function 'price_*' --csv > calls.csv"})
public final class CallsCommand implements Callable<Integer> {
    private static final int PART_CHARS = 32 << 10;

    private final Console console;
    private final StringBuilder part = new StringBuilder(PART_CHARS);

    @Mixin
    private HelpOption help;
    @Mixin
    private SessionParameter session;
    @Option(names = "--where", paramLabel = "EXPR", description = "Only calls of which this is true; quote it.")
    private String where;
    @Option(names = "--function", paramLabel = "GLOB", description = "Only calls of functions of this name; quote a glob.")
    private String function;
    @Option(names = "--sort", paramLabel = "COLUMN", defaultValue = "wall",
            description = "Sorts by a column: the longest time first, otherwise ascending; :asc or :desc behind it turns that"
                    + " round. wall if not given.")
    private String sort;
    @Option(names = "--top", paramLabel = "N", description = "Only the first N.")
    private Integer top;
    @Option(names = "--store", description = "Stores the calls first if they are not, so that this and later commands read"
            + " them sooner; in the user's cache, not in the session.")
    private boolean store;
    @ArgGroup
    private Form form = new Form();
    @Spec
    private CommandSpec spec;

    private static final class Form {
        @Option(names = "--json", description = "Prints a JSON object a line, times in ns.")
        private boolean json;
        @Option(names = "--csv", description = "Prints a table for spreadsheets, times in ns.")
        private boolean csv;
    }

    /** An option whose value is wrong from some character on. */
    public static final class WrongFilter extends ParameterException {
        private static final long serialVersionUID = 1;

        private final String text;
        private final int column;

        WrongFilter(CommandLine line, String option, String text, SyntaxException cause) {
            super(line, option + ", column " + cause.column() + ": " + cause.getMessage(), cause);
            this.text = text;
            column = cause.column();
        }

        public String text() {
            return text;
        }

        public int column() {
            return column;
        }
    }

    private interface Parser<T> {
        T parse(String text) throws SyntaxException;
    }

    public CallsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        CallQuery query = query();
        try (SessionReader reader = session.openSilently()) {
            CallStores stores = CallStores.ofUser();
            SessionCalls calls = SessionCalls.of(reader, session.path(), stores);
            if (store) {
                store(reader, stores);
            }
            CallForm written = form.json ? CallForm.json() : form.csv ? CallForm.csv() : CallForm.table(console.tableStyle());
            calls.tell(query, written, this::print, read -> console.progress(LatencyFormat.count(read) + " calls read"));
            console.part(part.toString());
            calls.findings().forEach(console::say);
        }
        return ExitCode.DONE;
    }

    /** What can't be stored is read from the trace. */
    private void store(SessionReader reader, CallStores stores) throws SessionException {
        for (SessionReader.HostEvents host : reader.events()) {
            try {
                Optional<CallStore> made = stores.build(host, read -> {
                    console.progress(LatencyFormat.count(read) + " calls stored");
                    return true;
                });
                if (made.isEmpty()) {
                    console.say("Another program stores these calls just now, so they are read from the trace.");
                }
                made.ifPresent(CallStore::close);
            } catch (SessionException e) {
                console.say(e.getMessage() + ", so they are read from the trace.");
            }
        }
    }

    private CallQuery query() {
        if (top != null && top < 1) {
            throw new ParameterException(spec.commandLine(), "--top takes a number from 1");
        }
        return new CallQuery(where == null ? CallFilter.ALL : parsed("--where", where, CallFilter::parse),
                Optional.ofNullable(function), parsed("--sort", sort, CallOrder::parse),
                top == null ? OptionalInt.empty() : OptionalInt.of(top));
    }

    private <T> T parsed(String option, String text, Parser<T> parser) {
        try {
            return parser.parse(text);
        } catch (SyntaxException e) {
            throw new WrongFilter(spec.commandLine(), option, text, e);
        }
    }

    /** Writing each row by itself would take most of the time. */
    private boolean print(String row) {
        part.append(row);
        if (part.length() < PART_CHARS) {
            return true;
        }
        boolean more = console.part(part.toString());
        part.setLength(0);
        return more;
    }
}
