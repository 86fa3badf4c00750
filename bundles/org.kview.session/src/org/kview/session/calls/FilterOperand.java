// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.Metric;
import org.kview.model.SyntaxException;

/** One side of a comparison, as it is written: what a word means depends on the other side. */
sealed interface FilterOperand {
    /** Where it begins. */
    int column();

    /** The name of a column, of a cause, or neither. */
    record Word(String text, int column) implements FilterOperand {
        Optional<CallColumn> named() {
            return CallColumn.of(text);
        }

        SyntaxException notKnown() {
            Optional<String> near = Names.nearest(text, CallColumn.columns().stream().map(CallColumn::name));
            String columns = CallColumn.columns().stream().map(CallColumn::name).collect(Collectors.joining(" "));
            return new SyntaxException("'" + text + "' is no column; " + near.map(name -> "did you mean " + name + "?")
                    .orElse("a text stands in quotes, and the columns are " + columns), column);
        }

        /** As a part of the wall-clock time. */
        Metric cause() throws SyntaxException {
            return Metric.ofId(text).filter(metric -> metric != Metric.WALL).orElseThrow(() -> new SyntaxException("'" + text
                    + "' is no cause; they are " + causes().collect(Collectors.joining(" ")), column));
        }
    }

    /** A text in quotes. */
    record Quoted(String text, int column) implements FilterOperand {
    }

    /** A number or a time. */
    record Number(FilterNumber value, String text, int column) implements FilterOperand {
    }

    /** What can be the largest part of a call. */
    private static Stream<String> causes() {
        return Stream.concat(Stream.of(Metric.ON_CPU), Metric.CAUSES.stream()).map(Metric::id);
    }

    static FilterOperand of(FilterToken token) {
        return token.kind() == FilterToken.Kind.QUOTED ? new Quoted(token.text(), token.column())
                : new Word(token.text(), token.column());
    }

    /** @param unit what stands behind the number after a blank */
    static FilterOperand number(FilterToken token, Optional<FilterToken> unit) throws SyntaxException {
        return new Number(FilterNumber.of(token, unit), token.text() + unit.map(FilterToken::text).orElse(""), token.column());
    }
}
