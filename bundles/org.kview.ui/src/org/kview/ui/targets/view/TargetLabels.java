// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import java.util.HashMap;
import java.util.Map;

import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.jface.resource.LocalResourceManager;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.jface.resource.ResourceManager;
import org.eclipse.jface.viewers.StyledCellLabelProvider;
import org.eclipse.jface.viewers.StyledString;
import org.eclipse.jface.viewers.ViewerCell;
import org.eclipse.swt.graphics.Image;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus;
import org.kview.ui.KviewUi;

/** A target, with its state after its name; below it, what it records. */
final class TargetLabels extends StyledCellLabelProvider {
    private final ResourceManager resources = new LocalResourceManager(JFaceResources.getResources());
    private final Map<String, Image> images = new HashMap<>();

    /** A recording that runs on a target. */
    record Running(TargetConnection connection, String session) {
    }

    @Override
    public void update(ViewerCell cell) {
        switch (cell.getElement()) {
            case TargetConnection connection -> {
                TargetStatus status = connection.status();
                StyledString text = new StyledString(SafeText.line(TargetText.name(connection)));
                String state = TargetText.state(status);
                if (!state.isEmpty()) {
                    text.append(SafeText.line("  " + state), StyledString.QUALIFIER_STYLER);
                }
                cell.setText(SafeText.line(text.getString()));
                cell.setStyleRanges(text.getStyleRanges());
                cell.setImage(image(icon(status.state())));
            }
            case Running running -> {
                cell.setText(SafeText.line(running.session()));
                cell.setStyleRanges(null);
                cell.setImage(image("record"));
            }
            default -> cell.setText("");
        }
        super.update(cell);
    }

    @Override
    public String getToolTipText(Object element) {
        return element instanceof TargetConnection connection && !connection.status().sentence().isEmpty()
                ? SafeText.line(connection.status().sentence()) : null;
    }

    private static String icon(TargetStatus.State state) {
        return switch (state) {
            case IDLE -> "target";
            case CONNECTING, RECONNECTING -> "target_busy";
            case CONNECTED -> "target_connected";
            case LOST -> "target_lost";
            case FAILED -> "target_failed";
        };
    }

    private Image image(String name) {
        return images.computeIfAbsent(name, n -> ResourceLocator.imageDescriptorFromBundle(KviewUi.BUNDLE_ID,
                "icons/" + n + ".svg").map(resources::create).orElseThrow());
    }

    @Override
    public void dispose() {
        super.dispose();
        resources.dispose();
    }
}
