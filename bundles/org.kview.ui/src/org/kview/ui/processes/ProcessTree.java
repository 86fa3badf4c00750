// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.kview.model.SafeText;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.Column;

/**
 * The widget of the process list. Lines stay where they are and get other processes' texts: only cells
 * that differ are touched, so that a list of thousands can be renewed every second. Not virtual, see
 * {@link org.kview.ui.widgets.TableRows}.
 */
final class ProcessTree {
    /** If there are more, the user is asked to filter them: GTK takes some 0.1 ms for each line. */
    static final int LINES_AT_MOST = 5_000;

    private final Tree tree;
    /** The pids of those whose children are hidden; all others are open. */
    private final Set<Long> collapsed = new HashSet<>();
    private int room;
    private boolean filling;
    private Optional<Long> selected = Optional.empty();
    private Optional<TreeItem> selectedItem = Optional.empty();

    ProcessTree(Composite parent, Consumer<ProcessColumn> sort, Runnable open) {
        tree = new Tree(parent, SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        Column.create(tree, List.of(ProcessColumn.values()), sort);
        tree.addListener(SWT.Collapse, event -> remember(event, collapsed::add));
        tree.addListener(SWT.Expand, event -> remember(event, collapsed::remove));
        tree.addListener(SWT.Selection, event -> select((TreeItem) event.item));
        tree.addListener(SWT.DefaultSelection, event -> {
            select((TreeItem) event.item);
            open.run();
        });
    }

    Tree control() {
        return tree;
    }

    /**
     * Remembers what the user did. Events during filling are ignored: GTK also closes lines by itself, while for a
     * moment their children are those of another line.
     */
    private void remember(Event event, Consumer<Long> change) {
        if (!filling) {
            change.accept(row((TreeItem) event.item).process().pid());
        }
    }

    private static ProcessRow row(TreeItem item) {
        return (ProcessRow) item.getData();
    }

    private void select(TreeItem item) {
        selected = Optional.of(row(item).process().pid());
    }

    /** The chosen process, while it is in the list. */
    Optional<ProcessInfo> selection() {
        TreeItem[] items = tree.getSelection();
        return items.length == 0 ? Optional.empty() : Optional.of(row(items[0]).process());
    }

    /** @return whether all of them had room */
    boolean show(List<ProcessRow> rows) {
        room = LINES_AT_MOST;
        selectedItem = Optional.empty();
        Color faint = Palette.of(tree).faint();
        tree.setRedraw(false);
        filling = true;
        try {
            fill(null, rows, faint);
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

    private void fill(TreeItem parent, List<ProcessRow> rows, Color faint) {
        int count = Math.min(rows.size(), Math.max(room, 0));
        room -= rows.size();
        int there = parent == null ? tree.getItemCount() : parent.getItemCount();
        for (int i = there - 1; i >= count; i--) {
            item(parent, i).dispose();
        }
        for (int i = 0; i < count; i++) {
            TreeItem item = i < there ? item(parent, i)
                    : parent == null ? new TreeItem(tree, SWT.NONE) : new TreeItem(parent, SWT.NONE);
            fill(item, rows.get(i), faint);
        }
    }

    private TreeItem item(TreeItem parent, int index) {
        return parent == null ? tree.getItem(index) : parent.getItem(index);
    }

    private void fill(TreeItem item, ProcessRow row, Color faint) {
        ProcessRow before = (ProcessRow) item.getData();
        item.setData(row);
        for (ProcessColumn column : ProcessColumn.values()) {
            String text = column.text(row);
            if (before == null || !text.equals(column.text(before))) {
                item.setText(column.ordinal(), SafeText.line(text));
            }
        }
        if (before == null || before.matches() != row.matches()) {
            item.setForeground(row.matches() ? null : faint);
        }
        fill(item, row.children(), faint);
        if (selected.filter(pid -> pid == row.process().pid()).isPresent()) {
            selectedItem = Optional.of(item);
        }
    }

    /** From the top down: GTK opens no line below a closed one. */
    private void expand(TreeItem[] items) {
        for (TreeItem item : items) {
            if (item.getItemCount() > 0) {
                boolean open = !collapsed.contains(row(item).process().pid());
                if (item.getExpanded() != open) {
                    item.setExpanded(open);
                }
                if (open) {
                    expand(item.getItems());
                }
            }
        }
    }

    void expandAll() {
        collapsed.clear();
        expand(tree.getItems());
    }

    /** As a click on a process's line does. */
    boolean choose(long pid) {
        selected = Optional.of(pid);
        for (TreeItem item : tree.getItems()) {
            if (choose(item, pid)) {
                return true;
            }
        }
        return false;
    }

    private boolean choose(TreeItem item, long pid) {
        if (row(item).process().pid() == pid) {
            tree.setSelection(item);
            tree.notifyListeners(SWT.Selection, event(item));
            return true;
        }
        for (TreeItem child : item.getItems()) {
            if (choose(child, pid)) {
                return true;
            }
        }
        return false;
    }

    private static Event event(TreeItem item) {
        Event event = new Event();
        event.item = item;
        return event;
    }
}
