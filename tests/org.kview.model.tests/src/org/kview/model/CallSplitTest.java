// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.testing.Recorded;

/** By which value figures are split, and figures by values. */
class CallSplitTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "arg1; ARGUMENT; 1; 64; SIGNED; -1", "(int) arg5; ARGUMENT; 5; 32; SIGNED; -1", "(unsigned char) arg0; ARGUMENT; 0; 8; UNSIGNED; -1",
            "arg2 & 0xf0; ARGUMENT; 2; 64; UNSIGNED; 240", "(int16) arg2 & 3; ARGUMENT; 2; 16; SIGNED; 3", "retval; RETURNED; 0; 64; SIGNED_INT; -1",
            "(long) retval; RETURNED; 0; 64; SIGNED; -1", "(bool) retval; RETURNED; 0; 8; UNSIGNED; -1", "comm; THREAD_NAME; 0; 64; UNSIGNED; -1",
            "tid; TID; 0; 32; UNSIGNED; -1"})
    void isAValueAsConditionsHaveIt(String text, CallTest.Value value, int argument, int bits, CallTest.Sign sign, long mask) throws Exception {
        assertThat(CallSplit.parse(" " + text + " ")).isEqualTo(new CallSplit(text, value, argument, bits, sign, mask));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {"``; 1; something is missing", "arg6; 1; in no register", "arg1 > 3; 6; stands behind the value",
            "comm & 3; 8; has no bits", "(int) comm; 7; a type of its own", "arg1 &; 7; a number is missing", "arg1 & -1; 8; not below 0", "price; 1; nothing that a call has",
            "(arg1); 1; nothing that a call has"})
    void saysWhatIsWrongAndWhere(String text, int column, String message) {
        var wrong = catchThrowableOfType(SyntaxException.class, () -> CallSplit.parse(text));
        assertThat(wrong).as(text).isNotNull().hasMessageContaining(message);
        assertThat(wrong.column()).as(wrong.getMessage()).isEqualTo(column);
    }

    @ParameterizedTest
    @ValueSource(strings = {"arg1", "price: arg1", "syscall:read: retval", "arg1; shop::*: comm; 'pay(int)': (int) arg0 & 3"})
    void severalAreOneText(String text) throws Exception {
        assertThat(CallSplits.parse(text)).hasToString(text);
        assertThat(CallSplits.parse(CallSplits.parse(text).toString())).isEqualTo(CallSplits.parse(text));
    }

    @Test
    void eachFunctionHasItsOwn() throws Exception {
        CallSplits splits = CallSplits.parse("price*: arg1; price_total: comm");
        assertThat(splits.of("price_total").orElseThrow().text()).isEqualTo("comm");
        assertThat(splits.of("price").orElseThrow().text()).isEqualTo("arg1");
        assertThat(splits.of("pay")).isEmpty();
        assertThatThrownBy(() -> CallSplits.parse("arg1; arg2")).hasMessage("there are two values for all functions: a function is split by one");
        assertThat(splits.problem(List.of("pay"))).hasValueSatisfying(problem -> assertThat(problem).startsWith("A value is for price*, price_total, and no"));
        assertThat(CallSplits.parse("arg1").problem(IntStream.range(0, 9).mapToObj(i -> "f" + i).toList()))
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("The figures of 9 functions were to be split by values, and of at most 8"));
        assertThat(CallSplits.ofFunctions(List.of(function("f(int)", "arg1"), function("f(long)", "arg2"), function("g", ""))))
                .hasToString("'f(int)': arg1; 'f(long)': arg2");
    }

    @Test
    void valuesAreShownAsPeopleReadThem() {
        assertThat(CallValue.of(-3)).extracting(CallValue::text).isEqualTo("-3");
        assertThat(CallValue.of(4096).of("arg1")).isEqualTo("arg1 = 4096");
        assertThat(CallValue.of(0x7f20_c800_0b60L)).extracting(CallValue::text).isEqualTo("0x7f20c8000b60");
        assertThat(CallValue.ofThread("a\u001b[31mb").of("comm")).startsWith("comm = a").doesNotContain("\u001b");
        assertThat(CallValue.of(CallValue.Kind.OTHERS).of("arg1")).isEqualTo("arg1: other values");
    }

    private static ProbedFunction function(String name, String by) {
        return new ProbedFunction(0, name, new ProbePoint.UserFunction("/bin/x", name, 16, 16, 16), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", by);
    }

    private static ValueFigures wall(CallValue value, long uncertain, long... nanos) {
        Distribution.Builder wall = new Distribution.Builder();
        for (long each : nanos) {
            wall.add(each);
        }
        return new ValueFigures(value, Map.of(Metric.WALL, wall.build()), uncertain);
    }

    private static LatencyInterval interval(ValueFigures... values) {
        return new LatencyInterval(1, 2, List.of(new FunctionInterval(0, 10, 0, 0, Optional.of(CallFates.NONE), Map.of(), List.of(values))), Losses.NONE,
                ProcessShare.UNKNOWN, false);
    }

    @Test
    void intervalsAddUpByValue() {
        LatencyAccumulator sums = new LatencyAccumulator(List.of(function("f", "arg1")));
        sums.add(interval(wall(CallValue.of(1), 5, 10, 20), wall(CallValue.of(CallValue.Kind.OTHERS), 1, 9000)));
        sums.add(interval());
        sums.add(interval(wall(CallValue.of(2), 1, 500), wall(CallValue.of(1), 7, 30)));
        FunctionLatency f = sums.functions().getFirst();
        assertThat(f.values()).as("most time first, what is no single value last").containsExactly(wall(CallValue.of(2), 1, 500),
                wall(CallValue.of(1), 7, 10, 20, 30), wall(CallValue.of(CallValue.Kind.OTHERS), 1, 9000));
        assertThat(f.byValue()).extracting(row -> row.function().name()).containsExactly("f · arg1 = 2", "f · arg1 = 1", "f · arg1: other values");
        assertThat(f.byValue().get(1).calls()).isEqualTo(3);
        assertThat(f.byValue().get(1).errorShare()).hasValue(7.0 / 60);
    }

    /** As where a live recording's values come later than the function's figures, or another host is chosen. */
    @Test
    void theFunctionOfAValueIsFoundThoughNoCallHasTheValueAnyMore() {
        FunctionLatency f = split(wall(CallValue.of(7), 0, 10));
        FunctionLatency none = split();
        FunctionLatency other = new FunctionLatency(function("g", "arg1"), 1, 0, 0, Optional.empty(), Map.of());
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO, SessionInfo.State.STOPPED, "");
        LatencySnapshot later = new LatencySnapshot(info, List.of(other, none), Losses.NONE, Recorded.overhead(0, false), List.of());
        assertThat(later.whole(f.byValue().getFirst().function())).contains(none);
        assertThat(later.of(f.byValue().getFirst().function())).isEmpty();
    }

    /** They come from a foreign program. */
    @Test
    void thereAreNoMoreThanAnAgentTells() {
        LatencyAccumulator sums = new LatencyAccumulator(List.of(function("f", "arg1")));
        for (int i = 0; i < ValueFigures.MOST; i++) {
            sums.add(interval(wall(CallValue.of(i), 0, 1)));
        }
        List<FunctionLatency> before = sums.functions();
        assertThatThrownBy(() -> sums.add(interval(wall(CallValue.of(-1), 0, 1)))).isInstanceOf(IllegalArgumentException.class);
        assertThat(sums.functions()).isEqualTo(before);
    }

    @Test
    void hostsAddUpWhereTheyAreSplitAlike() {
        FunctionLatency one = new FunctionLatency(function("f", "arg1"), 2, 0, 0, Optional.empty(), Map.of(), List.of(wall(CallValue.of(1), 3, 10)));
        FunctionLatency other = new FunctionLatency(function("f", "arg1"), 2, 0, 0, Optional.empty(), Map.of(), List.of(wall(CallValue.of(1), 4, 30)));
        assertThat(MergedHosts.sum(List.of(one, other)).values()).containsExactly(wall(CallValue.of(1), 7, 10, 30));
        assertThat(MergedHosts.sum(List.of(one, other)).byValue()).noneMatch(FunctionLatency::atLeast);
        FunctionLatency whole = new FunctionLatency(function("f", ""), 2, 0, 0, Optional.empty(), Map.of());
        FunctionLatency sum = MergedHosts.sum(List.of(one, whole));
        assertThat(sum.values()).isEmpty();
        assertThat(sum.function().isSplit()).isFalse();
    }

    private static FunctionLatency split(ValueFigures... values) {
        return new FunctionLatency(function("f", "arg1"), 2, 0, 0, Optional.empty(), values.length == 0
                ? Map.of(Metric.WALL, new Distribution.Builder().add(1).build()) : Map.of(), List.of(values));
    }

    private static List<String> atLeast(FunctionLatency... hosts) {
        return MergedHosts.sum(List.of(hosts)).byValue().stream().filter(FunctionLatency::atLeast).map(f -> f.function().name()).toList();
    }

    /** A host counts a value among others where it has no room for more. */
    @Test
    void whatAHostMayHaveCountedAmongOthersIsSaidOfTheSum() {
        ValueFigures seven = wall(CallValue.of(7), 0, 10, 20);
        ValueFigures eight = wall(CallValue.of(8), 0, 30);
        ValueFigures others = wall(CallValue.of(CallValue.Kind.OTHERS), 0, 40);
        assertThat(atLeast(split(seven, eight), split(eight, others))).containsExactly("f · arg1 = 7");
        assertThat(atLeast(split(seven, eight, others), split(eight))).as("it was not called with it").isEmpty();
        assertThat(atLeast(split(seven), split())).as("a host whose values are lost").containsExactly("f · arg1 = 7");
        FunctionLatency sum = MergedHosts.sum(List.of(split(seven), split(eight, others)));
        assertThat(atLeast(sum, split(seven, eight))).as("of sums as well").containsExactly("f · arg1 = 7");
    }
}
