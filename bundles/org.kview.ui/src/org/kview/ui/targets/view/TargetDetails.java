// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import java.util.ArrayList;
import java.util.List;

import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyleRange;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.widgets.Composite;
import org.kview.model.SafeText;
import org.kview.ui.theme.Palette;

/** Text about the chosen target that can be read, selected and copied. */
final class TargetDetails {
    private final StyledText text;
    private List<TargetText.Line> shown = List.of();
    private Palette palette;

    TargetDetails(Composite parent) {
        text = new StyledText(parent, SWT.MULTI | SWT.WRAP | SWT.READ_ONLY | SWT.V_SCROLL);
        text.setMargins(8, 6, 8, 6);
        text.setLineSpacing(2);
        text.setCaret(null);
    }

    StyledText control() {
        return text;
    }

    /** Leaves selection and scrolling alone where nothing changed. */
    void show(List<TargetText.Line> lines) {
        Palette now = Palette.of(text);
        if (lines.equals(shown) && now.equals(palette)) {
            return;
        }
        int top = text.getTopPixel();
        boolean same = !shown.isEmpty() && !lines.isEmpty() && shown.getFirst().equals(lines.getFirst());
        shown = List.copyOf(lines);
        palette = now;
        StringBuilder all = new StringBuilder();
        List<StyleRange> styles = new ArrayList<>();
        for (TargetText.Line line : lines) {
            if (line.kind() == TargetText.Line.Kind.HEADING && !all.isEmpty()) {
                all.append('\n');
            }
            String shownText = SafeText.line(line.text());
            StyleRange style = new StyleRange(all.length(), shownText.length(), colour(line.kind()), null);
            style.fontStyle = line.kind() == TargetText.Line.Kind.HEADING ? SWT.BOLD : SWT.NORMAL;
            styles.add(style);
            all.append(shownText).append('\n');
        }
        text.setText(SafeText.lines(all.toString()));
        text.setStyleRanges(styles.toArray(StyleRange[]::new));
        if (same) {
            text.setTopPixel(top);
        }
    }

    private Color colour(TargetText.Line.Kind kind) {
        return switch (kind) {
            case HEADING, PLAIN, GOOD -> palette.text();
            case BAD -> palette.warning();
            case FAINT -> palette.faint();
        };
    }
}
