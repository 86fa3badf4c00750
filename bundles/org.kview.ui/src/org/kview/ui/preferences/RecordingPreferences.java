// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.preferences;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.ui.preferences.ScopedPreferenceStore;
import org.kview.model.Budget;
import org.kview.ui.KviewUi;
import org.kview.ui.text.TableTimes;

/** What the record wizard proposes: the preferences of the workspace. */
public final class RecordingPreferences {
    /** Where sessions go, as the user chose it once and for all. */
    public static final String FOLDER_KEY = "record.folder";
    /** Where the last one went, if that was elsewhere. */
    public static final String LAST_FOLDER_KEY = "record.folder.last";

    /** 0: until it is stopped. */
    static final String SECONDS_KEY = "record.seconds";
    static final String EVENTS_KEY = "record.events";
    static final String WAITS_KEY = "record.waits";
    static final String BUDGET_KEY = "record.budget";

    private final IPreferenceStore store;

    private RecordingPreferences(IPreferenceStore store) {
        this.store = store;
    }

    public static RecordingPreferences ofWorkspace() {
        return new RecordingPreferences(store());
    }

    static IPreferenceStore store() {
        ScopedPreferenceStore store = new ScopedPreferenceStore(InstanceScope.INSTANCE, KviewUi.BUNDLE_ID);
        store.setDefault(FOLDER_KEY, Path.of(System.getProperty("user.home"), "kview-sessions").toString());
        store.setDefault(EVENTS_KEY, true);
        store.setDefault(TableTimes.KEY, TableTimes.Unit.FITTING.name());
        store.setDefault(BUDGET_KEY, Budget.DEFAULT.toString());
        return store;
    }

    /** The one that was used last, until another is chosen in the preferences. */
    public String folder() {
        String last = store.getString(LAST_FOLDER_KEY);
        return last.isBlank() ? store.getString(FOLDER_KEY) : last;
    }

    /** The folder that was used last is proposed the next time. */
    public void setLastFolder(String folder) {
        store.setValue(LAST_FOLDER_KEY, folder.equals(store.getString(FOLDER_KEY)) ? "" : folder);
    }

    /** From now on recordings go where the preferences say. */
    void forgetLastFolder() {
        store.setToDefault(LAST_FOLDER_KEY);
    }

    /** How long; empty where it goes on until it is stopped. */
    public Optional<Integer> seconds() {
        return Optional.of(store.getInt(SECONDS_KEY)).filter(seconds -> seconds > 0);
    }

    public boolean events() {
        return store.getBoolean(EVENTS_KEY);
    }

    public boolean waits() {
        return store.getBoolean(WAITS_KEY);
    }

    /** How much of the process's CPU time the probes may take. */
    public Budget budget() {
        return Budget.parse(store.getString(BUDGET_KEY)).orElse(Budget.DEFAULT);
    }
}
