// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.calls.Call;
import org.kview.model.SyntaxException;
import org.kview.session.read.SessionReader;

/** What a filter takes, and what it says where it is wrong. */
class CallFilterTest {
    @TempDir
    Path temp;

    private SessionReader session;
    private CallRow row;
    private CallRow bare;

    /** A call of 12 ms, of which 9 ms are a lock; and one of which hardly anything is known. */
    @BeforeEach
    void makeCalls() throws Exception {
        session = SessionReader.open(Demo.in(temp));
        CallHost host = new CallHost(0, session.events().getFirst());
        long begin = nanosAt(host, 1_500_000_000L);
        row = new CallRow(host, new Call(begin, begin + 12_000_100L, OptionalInt.of(0), 1, new Call.Caller(4712, "worker-3"), 1, 2,
                Optional.of(new Call.Parent(1, begin - 5)),
                new Call.Times(12_000_000L, 2_000_000L, List.of( new CauseTime(new Cause("lock"), 9_000_000L), new CauseTime(new Cause("run_queue"), 1_000_000L)), 0),
                Optional.of(new Call.Waker(4713, "it's \"me\""))));
        bare = new CallRow(host, new Call(begin, begin, OptionalInt.empty(), 0, new Call.Caller(1, ""), 0, 0, Optional.empty(),
                new Call.Times(0, 0, List.of(), 0), Optional.empty()));
    }

