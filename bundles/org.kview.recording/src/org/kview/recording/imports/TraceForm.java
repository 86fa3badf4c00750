// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import org.kview.babeltrace.Event;
import org.kview.model.Metric;
import org.kview.session.SessionException;

/** How a trace tells calls. It is read twice: to find out what is in it, and then to take its calls. */
sealed interface TraceForm permits OwnForm, PairForm {
    /** No program has so many that are measured at once. */
    int MOST_FUNCTIONS = 10_000;
    int MOST_THREADS = 200_000;

    /** The first time. @param nanos from the origin of the trace's clock */
    void outline(Event event, long nanos) throws SessionException;

    /** Whether calls can be taken from it. */
    boolean tellsCalls();

    /** The functions' names; their places in this list are their ids. */
    List<String> functions();

    /** What is known of each call. */
    Set<Metric> measured();

    /** The traced process's number; 0 if it is not known, or there are several. */
    long pid();

    /** Before the second time. @param offsetNanos what the session's clock is behind the trace's */
    void begin(long offsetNanos);

    /** The second time. @param nanos by the session's clock */
    void play(Event event, long nanos, int cpu, ImportedSession session) throws SessionException;

    /**
     * Events are missing from here on: what spans that can't be told.
     *
     * @param untilNanos up to when, by the session's clock; empty if only from before
     */
    void lost(OptionalLong untilNanos);

    /** What a reader of the session must know, one sentence each. */
    List<String> notes();
}
