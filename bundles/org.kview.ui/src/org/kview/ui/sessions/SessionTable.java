// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.jface.resource.LocalResourceManager;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.kview.model.SafeText;
import org.kview.session.read.SessionSummary;
import org.kview.ui.KviewUi;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.Column;
import org.kview.ui.widgets.Sorting;

/**
 * The table of sessions: a line each or, grouped, below a line for each group. Lines stay where they are
 * and get other texts. Not virtual, see {@link org.kview.ui.widgets.TableRows}.
 */
final class SessionTable {
    private final Tree tree;
    private final SessionRows rows = new SessionRows();
    private final LocalResourceManager images;
    /** Titles of groups; everything else is open. */
    private final Set<String> closed = new HashSet<>();

    /** What the line of a group shows. */
    private record Head(String title, int sessions) {
    }

    SessionTable(Composite parent) {
        tree = new Tree(parent, SWT.MULTI | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        images = new LocalResourceManager(JFaceResources.getResources(), tree);
        Column.create(tree, List.of(SessionColumn.values()), this::sortBy);
        tree.addListener(SWT.Collapse, event -> remember(event, closed::add));
        tree.addListener(SWT.Expand, event -> remember(event, closed::remove));
        tree.addListener(SWT.DefaultSelection, event -> {
            if (event.item instanceof TreeItem item && item.getData() instanceof Head head) {
                if (!closed.remove(head.title())) {
                    closed.add(head.title());
                }
                item.setExpanded(!closed.contains(head.title()));
            }
        });
        rows.sorting().show(tree);
    }

    private static void remember(Event event, Consumer<String> change) {
        if (event.item.getData() instanceof Head head) {
            change.accept(head.title());
        }
    }

    Tree control() {
        return tree;
    }

    SessionRows rows() {
        return rows;
    }

    void setSessions(List<SessionSummary> sessions) {
        change(() -> rows.setSessions(sessions));
    }

    void setSearch(String text) {
        change(() -> rows.setSearch(text));
    }

    void groupBy(SessionGrouping grouping) {
        closed.clear();
        change(() -> rows.groupBy(grouping));
    }

    /** As a click on the column's head does: a second one turns the order round. */
    void sortBy(SessionColumn column) {
        sort(rows.sorting().clicked(column));
    }

    void sortBy(SessionColumn column, boolean descending) {
        sort(new Sorting<>(column, descending));
    }

    private void sort(Sorting<SessionSummary, SessionColumn> sorting) {
        change(() -> rows.sort(sorting));
        sorting.show(tree);
    }

    private void change(Runnable change) {
        Set<Path> selected = selectedPaths();
        change.run();
        tree.setRedraw(false);
        try {
            show();
        } finally {
            tree.setRedraw(true);
        }
        mark(selected);
    }

    private void show() {
        if (rows.grouping() == SessionGrouping.NONE) {
            trim(rows.shown().size());
            for (int i = 0; i < rows.shown().size(); i++) {
                TreeItem item = i < tree.getItemCount() ? tree.getItem(i) : new TreeItem(tree, SWT.NONE);
                trim(item, 0);
                fill(item, rows.shown().get(i));
            }
            return;
        }
        List<SessionGrouping.Group> groups = rows.groups();
        trim(groups.size());
        for (int i = 0; i < groups.size(); i++) {
            TreeItem item = i < tree.getItemCount() ? tree.getItem(i) : new TreeItem(tree, SWT.NONE);
            List<SessionSummary> sessions = groups.get(i).sessions();
            fill(item, new Head(groups.get(i).title(), sessions.size()));
            trim(item, sessions.size());
            for (int j = 0; j < sessions.size(); j++) {
                fill(j < item.getItemCount() ? item.getItem(j) : new TreeItem(item, SWT.NONE), sessions.get(j));
            }
            item.setExpanded(!closed.contains(groups.get(i).title()));
        }
    }

    private void trim(int count) {
        for (int i = tree.getItemCount() - 1; i >= count; i--) {
            tree.getItem(i).dispose();
        }
    }

    private static void trim(TreeItem parent, int count) {
        for (int i = parent.getItemCount() - 1; i >= count; i--) {
            parent.getItem(i).dispose();
        }
    }

    private List<TreeItem> lines() {
        List<TreeItem> lines = new ArrayList<>();
        for (TreeItem item : tree.getItems()) {
            lines.add(item);
            lines.addAll(List.of(item.getItems()));
        }
        return lines;
    }

    private Set<Path> selectedPaths() {
        return selection().stream().map(SessionSummary::path).collect(Collectors.toSet());
    }

    private void mark(Set<Path> paths) {
        // Selecting scrolls; the list must stay where the user put it.
        if (!selectedPaths().equals(paths)) {
            tree.setSelection(lines().stream().filter(line -> line.getData() instanceof SessionSummary session
                    && paths.contains(session.path())).toArray(TreeItem[]::new));
        }
    }

    /** Selects these, as far as they are shown, and scrolls to the first. */
    void select(Set<Path> paths) {
        mark(paths);
        tree.showSelection();
    }

    /** Selected sessions, each once, in the order of the list. A selected group stands for none. */
    List<SessionSummary> selection() {
        return Arrays.stream(tree.getSelection()).map(TreeItem::getData).filter(SessionSummary.class::isInstance)
                .map(SessionSummary.class::cast).distinct().toList();
    }

    private void fill(TreeItem item, Head head) {
        if (!head.equals(item.getData())) {
            item.setData(head);
            String[] texts = new String[SessionColumn.values().length];
            Arrays.fill(texts, "");
            texts[SessionColumn.NAME.ordinal()] = clean(head.title()) + "  (" + head.sessions() + ")";
            item.setText(SafeText.cells(texts));
            item.setImage((Image) null);
            item.setFont(JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT));
            item.setForeground(SessionColumn.NOTES.ordinal(), null);
        }
    }

    private void fill(TreeItem item, SessionSummary session) {
        if (session.equals(item.getData())) {
            return;
        }
        item.setData(session);
        item.setFont(null);
        item.setText(SafeText.cells(Arrays.stream(SessionColumn.values()).map(column -> clean(column.text(session)))
                .toArray(String[]::new)));
        item.setImage(image(session));
        boolean ill = session.state() == SessionSummary.State.DAMAGED || session.state() == SessionSummary.State.CUT_OFF;
        item.setForeground(SessionColumn.NOTES.ordinal(), ill ? Palette.of(tree).warning() : null);
    }

    /** A name or a note of a hostile session must not break the line or turn its direction. */
    private static String clean(String text) {
        return SafeText.line(text, 500);
    }

    private Image image(SessionSummary session) {
        String icon = switch (session.state()) {
            case DAMAGED -> "session_damaged";
            case CUT_OFF -> "session_cut";
            case RECORDING -> "record";
            case WHOLE -> session.zip() ? "session_zip" : "session";
        };
        return ResourceLocator.imageDescriptorFromBundle(KviewUi.BUNDLE_ID, "icons/" + icon + ".svg")
                .map(images::get).orElse(null);
    }
}
