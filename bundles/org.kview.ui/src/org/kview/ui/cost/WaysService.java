// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.Optional;

import org.eclipse.ui.PlatformUI;
import org.kview.model.ComparedWays;

/** The comparison of ways to record that was made last: who closes the view, or opens another session, need not measure again. */
public final class WaysService {
    private Optional<ComparedWays> latest = Optional.empty();

    /** The workbench's. */
    static WaysService get() {
        return PlatformUI.getWorkbench().getService(WaysService.class);
    }

    synchronized Optional<ComparedWays> latest() {
        return latest;
    }

    synchronized void keep(ComparedWays ways) {
        latest = Optional.of(ways);
    }

    /** As if none had been compared yet. */
    synchronized void forget() {
        latest = Optional.empty();
    }
}
