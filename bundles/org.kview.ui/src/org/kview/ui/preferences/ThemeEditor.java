// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.preferences;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.jface.preference.RadioGroupFieldEditor;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.preferences.ScopedPreferenceStore;
import org.kview.ui.theme.Themes;

/** The theme as a preference, which the theme engine keeps. */
final class ThemeEditor extends RadioGroupFieldEditor {
    private final Composite area;

    ThemeEditor(Composite parent) {
        super(Themes.THEME_KEY, "Theme", 2, new String[][] {{"&Light", Themes.LIGHT}, {"&Dark", Themes.DARK}}, parent, true);
        area = parent;
    }

    @Override
    public void setPreferenceStore(IPreferenceStore ofPage) {
        ScopedPreferenceStore engine = new ScopedPreferenceStore(InstanceScope.INSTANCE, Themes.ENGINE_NODE);
        engine.setDefault(Themes.THEME_KEY, Themes.isActive(Themes.DARK) ? Themes.DARK : Themes.LIGHT);
        super.setPreferenceStore(ofPage == null ? null : engine);
    }

    @Override
    protected void doStore() {
        String chosen = getSelectionValue();
        if (chosen != null && !chosen.equals(getPreferenceStore().getString(Themes.THEME_KEY))) {
            Themes.choose(area.getShell(), chosen);
        }
    }
}
