// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.model.SafeText;
import org.kview.session.report.MarkedFunctions;
import org.kview.ui.session.SessionService;

/**
 * One line above single calls: what has to be known of the times of their functions. Its tool tip says it in full. Takes no room
 * while there is nothing to say. Its parent must have a grid layout.
 */
final class MarksLine {
    /** The tool tip has more of a longer one: that much of each of its sentences. */
    private static final int MOST_CHARS = 500;

    private final CLabel label;
    /** What the text is of. */
    private Optional<LatencySnapshot> marked = Optional.empty();
    private Set<Integer> functions = Set.of();
    private String text = "";

    MarksLine(Composite parent) {
        // It shortens its text to the room that there is.
        label = new CLabel(parent, SWT.NONE);
        // Until then it has none, not even an empty one.
        label.setText("");
        label.setImage(PlatformUI.getWorkbench().getSharedImages().getImage(ISharedImages.IMG_OBJS_WARN_TSK));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).exclude(true).applyTo(label);
        label.setVisible(false);
    }

    /**
     * Says it of the session that is shown.
     *
     * @param chosen the functions of which calls are shown, by the numbers that they have in all hosts together; empty for all
     */
    void show(SessionService session, Set<Integer> chosen) {
        Optional<LatencySnapshot> figures = session.state().snapshot();
        if (figures.isEmpty()) {
            clear();
            return;
        }
        // Of a thousand functions this takes a while, and mostly a stretch of time was selected.
        if (marked.filter(before -> before == figures.get()).isPresent() && functions.equals(chosen)) {
            return;
        }
        marked = figures;
        functions = chosen;
        // A host has its own numbers for functions.
        Set<Object> same = session.wholeFigures().stream().flatMap(whole -> whole.functions().stream())
                .filter(latency -> chosen.contains(latency.function().id())).map(latency -> MergedHosts.identity(latency.function()))
                .collect(Collectors.toSet());
        Predicate<FunctionLatency> shown = latency -> chosen.isEmpty() || same.contains(MergedHosts.identity(latency.function()));
        show(String.join(";  ", MarkedFunctions.marks(figures.get(), shown)),
                MarkedFunctions.sentences(figures.get(), shown));
    }

    void clear() {
        marked = Optional.empty();
        show("", List.of());
    }

    private void show(String marks, List<String> sentences) {
        label.setToolTipText(SafeText.lines(sentences.stream().map(sentence -> SafeText.line(sentence, MOST_CHARS))
                .collect(Collectors.joining("\n"))));
        if (marks.equals(text)) {
            return;
        }
        text = marks;
        label.setText(SafeText.line(marks, MOST_CHARS).replace("&", "&&"));
        ((GridData) label.getLayoutData()).exclude = marks.isEmpty();
        label.setVisible(!marks.isEmpty());
        label.getParent().layout(true, true);
    }

    /** What can be read there; empty while it is not in sight. */
    String text() {
        return label.isVisible() && label.getSize().y > 0 ? label.getText() : "";
    }

    /** The same in full. */
    String inFull() {
        return label.getToolTipText();
    }
}
