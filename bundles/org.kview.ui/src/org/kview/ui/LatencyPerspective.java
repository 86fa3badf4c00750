// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.IPerspectiveFactory;

/** What stands together while one looks for the cause of a slow call. */
public final class LatencyPerspective implements IPerspectiveFactory {
    public static final String ID = "org.kview.ui.perspective.latency";

    @Override
    public void createInitialLayout(IPageLayout layout) {
        layout.setEditorAreaVisible(true);
        layout.addView("org.eclipse.ui.navigator.ProjectExplorer", IPageLayout.LEFT, 0.2f, IPageLayout.ID_EDITOR_AREA);
    }
}
