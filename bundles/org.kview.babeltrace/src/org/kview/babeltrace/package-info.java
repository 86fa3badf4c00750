// SPDX-License-Identifier: EPL-2.0

/**
 * Reads traces with libbabeltrace2, a native library that is found at run time and may be missing. Begin at
 * {@link org.kview.babeltrace.Babeltrace#load()}.
 *
 * <p><b>Ownership.</b> A {@link org.kview.babeltrace.Graph} or {@link org.kview.babeltrace.TraceReader} owns all that it
 * returned; closing it frees the native memory. A {@link org.kview.babeltrace.Message} and its
 * {@link org.kview.babeltrace.Field}s are good until the next call of {@code next}. What is used after that throws
 * {@link java.lang.IllegalStateException}; it never reads memory that was freed. All else is plain Java and stays good.
 *
 * <p><b>Threads.</b> The library keeps errors by thread. So a graph is used by the thread that created it, and by no other.
 *
 * <p><b>Units.</b> Times are ns from the origin of the trace's clock.
 *
 * <p><b>Foreign traces.</b> libbabeltrace2 ends the process where it finds a mistake of its own (a failed assertion). Whoever
 * reads traces that may be made to harm does so in a process that may end.
 */
package org.kview.babeltrace;
