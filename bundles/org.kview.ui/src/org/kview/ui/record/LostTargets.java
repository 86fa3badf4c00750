// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.TargetService;

/**
 * Connects a recording's targets again if their own link was lost. A recording's link is taken up by itself; once it is
 * back, this follows for the target's link. Used on the UI thread.
 */
final class LostTargets implements SessionListener {
    private final List<TargetConnection> targets;
    private final SessionService sessions = SessionService.get();
    /** One that can't be connected is not tried again and again. */
    private final Set<TargetConnection> tried = new HashSet<>();

    LostTargets(List<TargetConnection> targets) {
        this.targets = List.copyOf(targets);
        sessions.add(this);
    }

    /** The recording has ended. May be called from any thread. */
    void close() {
        sessions.remove(this);
    }

    @Override
    public void sessionChanged(SessionState state) {
        boolean linked = sessions.recording().orElse(null) instanceof SessionState.Recording recording
                && recording.link().isUp();
        for (TargetConnection target : targets) {
            TargetStatus.State now = target.status().state();
            if (now.isUp()) {
                tried.remove(target);
            } else if (linked && now == TargetStatus.State.LOST && tried.add(target)) {
                TargetService.get().connect(target);
            }
        }
    }
}
