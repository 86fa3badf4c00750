// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.kview.ui.KviewUi;
import org.kview.ui.preferences.RecordingPreferences;
import org.osgi.service.prefs.BackingStoreException;
import org.osgi.service.prefs.Preferences;

/** The folders that the Sessions view has shown, the one that it shows first, and how it shows them. */
final class SessionFolders {
    static final int AT_MOST = 8;
    private static final String GROUPING_KEY = "grouping";

    private final Preferences preferences;
    private final Preferences recording;

    SessionFolders(Preferences preferences, Preferences recording) {
        this.preferences = preferences;
        this.recording = recording;
    }

    static SessionFolders ofWorkspace() {
        Preferences node = InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);
        return new SessionFolders(node.node("sessions.folders"), node);
    }

    /** Never empty; until another is chosen, where recordings go. */
    List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        for (int i = 0; i < AT_MOST; i++) {
            path(preferences.get(Integer.toString(i), "")).filter(p -> !folders.contains(p)).ifPresent(folders::add);
        }
        for (Path recordings : recordings()) {
            if (!folders.contains(recordings)) {
                folders.add(recordings);
            }
        }
        return folders;
    }

    Path current() {
        return folders().getFirst();
    }

    /** Where the last one went first. */
    private List<Path> recordings() {
        Path chosen = path(recording.get(RecordingPreferences.FOLDER_KEY, ""))
                .orElse(Path.of(System.getProperty("user.home"), "kview-sessions"));
        return path(recording.get(RecordingPreferences.LAST_FOLDER_KEY, "")).map(last -> List.of(last, chosen)).orElse(List.of(chosen));
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text).toAbsolutePath().normalize());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    void choose(Path folder) {
        List<Path> folders = new ArrayList<>(folders());
        Path chosen = folder.toAbsolutePath().normalize();
        folders.remove(chosen);
        folders.addFirst(chosen);
        for (int i = 0; i < Math.min(AT_MOST, folders.size()); i++) {
            preferences.put(Integer.toString(i), folders.get(i).toString());
        }
        flush();
    }

    /** How they are shown. */
    SessionGrouping grouping() {
        String name = preferences.get(GROUPING_KEY, "");
        return Arrays.stream(SessionGrouping.values()).filter(g -> g.name().equals(name)).findFirst()
                .orElse(SessionGrouping.NONE);
    }

    void setGrouping(SessionGrouping grouping) {
        preferences.put(GROUPING_KEY, grouping.name());
        flush();
    }

    private void flush() {
        try {
            preferences.flush();
        } catch (BackingStoreException e) {
            ILog.of(getClass()).warn("What the Sessions view shows could not be kept.", e);
        }
    }
}
