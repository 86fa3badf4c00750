// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

/** What stands behind a field's name in the file of events. */
enum ValueType {
    /** Nothing follows: an option without content, or what no version of the bindings knows. */
    ABSENT,
    /** A long, with its sign. */
    SIGNED,
    /** A long without a sign. */
    UNSIGNED,
    /** The same, to be shown in hexadecimal digits. */
    ADDRESS,
    /** A long, and an int: the name of the label. */
    LABELLED,
    /** A double. */
    REAL,
    /** An int, and so many bytes of UTF-8. */
    TEXT,
    /** A structure. */
    STRUCTURE,
    /** A long: the number of elements; a short: how many of them follow, and these. */
    ARRAY,
    /** Nothing follows: the event holds more than is kept of one. */
    CUT;

    private static final ValueType[] ALL = values();

    /** @param number its place, as in the file */
    static ValueType of(byte number) {
        return ALL[number];
    }
}
