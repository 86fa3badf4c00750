// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.kview.model.SafeText;
import org.kview.ui.widgets.Column;

/** The widget of the list of kernel views. Lines stay where they are, and only cells that differ are touched. */
final class ViewsTree {
    /** An agent tells more, of a host where views come and go without end: GTK takes some 0.1 ms for each line. */
    static final int LINES_AT_MOST = 2_000;

    private final Tree tree;
    /** Of those whose lines below are hidden; all others are open. */
    private final Set<Long> collapsed = new HashSet<>();
    private Optional<Long> selected = Optional.empty();
    private Optional<TreeItem> selectedItem = Optional.empty();
    private boolean filling;
    private int room;

    ViewsTree(Composite parent, Consumer<ViewColumn> sort) {
        tree = new Tree(parent, SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        Column.create(tree, List.of(ViewColumn.values()), sort);
        tree.addListener(SWT.Collapse, event -> remember(event, collapsed::add));
        tree.addListener(SWT.Expand, event -> remember(event, collapsed::remove));
        tree.addListener(SWT.Selection, event -> selected = Optional.of(row((TreeItem) event.item).id()));
    }

    Tree control() {
        return tree;
    }

    /** GTK also closes lines by itself while they are filled. */
    private void remember(Event event, Consumer<Long> change) {
        if (!filling) {
            change.accept(row((TreeItem) event.item).id());
        }
    }

    private static ViewRow row(TreeItem item) {
        return (ViewRow) item.getData();
    }

    /** The chosen line, while it is in the list. */
    Optional<ViewRow> selection() {
        TreeItem[] items = tree.getSelection();
        return items.length == 0 ? Optional.empty() : Optional.of(row(items[0]));
    }

    /** @return whether all of them had room */
    boolean show(List<ViewRow> rows) {
        room = LINES_AT_MOST;
        selectedItem = Optional.empty();
        tree.setRedraw(false);
        filling = true;
        try {
            fill(null, rows);
            expand(tree.getItems());
            selectedItem.ifPresentOrElse(item -> {
                if (tree.getSelectionCount() == 0 || tree.getSelection()[0] != item) {
                    tree.setSelection(item);
                }
            }, tree::deselectAll);
        } finally {
            filling = false;
            tree.setRedraw(true);
        }
        return room >= 0;
    }

    private void fill(TreeItem parent, List<ViewRow> rows) {
        int count = Math.min(rows.size(), Math.max(room, 0));
        room -= rows.size();
        int there = parent == null ? tree.getItemCount() : parent.getItemCount();
        for (int i = there - 1; i >= count; i--) {
            item(parent, i).dispose();
        }
        for (int i = 0; i < count; i++) {
            TreeItem item = i < there ? item(parent, i)
                    : parent == null ? new TreeItem(tree, SWT.NONE) : new TreeItem(parent, SWT.NONE);
            fill(item, rows.get(i));
        }
    }

    private TreeItem item(TreeItem parent, int index) {
        return parent == null ? tree.getItem(index) : parent.getItem(index);
    }

    private void fill(TreeItem item, ViewRow row) {
        ViewRow before = row(item);
        item.setData(row);
        for (ViewColumn column : ViewColumn.values()) {
            String text = column.text(row);
            if (before == null || !text.equals(column.text(before))) {
                item.setText(column.ordinal(), SafeText.line(text));
            }
        }
        fill(item, row.children());
        if (selected.filter(id -> id == row.id()).isPresent()) {
            selectedItem = Optional.of(item);
        }
    }

    private void expand(TreeItem[] items) {
        for (TreeItem item : items) {
            boolean open = item.getItemCount() > 0 && !collapsed.contains(row(item).id());
            if (item.getExpanded() != open) {
                item.setExpanded(open);
            }
        }
    }
}