    private static long nanosAt(CallHost host, long sinceStart) {
        return sinceStart - host.sinceStartNanos(0);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wall > 10ms", "wall>10ms", "10ms<wall", "wall == 12 ms", "wall == 12000us", "wall >= 12000\u00b5s",
            "wall == .012s", "wall <= 0.012s", "wall != 12ns", "wall == 12000000ns", "sleep == 0", "lock > on_cpu",
            "lock < wall", "run_queue >= 1ms", "cause == lock", "lock > 1ms && cause == lock", "cause == \"lock\"", "cause != on_cpu",
            "cause ~ \"l*\"", "wall > 10ms && cause == lock", "wall > 1s || cause == lock", "!(wall > 1s)", "!wall > 1s", "!!(wall > 1ms)",
            "tid == 4712", "cpu == 1 && start_cpu == 0", "cpu != start_cpu", "depth == 2", "start == 1.5s", "start > -1ms",
            "end > start", "thread == \"worker-3\"", "thread ~ \"worker-*\"", "thread ~ 'w*-[0-9]'", "function == parent",
            "\"worker-3\" == thread", "waker == 'it\\'s \"me\"'", "waker == \"it's \\\"me\\\"\"", "waker_tid == 4713", "host == 'vm'", "target == 'local'",
            // && binds closer than ||.
            "wall > 10ms || wall < 1ms && cause == sleep", "(wall > 10ms || wall < 1ms) && cause == lock"})
    void takes(String filter) throws Exception {
        assertThat(CallFilter.parse(filter).wants(row)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wall > 12ms", "wall < 12ms", "wall == 12ns", "cause == run_queue", "lock < on_cpu", "!(wall > 10ms)",
            "tid != 4712", "thread == \"worker\"", "thread ~ \"worker\"", "thread ~ \"Worker-*\"", "function != parent", "waker == ''",
            "(wall > 10ms || wall < 1ms) && cause == sleep", "start < 1499ms", "10ms > wall"})
    void leavesOut(String filter) throws Exception {
        assertThat(CallFilter.parse(filter).wants(row)).isFalse();
    }

    /** A number that is not there is neither equal nor different; a text is empty. */
    @Test
    void whatIsNotThereComparesWithNothing() throws Exception {
        for (String filter : List.of("waker_tid == 0", "waker_tid != 0", "waker_tid < 1", "start_cpu == cpu", "start_cpu != cpu")) {
            assertThat(CallFilter.parse(filter).wants(bare)).as(filter).isFalse();
        }
        for (String filter : List.of("!(waker_tid == 0)", "waker == \"\"", "parent == ''", "thread == \"\"", "cause == on_cpu")) {
            assertThat(CallFilter.parse(filter).wants(bare)).as(filter).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "``|1|something is missing here",
            "wall|5|a comparison is missing",
            "wall >|7|something is missing here",
            "wal > 10ms|1|'wal' is no column; did you mean wall?",
            "frobs > 10ms|1|'frobs' is no column; a text stands in quotes, and the columns are host target start",
            "wall > 10ms && frobs == lock|16|'frobs' is no column",
            "wall > 10|8|'10' has no unit, and 'wall' is a time: write 10ms",
            "wall > 10 m|11|'m' is no unit: ns, us, ms and s are",
            "wall > 10min|10|'min' is no unit: ns, us, ms and s are",
            "wall > 0.5ns|8|'0.5ns' is no whole number of ns",
            "wall > 1.2.3s|8|'1.2.3s' is no number",
            "wall > 99999999999s|8|larger than any",
            "wall = 10ms|6|'=' compares nothing: write ==",
            "wall > 10ms & cpu == 1|13|'&' means nothing: write &&",
            "wall > 10ms cpu == 1|13|'cpu' stands where && or || is expected",
            "wall > 10ms)|12|this parenthesis closes none",
            "(wall > 10ms|1|this parenthesis is not closed",
            "(wall > 10ms cpu|14|'cpu' stands where",
            "wall > 10ms &&|15|something is missing here",
            "wall > \"10ms\"|8|'wall' is a number, and this is a text",
            "wall ~ \"1*\"|6|'wall' is a number: ~ compares texts",
            "wall > tid|8|'tid' can't be compared with 'wall'",
            "tid == 5ms|8|'tid' is no time",
            "tid == 5.5|8|no whole number",
            "function == price|13|'price' is no column; a text stands in quotes",
            "function > \"a\"|10|'function' is a text: == != and ~ compare it",
            "function ~ price|12|behind ~ stands a pattern in quotes",
            "function == 5|13|\"5\" stands in quotes",
            "function == wall|13|'wall' is no text",
            "function == \"price|13|the quote \" that begins here is not closed",
            "\"price_*\" ~ function|1|the name of a column stands before ~",
            "cause == locked|10|'locked' is no cause; they are on_cpu run_queue",
            "cause == wall|10|'wall' is no cause",
            "cause < lock|7|'cause' is a text",
            "5 == 5|1|neither side of == is a column",
            "wall > 10ms # slow|13|'#' means nothing here",
            "&& wall > 1ms|1|'&&' stands where the name of a column or a value is expected"})
    void pointsAtTheMistake(String filter, int column, String says) {
        assertThatExceptionOfType(SyntaxException.class).isThrownBy(() -> CallFilter.parse(filter)).satisfies(e -> {
            assertThat(e).hasMessageContaining(says);
            assertThat(e.column()).isEqualTo(column);
        });
    }

    @Test
    void oneSignOfTwoIsPointedAt() {
        assertThatExceptionOfType(SyntaxException.class).isThrownBy(() -> CallFilter.parse("wall > 10ms | cpu == 1"))
                .withMessage("'|' means nothing: write ||").satisfies(e -> assertThat(e.column()).isEqualTo(13));
    }

    @Test
    void whatIsNestedOrLongBeyondReasonIsRefused() {
        assertThatExceptionOfType(SyntaxException.class).isThrownBy(() -> CallFilter.parse("(".repeat(100_000)))
                .withMessageContaining("too many");
        assertThatExceptionOfType(SyntaxException.class).isThrownBy(() -> CallFilter.parse("!".repeat(500) + "wall > 0"))
                .withMessageContaining("nested");
        assertThatExceptionOfType(SyntaxException.class).isThrownBy(() -> CallFilter.parse("wall > 0 || ".repeat(1000) + "wall > 0"))
                .withMessageContaining("too many");
    }

    @Test
    void asLongAsItMayBeItWorks() throws Exception {
        assertThat(CallFilter.parse("wall < 0 || ".repeat(490) + "wall > 0").wants(row)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"wall,true", "lock,true", "on_cpu:asc,false", "start,false", "start:desc,true", "end,false", "tid,false", "function,false",
            "cause:desc,true"})
    void sortsTheLongestFirst(String text, boolean descending) throws Exception {
        assertThat(CallOrder.parse(text).descending()).isEqualTo(descending);
    }

    @Test
    void refusesToSortByWhatIsNoColumn() {
        assertThatExceptionOfType(SyntaxException.class).isThrownBy(() -> CallOrder.parse("wal:desc"))
                .withMessageContaining("did you mean wall?");
        assertThatExceptionOfType(SyntaxException.class).isThrownBy(() -> CallOrder.parse("wall:down"))
                .withMessageContaining("'wall:down' is no column");
    }
}
