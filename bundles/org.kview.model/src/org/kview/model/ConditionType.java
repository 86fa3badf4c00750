// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Optional;

/** How many bits of a register are compared, and whether they have a sign. */
record ConditionType(int bits, boolean isSigned) {
    static final String NAMES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool int unsigned long";

    static Optional<ConditionType> of(String name) {
        return Optional.ofNullable(switch (name) {
            case "int8", "char", "signed char" -> new ConditionType(8, true);
            case "uint8", "unsigned char", "bool" -> new ConditionType(8, false);
            case "int16", "short" -> new ConditionType(16, true);
            case "uint16", "unsigned short" -> new ConditionType(16, false);
            case "int32", "int" -> new ConditionType(32, true);
            case "uint32", "unsigned", "unsigned int" -> new ConditionType(32, false);
            case "int64", "long" -> new ConditionType(64, true);
            case "uint64", "unsigned long" -> new ConditionType(64, false);
            default -> null;
        });
    }

    /** Whether a number is one of that type. */
    boolean holds(ConditionNumber number) {
        return isSigned ? number.value().bitLength() < bits : number.value().signum() >= 0 && number.value().bitLength() <= bits;
    }
}
