// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallConditionTest {
    /** Registers of a call, by which steps are gone through as an agent does. */
    private record Registers(long[] arguments, long returned, long tid, String name) {
        long of(CallTest test) {
            return switch (test.value()) {
                case ARGUMENT -> arguments[test.argument()];
                case RETURNED -> returned;
                default -> tid;
            };
        }

        boolean holds(CallTest test) {
            if (test.value() == CallTest.Value.THREAD_NAME) {
                return name.equals(test.threadName()) == (test.comparison() == CallTest.Comparison.EQUAL);
            }
            boolean signed = test.sign() != CallTest.Sign.UNSIGNED;
            int shift = Long.SIZE - test.bits();
            long number = signed ? of(test) << shift >> shift : of(test) << shift >>> shift;
            if (test.sign() == CallTest.Sign.SIGNED_INT && number >>> 32 == 0) {
                number = (int) number;
            }
            number &= test.mask();
            int order = signed ? Long.compare(number, test.number()) : Long.compareUnsigned(number, test.number());
            return switch (test.comparison()) {
                case EQUAL -> order == 0;
                case DIFFERENT -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }

        boolean meet(CallCondition condition) {
            int at = 0;
            while (at < CallCondition.MOST_STEPS) {
                CallCondition.Step step = condition.steps().get(at);
                int next = holds(step.test()) ? step.ifTrue() : step.ifFalse();
                assertThat(next).as("only on").isGreaterThan(at);
                at = next;
            }
            return at == CallCondition.MATCHES;
        }
    }

    private static Registers call(long arg0, long arg1, long returned) {
        return new Registers(new long[] {arg0, arg1, 0, 0, 0, 0}, returned, 4711, "worker-1");
    }

    private static boolean meets(String condition, Registers call) throws SyntaxException {
        return call.meet(CallCondition.parse(condition));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
            // arg0, arg1, retval; each as a register has it
            "arg0 > 4096; 4097; 0; 0; true", "arg0 > 4096; 4096; 0; 0; false", "arg0 > 0x1000; 4097; 0; 0; true",
            "arg0 >= 3000000000; 3000000000; 0; 0; true", "arg1 == 7; 0; 7; 0; true", "arg1 != 7; 0; 7; 0; false",
            // What an int below 0 leaves in a register, and a long.
            "retval < 0; 0; 0; 4294967295; true", "retval < 0; 0; 0; -1; true", "retval < 0; 0; 0; 5; false",
            "retval > 100; 0; 0; 4294967295; false", "retval > 100; 0; 0; 8589934592; true", "arg0 == -1; 4294967295; 0; 0; true",
            "arg0 < 0; 4294967295; 0; 0; true", "arg0 >= 0; 4294967295; 0; 0; false", "arg0 > 4096; 4294967295; 0; 0; true",
            "retval == 4294967295; 0; 0; 4294967295; true",
            // With a type.
            "(int) retval < 0; 0; 0; 4294967295; true", "(long) retval < 0; 0; 0; 4294967295; false", "(unsigned) retval > 100; 0; 0; 4294967295; true",
            "(int8) arg0 < 0; 128; 0; 0; true", "(uint8) arg0 == 255; 511; 0; 0; true", "(unsigned long) arg0 > 1; -1; 0; 0; true",
            "(int) arg0 == 5; 8589934597; 0; 0; true", "(int32)arg0==-5; 4294967291; 0; 0; true", "(uint16) arg0 == 65535; -1; 0; 0; true",
            // Bits.
            "arg0 & 4; 6; 0; 0; true", "arg0 & 4; 3; 0; 0; false", "arg0 & 0xff == 1; 257; 0; 0; true", "(int) arg0 & 0x80000000; 2147483648; 0; 0; true",
            // Together.
            "arg0 == 1 && arg1 == 2; 1; 2; 0; true", "arg0 == 1 && arg1 == 2; 1; 3; 0; false", "arg0 == 1 || arg1 == 2; 0; 2; 0; true",
            "arg0 == 1 || arg0 == 2 && arg1 == 3; 1; 0; 0; true", "(arg0 == 1 || arg0 == 2) && arg1 == 3; 1; 0; 0; false",
            "!(arg0 == 1 || retval == 2); 0; 0; 3; true", "!!arg0 & 1; 1; 0; 0; true", "retval == 2 || arg0 == 1; 1; 0; 0; true",
            "retval == 2 && arg0 == 1; 1; 0; 2; true", "(retval < 0 && arg0 > 5) || (arg0 <= 5 && retval > 0); 3; 0; 9; true",
            // Its thread.
            "comm == \"worker-1\"; 0; 0; 0; true", "comm != 'worker-1'; 0; 0; 0; false", "tid == 4711; 0; 0; 0; true", "tid < 4711; 0; 0; 0; false"})
    void isTrueOfSomeCalls(String condition, long arg0, long arg1, long returned, boolean holds) throws Exception {
        assertThat(meets(condition, call(arg0, arg1, returned))).isEqualTo(holds);
    }

    /** A condition that was made up, and what it says. */
    private record MadeUp(String text, Predicate<Registers> meaning) {
        static MadeUp of(Random random, int depth) {
            if (depth == 0 || random.nextInt(4) == 0) {
                int argument = random.nextInt(3);
                int number = random.nextInt(2);
                return argument == 2 ? new MadeUp("retval == " + number, call -> call.returned == number)
                        : new MadeUp("arg" + argument + " == " + number, call -> call.arguments[argument] == number);
            }
            MadeUp one = of(random, depth - 1);
            MadeUp other = of(random, depth - 1);
            return switch (random.nextInt(3)) {
                case 0 -> new MadeUp("!(" + one.text + ")", one.meaning.negate());
                case 1 -> new MadeUp("(" + one.text + " && " + other.text + ")", one.meaning.and(other.meaning));
                default -> new MadeUp("(" + one.text + " || " + other.text + ")", one.meaning.or(other.meaning));
            };
        }
    }

    @Test
    void sayWhatTheirTextSays() {
        Random random = new Random(7);
        int constant = 0;
        for (int i = 0; i < 500; i++) {
            MadeUp made = MadeUp.of(random, 5);
            List<Registers> calls = IntStream.range(0, 27).mapToObj(n -> call(n % 3, n / 3 % 3, n / 9)).toList();
            try {
                CallCondition condition = CallCondition.parse(made.text);
                assertThat(calls).allSatisfy(call -> assertThat(call.meet(condition)).as(made.text).isEqualTo(made.meaning.test(call)));
                List<Boolean> late = condition.steps().stream().map(step -> step.test().value() == CallTest.Value.RETURNED).toList();
                assertThat(late).as("what calls return comes last").isSorted();
            } catch (SyntaxException e) {
                constant++;
                assertThat(calls.stream().map(made.meaning::test).distinct()).as(made.text + ": " + e.getMessage()).hasSize(1);
            }
        }
        assertThat(constant).as("those that are true of all or none").isLessThan(250);
    }

    @Test
    void isDecidedAsEarlyAsItCanBe() throws Exception {
        assertThat(CallCondition.parse("retval < 0 && arg0 > 5").steps()).extracting(step -> step.test().value())
                .containsExactly(CallTest.Value.ARGUMENT, CallTest.Value.RETURNED);
        assertThat(CallCondition.parse("retval < 0").isDecidedAtEnd()).isTrue();
        assertThat(CallCondition.parse("arg0 < 0").isDecidedAtEnd()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
            "``; 1; something is missing here", "arg0; 5; a comparison is missing", "arg0 >; 7; a number is missing", "arg0 = 1; 6; write ==",
            "arg6 == 1; 1; is in no register", "args == 1; 1; is nothing that a call has", "arg0 == x; 9; is no whole number",
            "arg0 == 1.5; 9; is no whole number", "arg0 == 0x; 9; is no whole number", "arg0 == 99999999999999999999; 9; more than 64 bits",
            "arg0 == \"x\"; 9; only comm", "comm == worker; 9; is no text in quotes", "comm > \"a\"; 6; have no order",
            "comm == \"a-name-of-16-byt\"; 9; at most 15 bytes", "comm & 1; 8; has no bits", "comm == \"open; 9; is not closed",
            "(arg0 == 1; 1; is not closed", "arg0 == 1); 10; closes none", "arg0 == 1 arg1 == 2; 11; && or ||",
            "arg0 == 1 | arg1 == 2; 11; write ||", "(float) arg0 == 1; 2; is nothing that a call has", "(int) tid == 1; 7; a type of its own",
            "(int8) arg0 == 128; 16; is no number that it can be", "(unsigned) arg0 == -1; 20; is no number that it can be",
            "arg0 & -1 == 1; 8; a mask is not below 0", "arg0 & 1 == -1; 13; not below 0", "arg0 == 1 && !(arg0 == 1); 1; is true of no call",
            "arg0 == 1 || arg0 != 1 || !(arg0 != 1); 1; is true of every call", "arg0 # 1; 6; means nothing here", "tid == -1; 8; is no number"})
    void saysWhatIsWrongAndWhere(String condition, int column, String message) {
        var wrong = catchThrowableOfType(SyntaxException.class, () -> CallCondition.parse(condition));
        assertThat(wrong).as(condition).isNotNull().hasMessageContaining(message);
        assertThat(wrong.column()).as(condition + ": " + wrong.getMessage()).isEqualTo(column);
    }

    @Test
    void ofWhatIsTooLongNoneIsMade() {
        String many = String.join(" && ", IntStream.range(0, 33).mapToObj(i -> "arg0 != " + i).toList());
        assertThatThrownBy(() -> CallCondition.parse(many)).hasMessageContaining("more than 32 comparisons");
        assertThatThrownBy(() -> CallCondition.parse("!".repeat(60) + "arg0 & 1")).hasMessageContaining("nested");
        assertThatThrownBy(() -> CallCondition.parse("(".repeat(60) + "arg0 & 1")).hasMessageContaining("nested");
        assertThatThrownBy(() -> CallCondition.parse("arg0 & 1" + " ".repeat(3000))).hasMessageContaining("too long");
        String wide = String.join(" || ", IntStream.range(0, 20).mapToObj(i -> "arg0 == " + i + " && arg1 == " + i + " && arg2 == " + i).toList());
        assertThatThrownBy(() -> CallCondition.parse(wide)).hasMessageContaining("more than 32 comparisons");
    }

    @ParameterizedTest
    @ValueSource(strings = {"arg0 > 1", "pay: arg0 > 1", "shop::pay: arg0 > 1", "arg0 > 1; shop::*: retval < 0", "comm == \"a:b;c\"", "syscall:read: retval < 0",
            "get?: comm == 'x: y'", "'shop::pay(int; char)': arg0 > 1", "\"pay('a')\": comm == \"x\"; pay: arg0 > 1"})
    void severalAreOneText(String text) throws Exception {
        CallConditions read = CallConditions.parse(text);
        assertThat(read).hasToString(text);
        assertThat(CallConditions.parse(read.toString())).isEqualTo(read);
    }

    @Test
    void eachFunctionHasItsOwnOrTheOneForAll() throws Exception {
        CallConditions read = CallConditions.parse("arg0 > 1; shop::pay*: retval < 0 ;; main: arg1 == 2;");
        assertThat(Arrays.asList("shop::pay(int)", "shop::payment", "main", "other", "shop::price()"))
                .extracting(name -> read.of(name).orElseThrow().text()).containsExactly("retval < 0", "retval < 0", "arg1 == 2", "arg0 > 1", "arg0 > 1");
        assertThat(read.problem(List.of("main"))).hasValueSatisfying(problem -> assertThat(problem).startsWith("A condition is for shop::pay*, and"));
        assertThat(read.problem(List.of("main", "shop::pay(int)"))).isEmpty();
        assertThat(CallConditions.parse("pay: arg0 > 1").of("other")).isEmpty();
        assertThat(CallConditions.parse("syscall:*: arg0 > 1; main: arg0 > 2").of("syscall:read").orElseThrow().text()).isEqualTo("arg0 > 1");
        assertThat(CallConditions.parse("  ").isEmpty()).isTrue();
        assertThatThrownBy(() -> CallConditions.parse("arg0 > 1; arg1 > 1")).hasMessageContaining("two conditions");
        var wrong = catchThrowableOfType(SyntaxException.class, () -> CallConditions.parse("arg0 > 1; pay: arg9 > 1"));
        assertThat(wrong.column()).isEqualTo(16);
    }

    /** Whatever comes first in the text. */
    @Test
    void aNameGoesBeforeAPattern() throws Exception {
        CallConditions read = CallConditions.parse("pay*: arg0 > 1; pay: arg0 > 2; 'pay(int)': arg0 > 3; *: arg0 > 4; arg0 > 5");
        assertThat(Arrays.asList("pay", "pay(long)", "pay(int)", "other")).extracting(name -> read.of(name).orElseThrow().text())
                .containsExactly("arg0 > 2", "arg0 > 2", "arg0 > 3", "arg0 > 4");
        assertThat(read.problem(List.of("pay", "pay(int)", "other"))).as("that are named").isEmpty();
        assertThat(read.problem(List.of("pay", "pay(int)", "payment"))).hasValueSatisfying(
                problem -> assertThat(problem).contains("several conditions for payment, which is one of pay* and of *: write"));
        assertThat(CallConditions.parse("pay*: arg0 > 1; *ment: arg0 > 1").problem(List.of("payment"))).as("that are one").isEmpty();
    }

    @Test
    void ofFunctionsThatDifferInParametersEachKeepsItsOwn() throws Exception {
        List<ProbedFunction> functions = List.of(function("pay(int)", "arg0 > 1"), function("pay(long)", "arg0 > 2"), function("pay(char)", ""),
                function("operator==('a', 'b')", "retval == 0"));
        CallConditions again = CallConditions.ofFunctions(functions);
        assertThat(functions).allSatisfy(f -> assertThat(again.of(f.name()).map(CallCondition::text).orElse("")).isEqualTo(f.condition()));
    }

    private static ProbedFunction function(String name, String condition) {
        return new ProbedFunction(0, name, new ProbePoint.UserFunction("/bin/x", name, 16, 16, 16), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, condition);
    }

    /** A template's text may be anybody's. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "a::", "<a", " ", "'a"})
    void whatIsTooLongIsRefusedAtOnce(String piece) {
        for (int length : new int[] {3_900, 100_000}) {
            String text = piece.repeat(length / piece.length());
            assertThatThrownBy(() -> CallConditions.parse(text + ": arg0 > 1" + text)).as(piece + " " + length).isInstanceOf(SyntaxException.class);
        }
    }

    @Test
    void aBoolIsInTheLowestBits() throws Exception {
        CallTest test = CallCondition.parse("(bool) retval != 0").steps().getFirst().test();
        assertThat(test.bits()).isEqualTo(8);
        assertThat(test.sign()).isEqualTo(CallTest.Sign.UNSIGNED);
    }
}
