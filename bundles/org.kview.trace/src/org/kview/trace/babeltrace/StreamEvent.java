// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

/** What all events of such a trace know beside their fields. */
interface StreamEvent {
    /** The file of its stream. */
    String channel();

    /** -1 where the trace does not say it. */
    int cpu();
}
