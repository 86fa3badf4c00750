// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.preferences;

import java.util.EnumMap;
import java.util.Map;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.preference.ColorFieldEditor;
import org.eclipse.jface.preference.ColorSelector;
import org.eclipse.jface.preference.FieldEditorPreferencePage;
import org.eclipse.jface.preference.PreferenceConverter;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPreferencePage;
import org.eclipse.ui.preferences.ScopedPreferenceStore;
import org.kview.model.Metric;
import org.kview.ui.KviewUi;
import org.kview.ui.theme.MetricColours;

/** The colours of causes in the views. */
public final class ColoursPreferencePage extends FieldEditorPreferencePage implements IWorkbenchPreferencePage {

    private final Map<Metric, ColorFieldEditor> editors = new EnumMap<>(Metric.class);

    public ColoursPreferencePage() {
        super(GRID);
        setDescription("Colours of causes in the views. Reports keep the defaults, which colour-blind people can tell apart.");
    }

    @Override
    public void init(IWorkbench workbench) {
        ScopedPreferenceStore store = new ScopedPreferenceStore(InstanceScope.INSTANCE, KviewUi.BUNDLE_ID);
        for (Metric metric : Metric.values()) {
            PreferenceConverter.setDefault(store, MetricColours.key(metric), MetricColours.standard(metric));
        }
        setPreferenceStore(store);
    }

    @Override
    protected void createFieldEditors() {
        for (Metric metric : Metric.values()) {
            ColorFieldEditor editor = new ColorFieldEditor(MetricColours.key(metric), metric.label() + ":", getFieldEditorParent());
            editors.put(metric, editor);
            addField(editor);
        }
    }

    /** The button that shows a metric's colour. */
    ColorSelector selector(Metric metric) {
        return editors.get(metric).getColorSelector();
    }
}
