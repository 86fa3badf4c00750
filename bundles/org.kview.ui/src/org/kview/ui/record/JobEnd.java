// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.swt.widgets.Display;
import org.kview.ui.UiThread;

/** An agent serves one recording, trial or survey at a time: what comes next waits for the end of a job. */
final class JobEnd {
    private JobEnd() {
    }

    /** Cancels a job, and runs work after its end. On the UI thread, as the work; does not wait. */
    static void after(Optional<? extends Job> job, Runnable work) {
        if (job.isEmpty() || job.get().getState() == Job.NONE) {
            work.run();
            return;
        }
        Display display = Display.getCurrent();
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                UiThread.later(display, work);
            }
        };
        job.get().addJobChangeListener(new JobChangeAdapter() {
            @Override
            public void done(IJobChangeEvent event) {
                once.run();
            }
        });
        job.get().cancel();
        if (job.get().getState() == Job.NONE) {
            once.run(); // it ended before anybody listened
        }
    }
}
