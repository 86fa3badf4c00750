// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What libbabeltrace2 could not do. Its message is one sentence without a full stop; it may hold what a trace says. */
public final class BabeltraceException extends Exception {
    private static final long serialVersionUID = 1;
    /** A trace may be made to give any number. */
    private static final int MOST_CAUSES = 32;

    private final transient List<ErrorCause> causes;

    BabeltraceException(String message, List<ErrorCause> causes) {
        super(message);
        this.causes = List.copyOf(causes);
    }

    BabeltraceException(String message) {
        this(message, List.of());
    }

    /** The causes, the innermost first; empty where the library gives none. */
    public List<ErrorCause> causes() {
        return causes == null ? List.of() : causes;
    }

    /** Takes the error of the current thread, so that the library can be called again. */
    static BabeltraceException taken(String sentence) {
        return left(sentence).orElseGet(() -> new BabeltraceException(sentence));
    }

    /** The same, empty if the thread has no error. */
    static Optional<BabeltraceException> left(String sentence) {
        try {
            long error = (long) Native.TAKE_ERROR.invokeExact();
            if (error == 0) {
                return Optional.empty();
            }
            List<ErrorCause> causes = new ArrayList<>();
            long count = Math.min(MOST_CAUSES, (long) Native.ERROR_CAUSES.invokeExact(error));
            for (long i = 0; i < count; i++) {
                long cause = (long) Native.ERROR_CAUSE.invokeExact(error, i);
                causes.add(new ErrorCause(Native.text((long) Native.CAUSE_MESSAGE.invokeExact(cause)),
                        Native.text((long) Native.CAUSE_MODULE.invokeExact(cause)),
                        Native.text((long) Native.CAUSE_FILE.invokeExact(cause)),
                        (long) Native.CAUSE_LINE.invokeExact(cause)));
            }
            Native.ERROR_RELEASE.invokeExact(error);
            return Optional.of(new BabeltraceException(causes.isEmpty() ? sentence
                    : sentence + ": " + causes.getFirst().message(), causes));
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }
}
