// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import org.kview.ctf.EventField;

/** How long a call took, where it returned. */
final class CallTimeAspect extends NanosAspect {
    private CallTimeAspect(String name, String help, EventField field) {
        super(name, help, field);
    }

    static CallTimeAspect wall() {
        return new CallTimeAspect("Wall-clock", "From the call's entry to its return, corrected for the probes' own cost",
                EventField.WALL);
    }

    static CallTimeAspect onCpu() {
        return new CallTimeAspect("On-CPU", "How much of the call's time its thread ran on a CPU", EventField.ON_CPU);
    }
}
