/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.record;

import java.nio.file.Path;
import java.util.Optional;

import org.kview.target.LocalTarget;
import org.kview.target.Target;

/** This machine as a target. */
public final class LocalAgent {
    /** Names the agent's executable; the launcher sets it. */
    static final String PROPERTY = "kview.agent";

    private LocalAgent() {
    }

    /** Empty where nobody has said where the agent is. */
    public static Optional<Target> target() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).filter(path -> !path.isBlank())
                .map(path -> new LocalTarget(Path.of(path)));
    }

    /** What to do where there is none. */
    public static String missing() {
        return "This workbench does not know where its agent is. Start it with ./kview, or with -D" + PROPERTY
                + "=PATH where PATH is the agent's executable.";
    }
}
