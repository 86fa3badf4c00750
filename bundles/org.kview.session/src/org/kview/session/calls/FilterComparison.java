// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.function.Predicate;

import org.kview.model.Metric;
import org.kview.model.SyntaxException;
import org.kview.session.calls.CallColumn.Kind;
import org.kview.session.calls.FilterOperand.Number;
import org.kview.session.calls.FilterOperand.Quoted;
import org.kview.session.calls.FilterOperand.Word;

/** Finds out what a comparison means, and refuses one that means nothing. */
record FilterComparison(FilterOperand left, FilterToken sign, FilterOperand right) {

    Predicate<CallRow> condition() throws SyntaxException {
        if (left instanceof Word word && word.named().isPresent()) {
            return of(word.named().get(), sign.text(), right);
        }
        if (right instanceof Word word && word.named().isPresent() && !sign.is("~")) {
            return of(word.named().get(), turned(sign.text()), left);
        }
        if (left instanceof Word word) {
            throw word.notKnown();
        }
        throw sign.is("~") ? wrong("the name of a column stands before ~", left.column())
                : right instanceof Word word ? word.notKnown()
                        : wrong("neither side of " + sign.text() + " is a column", left.column());
    }

    /** The sign that compares the same with the two sides exchanged. */
    private static String turned(String sign) {
        return switch (sign.charAt(0)) {
            case '<' -> sign.replace('<', '>');
            case '>' -> sign.replace('>', '<');
            default -> sign;
        };
    }

    private Predicate<CallRow> of(CallColumn column, String operator, FilterOperand other) throws SyntaxException {
        return switch (column.kind()) {
            case TEXT, CAUSE -> text(column, operator, other);
            case NANOS, NUMBER -> number(column, operator, other);
        };
    }

    private Predicate<CallRow> text(CallColumn column, String operator, FilterOperand other) throws SyntaxException {
        if (!operator.equals("~") && !operator.equals("==") && !operator.equals("!=")) {
            throw wrong("'" + column.name() + "' is a text: == != and ~ compare it", sign.column());
        }
        if (operator.equals("~")) {
            if (!(other instanceof Quoted pattern)) {
                throw wrong("behind ~ stands a pattern in quotes, such as \"get_*\"", other.column());
            }
            Glob glob = new Glob(pattern.text());
            return row -> glob.matches(column.text(row));
        }
        boolean same = operator.equals("==");
        if (column.kind() == Kind.CAUSE) {
            String cause = cause(other);
            Predicate<CallRow> condition = row -> column.text(row).equals(cause) == same;
            long number = Metric.ofId(cause).orElseThrow().ordinal();
            return same ? new BoundedCondition(condition, List.of(new CallBound(column, number, number))) : condition;
        }
        return switch (other) {
            case Quoted quoted -> row -> column.text(row).equals(quoted.text()) == same;
            case Number number -> throw wrong("'" + column.name() + "' is a text, so \"" + number.text() + "\" stands in quotes",
                    number.column());
            case Word word -> {
                CallColumn second = word.named().orElseThrow(word::notKnown);
                if (second.kind() != Kind.TEXT) {
                    throw wrong("'" + second.name() + "' is no text as '" + column.name() + "' is", word.column());
                }
                yield row -> column.text(row).equals(second.text(row)) == same;
            }
        };
    }

    private static String cause(FilterOperand other) throws SyntaxException {
        Metric cause = switch (other) {
            case Word word -> word.cause();
            case Quoted quoted -> new Word(quoted.text(), quoted.column()).cause();
            case Number number -> new Word(number.text(), number.column()).cause();
        };
        return cause.id();
    }

    private Predicate<CallRow> number(CallColumn column, String operator, FilterOperand other) throws SyntaxException {
        if (operator.equals("~")) {
            throw wrong("'" + column.name() + "' is a number: ~ compares texts", sign.column());
        }
        return switch (other) {
            case Quoted quoted -> throw wrong("'" + column.name() + "' is a number, and this is a text", quoted.column());
            case Number number -> {
                fits(column, number);
                yield numbers(column, operator, number.value().value());
            }
            case Word word -> {
                CallColumn second = word.named().orElseThrow(word::notKnown);
                if (second.kind() != column.kind()) {
                    throw wrong("'" + second.name() + "' can't be compared with '" + column.name() + "'", word.column());
                }
                yield numbers(column, operator, second);
            }
        };
    }

    private static void fits(CallColumn column, Number number) throws SyntaxException {
        boolean isTime = column.kind() == Kind.NANOS;
        if (isTime && !number.value().hasUnit() && number.value().value() != 0) {
            throw wrong("'" + number.text() + "' has no unit, and '" + column.name() + "' is a time: write " + number.text()
                    + "ms, or ns, us or s", number.column());
        }
        if (!isTime && number.value().hasUnit()) {
            throw wrong("'" + column.name() + "' is no time: '" + number.text() + "' has a unit too many", number.column());
        }
    }

    /** A comparison with something that is absent is always false. */
    private static Predicate<CallRow> numbers(CallColumn column, String operator, long value) {
        Predicate<CallRow> condition = row -> {
            long own = column.number(row);
            return own != CallColumn.ABSENT && holds(operator, Long.compare(own, value));
        };
        return switch (operator) {
            case "==" -> new BoundedCondition(condition, List.of(new CallBound(column, value, value)));
            case "<", "<=" -> new BoundedCondition(condition, List.of(new CallBound(column, Long.MIN_VALUE, value)));
            case ">", ">=" -> new BoundedCondition(condition, List.of(new CallBound(column, value, Long.MAX_VALUE)));
            default -> condition;
        };
    }

    private static Predicate<CallRow> numbers(CallColumn column, String operator, CallColumn second) {
        return row -> {
            long own = column.number(row);
            long other = second.number(row);
            return own != CallColumn.ABSENT && other != CallColumn.ABSENT && holds(operator, Long.compare(own, other));
        };
    }

    private static boolean holds(String operator, int order) {
        return switch (operator) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private static SyntaxException wrong(String message, int column) {
        return new SyntaxException(message, column);
    }
}
