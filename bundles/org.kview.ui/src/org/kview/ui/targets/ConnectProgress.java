// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.kview.model.SafeText;

/** Shows what a connection that is being made says, as the progress of the job that makes it. */
final class ConnectProgress {
    /** The monitors of the running jobs, by target. */
    private final Map<String, IProgressMonitor> monitors = new ConcurrentHashMap<>();

    void begin(String target, IProgressMonitor monitor) {
        monitors.put(target, monitor);
    }

    /** Does nothing where another job has begun since. */
    void end(String target, IProgressMonitor monitor) {
        monitors.remove(target, monitor);
    }

    /** Takes a target's sentences; ignores those that come while no job connects it. */
    Consumer<String> of(String target) {
        return sentence -> {
            IProgressMonitor monitor = monitors.get(target);
            if (monitor != null) {
                monitor.subTask(SafeText.line(sentence));
            }
        };
    }
}
