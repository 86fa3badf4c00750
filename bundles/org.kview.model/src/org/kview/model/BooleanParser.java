// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;

/**
 * Reads comparisons that {@code && || !} and parentheses join, with the precedence that they have in C.
 *
 * @param <P> the pieces of the text
 * @param <T> what comes of it
 */
public abstract class BooleanParser<P extends BooleanParser.Piece, T> {
    private final List<P> pieces;
    /** Each level takes some of this program's stack. */
    private final int mostNested;
    private int at;
    private int nested;

    /** A piece of the text. */
    public interface Piece {
        /** Whether it is that sign, and not a quoted text that looks like it. */
        boolean is(String sign);

        boolean isEnd();

        /** As a sentence names it. */
        String named();

        /** Where it begins, from 1. */
        int column();
    }

    /** @param pieces the last one is the end */
    protected BooleanParser(List<P> pieces, int mostNested) {
        this.pieces = List.copyOf(pieces);
        this.mostNested = mostNested;
    }

    protected abstract T either(T one, T other);

    protected abstract T both(T one, T other);

    protected abstract T not(T one);

    /** What begins at the next piece and has none of the signs. */
    protected abstract T comparison() throws SyntaxException;

    /** Whether the next piece, a parenthesis, opens more than the name of a type. */
    protected boolean opensGroup() {
        return true;
    }

    /** Reads all of it. */
    protected final T parseAll() throws SyntaxException {
        T all = or();
        P rest = peek();
        if (!rest.isEnd()) {
            throw new SyntaxException(rest.is(")") ? "this parenthesis closes none" : rest.named() + " stands where && or || is expected",
                    rest.column());
        }
        return all;
    }

    /** The piece so many behind the next one; the end where there are no more. */
    protected final P peek(int ahead) {
        return pieces.get(Math.min(at + ahead, pieces.size() - 1));
    }

    protected final P peek() {
        return peek(0);
    }

    protected final P take() {
        P piece = peek();
        // The last one, the end, is never passed.
        at = Math.min(at + 1, pieces.size() - 1);
        return piece;
    }

    protected final boolean takes(String sign) {
        boolean is = peek().is(sign);
        if (is) {
            take();
        }
        return is;
    }

    private T or() throws SyntaxException {
        T term = and();
        while (takes("||")) {
            term = either(term, and());
        }
        return term;
    }

    private T and() throws SyntaxException {
        T term = unary();
        while (takes("&&")) {
            term = both(term, unary());
        }
        return term;
    }

    private T unary() throws SyntaxException {
        P first = peek();
        boolean isGroup = first.is("(") && opensGroup();
        if (!first.is("!") && !isGroup) {
            return comparison();
        }
        if (++nested > mostNested) {
            throw new SyntaxException("more than " + mostNested + " parentheses and ! are nested here", first.column());
        }
        take();
        T term;
        if (isGroup) {
            term = or();
            close(first);
        } else {
            term = not(unary());
        }
        nested--;
        return term;
    }

    private void close(P opened) throws SyntaxException {
        if (!takes(")")) {
            throw new SyntaxException(peek().isEnd() ? "this parenthesis is not closed"
                    : peek().named() + " stands where && or || or a closing parenthesis is expected",
                    peek().isEnd() ? opened.column() : peek().column());
        }
    }
}
