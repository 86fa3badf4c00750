// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import java.nio.charset.StandardCharsets;

import org.kview.model.CallCondition;
import org.kview.model.CallSplit;
import org.kview.model.CallTest;
import org.kview.model.CallValue;
import org.kview.wire.proto.Condition;
import org.kview.wire.proto.ConditionTest;
import org.kview.wire.proto.Split;
import org.kview.wire.proto.ValueDelta;

/** Converts which calls are measured, and by what their figures are split, to messages, and such values from them. */
final class WireConditions {
    private WireConditions() {
    }

    static Condition message(CallCondition condition) {
        Condition.Builder message = Condition.newBuilder();
        for (CallCondition.Step step : condition.steps()) {
            CallTest test = step.test();
            message.addTests(ConditionTest.newBuilder().setField(field(test.value())).setArgument(test.argument()).setBits(test.bits())
                    .setSign(sign(test.sign())).setMask(test.mask()).setComparison(comparison(test.comparison()))
                    .setValue(test.number()).setThreadName(test.threadName()).setIfTrue(step.ifTrue()).setIfFalse(step.ifFalse()));
        }
        return message.build();
    }

    /** What the kernel returns is always a long: none of it is an int below 0, such as an offset of 3 GiB. */
    static Condition ofSystemCall(CallCondition condition) {
        Condition.Builder message = message(condition).toBuilder();
        for (ConditionTest.Builder test : message.getTestsBuilderList()) {
            if (test.getField() == ConditionTest.Field.RETURNED && test.getSign() == ConditionTest.Sign.SIGNED_INT) {
                test.setSign(ConditionTest.Sign.SIGNED);
            }
        }
        return message.build();
    }

    static Split message(CallSplit split) {
        return Split.newBuilder().setField(field(split.value())).setArgument(split.argument()).setBits(split.bits())
                .setSign(sign(split.sign())).setMask(split.mask()).build();
    }

    /** Likewise. */
    static Split ofSystemCall(CallSplit split) {
        return split.sign() != CallTest.Sign.SIGNED_INT ? message(split) : message(split).toBuilder().setSign(ConditionTest.Sign.SIGNED).build();
    }

    static CallValue value(ValueDelta value) {
        return switch (value.getWhich()) {
            case NUMBER -> CallValue.of(value.getNumber());
            case THREAD_NAME -> CallValue.ofThread(value.getThreadName().toString(StandardCharsets.UTF_8));
            case OTHERS -> CallValue.of(CallValue.Kind.OTHERS);
            case UNKNOWN, WHICH_UNSPECIFIED, UNRECOGNIZED -> CallValue.of(CallValue.Kind.UNKNOWN);
        };
    }

    private static ConditionTest.Field field(CallTest.Value value) {
        return switch (value) {
            case ARGUMENT -> ConditionTest.Field.ARGUMENT;
            case RETURNED -> ConditionTest.Field.RETURNED;
            case TID -> ConditionTest.Field.TID;
            case THREAD_NAME -> ConditionTest.Field.THREAD_NAME;
        };
    }

    private static ConditionTest.Sign sign(CallTest.Sign sign) {
        return switch (sign) {
            case UNSIGNED -> ConditionTest.Sign.UNSIGNED;
            case SIGNED -> ConditionTest.Sign.SIGNED;
            case SIGNED_INT -> ConditionTest.Sign.SIGNED_INT;
        };
    }

    private static ConditionTest.Comparison comparison(CallTest.Comparison comparison) {
        return switch (comparison) {
            case EQUAL -> ConditionTest.Comparison.EQUAL;
            case DIFFERENT -> ConditionTest.Comparison.DIFFERENT;
            case LESS -> ConditionTest.Comparison.LESS;
            case LESS_OR_EQUAL -> ConditionTest.Comparison.LESS_OR_EQUAL;
            case GREATER -> ConditionTest.Comparison.GREATER;
            case GREATER_OR_EQUAL -> ConditionTest.Comparison.GREATER_OR_EQUAL;
        };
    }
}
