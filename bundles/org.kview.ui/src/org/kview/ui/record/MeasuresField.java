// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.kview.model.SafeText;

/** What is counted within calls beside their time: a label and a box for each. */
final class MeasuresField {
    private static final String HELP = "Of functions of programs, measured by traps. Where this host does not have it, it is said why as the recording begins.";

    private final Composite area;
    private final Runnable changed;
    private final Map<String, Button> boxes = new LinkedHashMap<>();

    MeasuresField(Composite parent, Runnable changed) {
        this.changed = changed;
        new Label(parent, SWT.NONE).setText("Beside time:");
        area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(4).applyTo(area);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(area);
        box("alloc", "Page fau&lts");
        box("io", "Bloc&k I/O");
        box("counters", "Cycles, in&structions, cache misses");
    }

    private Button box(String measure, String text) {
        Button box = new Button(area, SWT.CHECK);
        box.setText(SafeText.lines(text));
        box.setToolTipText(HELP);
        box.addListener(SWT.Selection, _ -> changed.run());
        boxes.put(measure, box);
        return box;
    }

    /** Also those that only a newer workbench has, which get a box of their own. */
    void set(List<String> measures) {
        Stream.concat(boxes.keySet().stream().toList().stream(), measures.stream()).distinct()
                .forEach(measure -> Optional.ofNullable(boxes.get(measure)).orElseGet(() -> box(measure, measure.replace("&", "&&")))
                        .setSelection(measures.contains(measure)));
        area.requestLayout();
    }

    Optional<String> problem(boolean byJumps) {
        return byJumps && !measures().isEmpty() ? Optional.of("Jumps measure time alone: what calls take beside it needs traps.") : Optional.empty();
    }

    /** Their names, as --measure takes them. */
    List<String> measures() {
        return boxes.entrySet().stream().filter(box -> box.getValue().getSelection()).map(Map.Entry::getKey).toList();
    }
}
