// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import org.eclipse.core.runtime.jobs.ISchedulingRule;

/** One trial, survey or flow after the other: an agent serves one at a time. */
public enum TrialRule implements ISchedulingRule {
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
