// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import org.eclipse.core.runtime.IProgressMonitor;
import org.kview.session.Progress;

/** Tells a job's monitor how far work on a session has come, and ends that work when the job is cancelled. */
public final class MonitorProgress implements Progress {
    private final IProgressMonitor monitor;
    private final int ticks;
    private int told;

    /** @param ticks of the monitor's that are the whole work */
    public MonitorProgress(IProgressMonitor monitor, int ticks) {
        this.monitor = monitor;
        this.ticks = ticks;
    }

    @Override
    public boolean isWanted(long doneBytes, long totalBytes) {
        int done = totalBytes == 0 ? 0 : (int) Math.min(ticks, (double) doneBytes / totalBytes * ticks);
        if (done > told) {
            monitor.worked(done - told);
            told = done;
        }
        return !monitor.isCanceled();
    }
}
