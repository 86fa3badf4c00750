// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import org.kview.ctf.EventField;

/** How long a thread was off its CPU, where it came back. */
final class AwayTimeAspect extends NanosAspect {
    private AwayTimeAspect(String name, String help, EventField field) {
        super(name, help, field);
    }

    static AwayTimeAspect away() {
        return new AwayTimeAspect("Off-CPU", "How long the thread was away before it ran again", EventField.OFF_NANOS);
    }

    static AwayTimeAspect queued() {
        return new AwayTimeAspect("Queued", "How much of that time it could run and waited for a CPU",
                EventField.QUEUED_NANOS);
    }
}
