// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import org.eclipse.core.runtime.jobs.ISchedulingRule;

/** One trial after the other: an agent records once at a time. */
enum TrialRule implements ISchedulingRule {
    INSTANCE;

    @Override
    public boolean contains(ISchedulingRule rule) {
        return rule == this;
    }

    @Override
    public boolean isConflicting(ISchedulingRule rule) {
        return rule == this;
    }
}
