// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.kview.model.SafeText;

/** A target could not do what was asked. The message is one sentence for the user. */
public final class TargetException extends Exception {
    private static final long serialVersionUID = 1;
    private static final int MOST_NAMES = 5;

    /** What went wrong, for those who act on it; the message is for the user. */
    public enum Kind {
        /** The target or its agent could not be started or did not answer. */
        NOT_REACHED,
        /** The agent ended, or its connection broke, while it was in use. */
        CONNECTION_LOST,
        NO_SUCH_PROCESS,
        PROCESS_ENDED,
        NO_SUCH_BINARY,
        /** The binary has no function symbols. */
        STRIPPED,
        /** {@link TargetException#suggestions()} holds similar names. */
        NO_SUCH_FUNCTION,
        /** The function exists, but can't be probed safely. */
        NOT_PROBEABLE,
        NO_PERMISSION,
        /** The target's kernel lacks something. */
        UNSUPPORTED,
        /** The connection already serves a recording. */
        BUSY,
        /** A limit of the agent was exceeded. */
        TOO_MANY,
        /** The agent did not accept the request's form: a mistake of this program. */
        BAD_REQUEST,
        FAILED
    }

    private final Kind kind;
    private final transient List<String> suggestions;

    /** @param message one sentence: what happened, to what, what to do next; kept as {@link SafeText} */
    public TargetException(Kind kind, String message) {
        this(kind, message, List.of());
    }

    public TargetException(Kind kind, String message, List<String> suggestions) {
        this(kind, message, suggestions, null);
    }

    public TargetException(Kind kind, String message, Throwable cause) {
        this(kind, message, List.of(), cause);
    }

    public TargetException(Kind kind, String message, List<String> suggestions, Throwable cause) {
        super(SafeText.line(Objects.requireNonNull(message)), cause);
        this.kind = kind;
        this.suggestions = List.copyOf(suggestions);
    }

    public Kind kind() {
        return kind;
    }

    /** Similar names, best first, where the kind is {@link Kind#NO_SUCH_FUNCTION}; otherwise empty. */
    public List<String> suggestions() {
        return suggestions;
    }

    /** " Similar names: a, b" to be put behind the message, with the best five; empty if there are none. */
    public String similarNames() {
        return suggestions.isEmpty() ? ""
                : suggestions.stream().limit(MOST_NAMES).collect(Collectors.joining(", ", " Similar names: ", ""));
    }

    /**
     * The same failure with the target in its message, for when several targets are used.
     *
     * @param target {@code [user@]host[:port]}; not repeated where the message names it already
     */
    public TargetException at(String target) {
        String host = target.replaceFirst("^.*@", "").replaceFirst(":[0-9]+$", "");
        return Pattern.compile("(?<![\\w./-])" + Pattern.quote(host) + "(?![\\w-]|[.]\\w)").matcher(getMessage()).find() ? this
                : new TargetException(kind, target + ": " + getMessage(), suggestions, this);
    }

    /** A connection ended by a programming mistake of this program. */
    public static TargetException mistake(Throwable e) {
        return new TargetException(Kind.FAILED,
                "A mistake in this program ended the connection; please report it: " + e, e);
    }

    /** The same failure for another waiting caller, so that its stack trace shows that caller. */
    public TargetException again() {
        return new TargetException(kind, getMessage(), suggestions, this);
    }
}
