// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.preferences;

import java.util.stream.Stream;

import org.eclipse.jface.preference.BooleanFieldEditor;
import org.eclipse.jface.preference.ComboFieldEditor;
import org.eclipse.jface.preference.DirectoryFieldEditor;
import org.eclipse.jface.preference.FieldEditorPreferencePage;
import org.eclipse.jface.preference.IntegerFieldEditor;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPreferencePage;
import org.kview.ui.text.TableTimes;

/** Settings that are chosen once and for all; others are chosen where they are used. */
public final class KviewPreferencePage extends FieldEditorPreferencePage implements IWorkbenchPreferencePage {
    private static final int LONGEST_SECONDS = 24 * 3600;
    private static final String[][] BUDGETS = {{"1 % of the process's CPU time", "1%"}, {"5 % of the process's CPU time", "5%"},
        {"20 % of the process's CPU time", "20%"}, {"None", "none"}};

    public KviewPreferencePage() {
        super(GRID);
        setDescription("What the record wizard proposes, and how the workbench looks. Columns and order of a table are chosen in its context menu, hosts in the"
                + " Targets view; keys are below General.");
    }

    @Override
    public void init(IWorkbench workbench) {
        setPreferenceStore(RecordingPreferences.store());
    }

    @Override
    public boolean performOk() {
        String before = getPreferenceStore().getString(RecordingPreferences.FOLDER_KEY);
        boolean done = super.performOk();
        if (!getPreferenceStore().getString(RecordingPreferences.FOLDER_KEY).equals(before)) {
            RecordingPreferences.ofWorkspace().forgetLastFolder();
        }
        return done;
    }

    @Override
    protected void createFieldEditors() {
        addField(new DirectoryFieldEditor(RecordingPreferences.FOLDER_KEY, "&Recordings go to:", getFieldEditorParent()) {
            /** It need not be there yet: it is made with the first recording. */
            @Override
            protected boolean doCheckState() {
                return !getStringValue().isBlank();
            }
        });
        IntegerFieldEditor seconds = new IntegerFieldEditor(RecordingPreferences.SECONDS_KEY, "&Seconds (0: until it is stopped):",
                getFieldEditorParent());
        seconds.setValidRange(0, LONGEST_SECONDS);
        seconds.setErrorMessage("A recording takes 0 to " + LONGEST_SECONDS + " s.");
        addField(seconds);
        addField(new ComboFieldEditor(RecordingPreferences.BUDGET_KEY, "&Budget:", BUDGETS, getFieldEditorParent()));
        addField(new BooleanFieldEditor(RecordingPreferences.EVENTS_KEY, "&Events: keep each call and each context switch as a trace, too",
                getFieldEditorParent()));
        addField(new BooleanFieldEditor(RecordingPreferences.WAITS_KEY, "&Waits: tell where calls waited, and who woke them",
                getFieldEditorParent()));
        addField(new ComboFieldEditor(TableTimes.KEY, "Times in &tables:", Stream.of(TableTimes.Unit.values())
                .map(unit -> new String[] {unit.label(), unit.name()}).toArray(String[][]::new), getFieldEditorParent()));
        addField(new ThemeEditor(getFieldEditorParent()));
    }
}
