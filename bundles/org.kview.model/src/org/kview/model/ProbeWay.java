// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;
import java.util.Optional;

/** How functions shall be measured, where a user has a say. */
public enum ProbeWay {
    /** The agent chooses. So far it measures by traps, because it puts code into a process only if the user says so. */
    AUTO("auto"),
    /** Functions are measured by traps. */
    TRAP("trap"),
    /** Functions are measured by jumps, which change the process's code; where no jump can be put, by traps. */
    JUMP("jump");

    private final String id;

    ProbeWay(String id) {
        this.id = id;
    }

    /** The name on the command line; never changes. */
    public String id() {
        return id;
    }

    public static Optional<ProbeWay> ofId(String id) {
        return Arrays.stream(values()).filter(way -> way.id.equals(id)).findFirst();
    }
}
