// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.kview.ui.KviewUi;
import org.osgi.service.prefs.BackingStoreException;
import org.osgi.service.prefs.Preferences;

/** The sessions that were opened last, the latest first. */
public final class RecentSessions {
    static final int AT_MOST = 10;

    private final Preferences preferences;

    RecentSessions(Preferences preferences) {
        this.preferences = preferences;
    }

    /** Those of this workspace. */
    public static RecentSessions ofWorkspace() {
        return new RecentSessions(InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID).node("sessions.recent"));
    }

    public List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (int i = 0; i < AT_MOST; i++) {
            String text = preferences.get(Integer.toString(i), "");
            try {
                if (!text.isEmpty()) {
                    paths.add(Path.of(text));
                }
            } catch (InvalidPathException e) {
                ILog.of(getClass()).info("Not a path among the recent sessions: " + text);
            }
        }
        return paths;
    }

    void add(Path session) {
        List<Path> paths = paths();
        paths.remove(session);
        paths.addFirst(session);
        save(paths);
    }

    /** A session that was renamed keeps its place. */
    void replace(Path from, Path to) {
        List<Path> paths = paths();
        paths.remove(to);
        paths.replaceAll(path -> path.equals(from) ? to : path);
        save(paths);
    }

    private void save(List<Path> paths) {
        for (int i = 0; i < Math.min(AT_MOST, paths.size()); i++) {
            preferences.put(Integer.toString(i), paths.get(i).toString());
        }
        for (int i = paths.size(); i < AT_MOST; i++) {
            preferences.remove(Integer.toString(i));
        }
        try {
            preferences.flush();
        } catch (BackingStoreException e) {
            ILog.of(getClass()).warn("The list of recent sessions could not be kept.", e);
        }
    }
}
