// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A value by which a function's figures are split.
 *
 * @param number of {@link Kind#NUMBER}, in two's complement; else 0
 * @param name   of {@link Kind#THREAD_NAME}; else empty
 */
public record CallValue(Kind kind, long number, String name) {
    /** Numbers with so many bits are addresses rather, or bits of their own. */
    private static final int HEXADECIMAL_FROM = 40;

    /** What it is. */
    public enum Kind {
        NUMBER("number"), THREAD_NAME("thread_name"),
        /** All values that have no figures of their own. */
        OTHERS("others"),
        /** What a call returned that went on where nobody saw it. */
        UNKNOWN("unknown");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        /** In files and reports. */
        public String id() {
            return id;
        }

        public static Optional<Kind> ofId(String id) {
            return Stream.of(values()).filter(kind -> kind.id.equals(id)).findFirst();
        }

        /** Whether it is one value. */
        public boolean isOne() {
            return this == NUMBER || this == THREAD_NAME;
        }
    }

    public CallValue {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
    }

    public static CallValue of(long number) {
        return new CallValue(Kind.NUMBER, number, "");
    }

    public static CallValue of(Kind kind) {
        return new CallValue(kind, 0, "");
    }

    public static CallValue ofThread(String name) {
        return new CallValue(Kind.THREAD_NAME, 0, name);
    }

    /** As a user reads it: 3, 0x7f20c8000b60, worker-1. */
    public String text() {
        return switch (kind) {
            case NUMBER -> number >> HEXADECIMAL_FROM == 0 || number >> HEXADECIMAL_FROM == -1 ? Long.toString(number)
                    : "0x" + Long.toHexString(number);
            case THREAD_NAME -> SafeText.line(name);
            case OTHERS -> "other values";
            case UNKNOWN -> "not known";
        };
    }

    /** Beside what it is a value of: "arg1 = 3", "arg1: other values". */
    public String of(String by) {
        return SafeText.line(by) + (kind.isOne() ? " = " : ": ") + text();
    }
}
