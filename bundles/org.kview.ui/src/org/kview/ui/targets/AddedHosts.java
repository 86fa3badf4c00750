// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.kview.ssh.config.SshConfigException;
import org.kview.ssh.config.SshDestination;
import org.kview.targets.local.LocalTarget;
import org.kview.ui.KviewUi;
import org.osgi.service.prefs.BackingStoreException;
import org.osgi.service.prefs.Preferences;

/** The hosts that the user added by hand, in the order in which that was done. Kept in the workspace. */
public final class AddedHosts {
    private static final String KEY = "hosts";

    private final Preferences preferences;

    AddedHosts(Preferences preferences) {
        this.preferences = preferences;
    }

    static AddedHosts ofWorkspace() {
        return new AddedHosts(InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID).node("targets"));
    }

    /** {@code [user@]host[:port]} each: no blank is in any of them. */
    synchronized List<String> names() {
        return preferences.get(KEY, "").lines().filter(name -> problem(name).isEmpty()).toList();
    }

    /** Why a text names no host, in one sentence; empty if it does. */
    public static Optional<String> problem(String text) {
        if (text.equals(LocalTarget.NAME)) {
            return Optional.of("This machine is always there, as " + LocalTarget.NAME + ".");
        }
        try {
            SshDestination.parse(text);
            return Optional.empty();
        } catch (SshConfigException e) {
            return Optional.of(e.getMessage() + ".");
        }
    }

    synchronized void add(String name) {
        List<String> names = new ArrayList<>(names());
        if (!names.contains(name)) {
            names.add(name);
            store(names);
        }
    }

    synchronized void remove(String name) {
        List<String> names = new ArrayList<>(names());
        if (names.remove(name)) {
            store(names);
        }
    }

    private void store(List<String> names) {
        preferences.put(KEY, String.join("\n", names));
        try {
            preferences.flush();
        } catch (BackingStoreException e) {
            ILog.of(getClass()).warn("The list of added hosts could not be kept.", e);
        }
    }
}
