// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;

/**
 * Gets what was asked for when a wizard is finished.
 *
 * @param <T> where to record: a target or several
 */
@FunctionalInterface
interface WizardEnd<T> {
    void record(T where, ScopeSpec scope, RecordingRequest request);
}
