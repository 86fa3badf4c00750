// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.kview.targets.values.FlowSpec;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.KviewUi;
import org.osgi.service.prefs.BackingStoreException;
import org.osgi.service.prefs.Preferences;

/**
 * What to follow. The workspace keeps what was followed last, which is proposed the next time.
 *
 * @param slowest how many calls are wanted
 */
record FlowWish(String systemCall, int seconds, int slowest) {
    static final int MOST_SECONDS = (int) FlowSpec.LONGEST.toSeconds();

    private static final Pattern NAME = Pattern.compile("[a-z0-9_]+");
    private static final String SYSTEM_CALL = "systemCall";
    private static final String SECONDS = "seconds";
    private static final String SLOWEST = "slowest";

    private static Preferences preferences() {
        return InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID).node("flow");
    }

    /** What was followed last. */
    static FlowWish last() {
        Preferences kept = preferences();
        FlowWish last = new FlowWish(kept.get(SYSTEM_CALL, "read"), kept.getInt(SECONDS, (int) FlowSpec.USUAL.toSeconds()),
                kept.getInt(SLOWEST, FlowSpec.USUAL_SLOWEST));
        return last.problem().isEmpty() ? last : new FlowWish("read", (int) FlowSpec.USUAL.toSeconds(), FlowSpec.USUAL_SLOWEST);
    }

    void keep() {
        Preferences kept = preferences();
        kept.put(SYSTEM_CALL, systemCall);
        kept.putInt(SECONDS, seconds);
        kept.putInt(SLOWEST, slowest);
        try {
            kept.flush();
        } catch (BackingStoreException e) {
            ILog.of(getClass()).warn("Which system call was followed last could not be kept.", e);
        }
    }

    /** Why it can't be followed, in one sentence; empty if nothing is known against it. */
    Optional<String> problem() {
        if (systemCall.isEmpty()) {
            return Optional.of("Name a system call.");
        }
        if (!NAME.matcher(systemCall).matches()) {
            return Optional.of("A system call has a name such as read or openat: lower-case letters, digits and _.");
        }
        return seconds >= 1 && seconds <= MOST_SECONDS && slowest >= 1 && slowest <= FlowSpec.MOST_SLOWEST ? Optional.empty()
                : Optional.of("Calls are followed for 1 to " + MOST_SECONDS + " s, and at most " + FlowSpec.MOST_SLOWEST + " of them are kept.");
    }

    FlowSpec of(ProcessInfo process) {
        return new FlowSpec(process.pid(), process.startNanos(), systemCall, Duration.ofSeconds(seconds), slowest);
    }
}
