// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.kview.model.SafeText;
import org.kview.ui.theme.Palette;

/**
 * A tree of rows that change while the user looks at it. Lines stay where they are and get the texts of other rows. Only cells
 * whose text differs are changed, so a list of thousands can be renewed every second. {@link TableRows}
 * is for virtual tables; this tree is not virtual.
 *
 * @param <R> what a line shows
 * @param <C> what its columns are
 */
public final class RowsTree<R extends RowsTree.Row<R>, C extends Column<R>> {

    /** What a line shows. */
    public interface Row<R> {
        /** Identifies the row: it stays the same while the row is in the list, whatever else changes. */
        long id();

        /** The rows that stand below it, in order. */
        List<R> children();

        /** Whether it is there only because of what stands below it. */
        default boolean isFaint() {
            return false;
        }
    }

    private final Tree tree;
    private final List<C> columns;
    /** There are no more lines than that, as GTK takes some 0.1 ms for each of them. */
    private final int linesAtMost;
    /** The rows whose lines below are hidden; all others are open. */
    private final Set<Long> collapsed = new HashSet<>();
    private Function<R, Optional<Image>> image = _ -> Optional.empty();
    private Optional<Long> selected = Optional.empty();
    private Optional<TreeItem> selectedItem = Optional.empty();
    private boolean filling;
    private int room;

    /**
     * @param sort hears of a click on a column's head
     * @param open runs when a line is double-clicked, or Enter pressed on it
     */
    public RowsTree(Composite parent, List<C> columns, int linesAtMost, Consumer<C> sort, Runnable open) {
        this.columns = List.copyOf(columns);
        this.linesAtMost = linesAtMost;
        tree = new Tree(parent, SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        Column.create(tree, columns, sort);
        tree.addListener(SWT.Collapse, event -> remember(event, collapsed::add));
        tree.addListener(SWT.Expand, event -> remember(event, collapsed::remove));
        tree.addListener(SWT.Selection, event -> select((TreeItem) event.item));
        tree.addListener(SWT.DefaultSelection, event -> {
            if (choose((TreeItem) event.item)) {
                open.run();
            }
        });
    }

    public Tree control() {
        return tree;
    }

    /** From now on lines have images, in the first column. Who calls this frees them. */
    public RowsTree<R, C> withImages(Function<R, Optional<Image>> images) {
        image = images;
        return this;
    }

    /**
     * Remembers what the user did. Events during filling are ignored: GTK also closes lines by itself, while for a
     * moment their children are those of another line.
     */
    private void remember(Event event, Consumer<Long> change) {
        if (!filling) {
            change.accept(row((TreeItem) event.item).id());
        }
    }

    /** The data of each item is what {@link #fill} has put there. */
    @SuppressWarnings("unchecked")
    private R row(TreeItem item) {
        return (R) item.getData();
    }

    private void select(TreeItem item) {
        selected = Optional.of(row(item).id());
    }

    /**
     * The keyboard's place stays where a chosen line was that has left the list: there Enter comes with the line that stands there
     * now, which nobody has chosen. It is chosen then, to be seen.
     *
     * @return whether it was chosen already
     */
    private boolean choose(TreeItem item) {
        boolean chosen = selected.filter(id -> id == row(item).id()).isPresent();
        select(item);
        tree.setSelection(item);
        return chosen;
    }

    /** The chosen line, while it is in the list. */
    public Optional<R> selection() {
        TreeItem[] items = tree.getSelection();
        return items.length == 0 ? Optional.empty() : Optional.of(row(items[0]));
    }

    /** @return whether all of them had room */
    public boolean show(List<R> rows) {
        room = linesAtMost;
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

    private void fill(TreeItem parent, List<R> rows, Color faint) {
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

    private void fill(TreeItem item, R row, Color faint) {
        Optional<R> before = Optional.ofNullable(row(item));
        item.setData(row);
        for (C column : columns) {
            String text = column.text(row);
            if (before.isEmpty() || !text.equals(column.text(before.get()))) {
                item.setText(column.ordinal(), SafeText.line(text));
            }
        }
        Image drawn = image.apply(row).orElse(null);
        if (item.getImage() != drawn) {
            item.setImage(drawn);
        }
        if (before.isEmpty() || before.get().isFaint() != row.isFaint()) {
            item.setForeground(row.isFaint() ? faint : null);
        }
        fill(item, row.children(), faint);
        if (selected.filter(id -> id == row.id()).isPresent()) {
            selectedItem = Optional.of(item);
        }
    }

    /** From the top down: GTK opens no line below a closed one. */
    private void expand(TreeItem[] items) {
        for (TreeItem item : items) {
            if (item.getItemCount() > 0) {
                boolean open = !collapsed.contains(row(item).id());
                if (item.getExpanded() != open) {
                    item.setExpanded(open);
                }
                if (open) {
                    expand(item.getItems());
                }
            }
        }
    }

    /** Forgets which rows are chosen and which lines are hidden: the next rows are of something else. */
    public void forget() {
        collapsed.clear();
        selected = Optional.empty();
    }

    public void expandAll() {
        collapsed.clear();
        expand(tree.getItems());
    }

    /** As a click on its line does. */
    public boolean choose(long id) {
        selected = Optional.of(id);
        return choose(tree.getItems(), id);
    }

    private boolean choose(TreeItem[] items, long id) {
        for (TreeItem item : items) {
            if (row(item).id() == id) {
                Event event = new Event();
                event.item = item;
                tree.setSelection(item);
                tree.notifyListeners(SWT.Selection, event);
                return true;
            }
            if (choose(item.getItems(), id)) {
                return true;
            }
        }
        return false;
    }
}
