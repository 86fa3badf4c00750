// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Where in the kernel a thread waited.
 *
 * @param functions of the kernel that had called each other, the innermost first; empty where a name is not known, or, if this
 *                  is no stack, in all
 * @param chosen    the index of the one that tells most
 */
public record WaitPlace(Kind kind, List<String> functions, int chosen) {
    public static final WaitPlace UNKNOWN = of(Kind.UNKNOWN);

    /** What is known of it. */
    public enum Kind {
        /** It could not be read, or the agent does not tell it. */
        UNKNOWN("unknown"),
        STACK("stack"),
        /** The kernel does not show the names of its functions to the agent's user. */
        HIDDEN("hidden"),
        /** There were too many stacks to be told apart: any of them. */
        OTHERS("others");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        /** The name in files and reports; never changes. */
        public String id() {
            return id;
        }

        public static Optional<Kind> ofId(String id) {
            return Arrays.stream(values()).filter(kind -> kind.id.equals(id)).findFirst();
        }
    }

    public WaitPlace {
        Objects.requireNonNull(kind);
        functions = List.copyOf(functions);
        if (kind == Kind.STACK ? chosen < 0 || chosen >= functions.size() : chosen != 0 || !functions.isEmpty()) {
            throw new IllegalArgumentException("No place: " + kind + ", " + chosen + " of " + functions.size() + " functions");
        }
    }

    /** One that is no stack. */
    public static WaitPlace of(Kind kind) {
        return new WaitPlace(kind, List.of(), 0);
    }

    /** "pipe_read", without what compilers add behind a full stop; empty where nothing is known of it that is worth telling for a single wait. */
    public String text() {
        return switch (kind) {
            case UNKNOWN, HIDDEN -> "";
            case STACK -> functions.get(chosen).isEmpty() ? "a function of the kernel without a name"
                    : withoutSuffix(functions.get(chosen));
            case OTHERS -> "places that were too many to be told apart";
        };
    }

    private static String withoutSuffix(String function) {
        int stop = function.indexOf('.', 1);
        return stop < 0 ? function : function.substring(0, stop);
    }
}
