// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.preferences;

import java.nio.file.Path;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.preference.DirectoryFieldEditor;
import org.eclipse.jface.preference.FieldEditorPreferencePage;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPreferencePage;
import org.eclipse.ui.preferences.ScopedPreferenceStore;
import org.kview.ui.KviewUi;

/** Settings that are chosen once and for all; others are chosen where they are used. */
public final class KviewPreferencePage extends FieldEditorPreferencePage implements IWorkbenchPreferencePage {
    /** Where the record wizard proposes to put sessions. */
    private static final String FOLDER_KEY = "record.folder";

    public KviewPreferencePage() {
        super(GRID);
        setDescription("The theme is chosen in the Window menu, columns and order of a table in its context menu, and hosts in the"
                + " Targets view. Keys are below General.");
    }

    @Override
    public void init(IWorkbench workbench) {
        ScopedPreferenceStore store = new ScopedPreferenceStore(InstanceScope.INSTANCE, KviewUi.BUNDLE_ID);
        store.setDefault(FOLDER_KEY, Path.of(System.getProperty("user.home"), "kview-sessions").toString());
        setPreferenceStore(store);
    }

    @Override
    protected void createFieldEditors() {
        addField(new DirectoryFieldEditor(FOLDER_KEY, "&Recordings go to:", getFieldEditorParent()) {
            /** It need not be there yet: it is made with the first recording. */
            @Override
            protected boolean doCheckState() {
                return !getStringValue().isBlank();
            }
        });
    }
}
