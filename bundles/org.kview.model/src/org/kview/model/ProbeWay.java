// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;
import java.util.Optional;

/** How functions shall be measured, where a user has a say. */
public enum ProbeWay {
    /** As the agent chooses: so far by traps, as code is put into a process only if the user says so. */
    AUTO("auto"),
    /** By traps. */
    TRAP("trap"),
    /** By jumps, which change the process's code; functions in which none can be put, by traps. */
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
