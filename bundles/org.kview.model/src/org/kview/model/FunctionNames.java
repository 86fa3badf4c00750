// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

/**
 * Which functions something is said of.
 *
 * @param text  a name, with its parameters or without, or a pattern with {@code *} and {@code ?}; empty for all of which nothing else
 *              is said
 * @param whole whether it is one name with all that belongs to it, whatever stands in it; it is written in quotes
 */
record FunctionNames(String text, boolean whole) {
    static final FunctionNames OTHERS = new FunctionNames("", false);

    /** How exactly it is a function that is named: 0 not at all, and the more the better. */
    int match(String function) {
        int parameters = function.indexOf('(');
        String name = parameters > 0 && !whole ? function.substring(0, parameters) : function;
        if (text.isEmpty()) {
            return 1;
        }
        if (text.equals(function)) {
            return 4;
        }
        if (text.equals(name)) {
            return 3;
        }
        return !whole && (matches(function) || matches(name)) ? 2 : 0;
    }

    private boolean matches(String name) {
        return Wildcards.match(text, name, (at, c) -> text.charAt(at) == c ? at + 1 : -1);
    }

    boolean areOthers() {
        return text.isEmpty();
    }

    /** As it is written; a name that has both kinds of quotes can't be. */
    @Override
    public String toString() {
        return !whole ? text : text.indexOf('\'') < 0 ? "'" + text + "'" : "\"" + text + "\"";
    }
}
