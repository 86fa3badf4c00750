// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import org.kview.model.LatencySnapshot;

/**
 * What was imported.
 *
 * @param figures as the session has them
 * @param whole   whether the trace could be read to its end; otherwise the session says why not
 */
public record ImportResult(LatencySnapshot figures, boolean whole) {
}
