/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.notes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IWorkbenchPartSite;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.Bookmark;
import org.kview.ui.KviewUi;
import org.kview.ui.commands.Commands;
import org.kview.ui.widgets.TableRows;

/** The bookmarks of the session that is open. */
final class BookmarkTable {
    private final Table table;
    private final NotesService service;
    private final IWorkbenchPartSite site;
    private List<Bookmark> shown = List.of();

    BookmarkTable(Composite parent, NotesService service, IWorkbenchPartSite site) {
        this.service = service;
        this.site = site;
        table = new Table(parent, SWT.SINGLE | SWT.FULL_SELECTION | SWT.BORDER | SWT.V_SCROLL | SWT.H_SCROLL);
        table.setHeaderVisible(true);
        addColumn("Bookmark", 190);
        addColumn("Function", 130);
        addColumn("When", 180);
        table.addListener(SWT.DefaultSelection, event -> goTo());
    }

    private void addColumn(String title, int width) {
        TableColumn column = new TableColumn(table, SWT.LEFT);
        column.setText(title);
        column.setWidth(width);
    }

    Table control() {
        return table;
    }

    void show(List<Bookmark> bookmarks) {
        shown = List.copyOf(bookmarks);
        TableRows.show(table, shown, (item, bookmark) -> item.setText(new String[] {
            bookmark.text().isEmpty() ? "(no text)" : bookmark.text(), BookmarkText.function(bookmark),
            BookmarkText.when(bookmark)}));
    }

    void install(IActionBars bars) {
        Action add = action("&Add Bookmark…", this::add);
        add.setToolTipText("Add a bookmark of the selected function and time");
        ResourceLocator.imageDescriptorFromBundle(KviewUi.BUNDLE_ID, "icons/bookmark_add.svg")
                .ifPresent(add::setImageDescriptor);
        bars.getToolBarManager().add(add);
        Action remove = action("&Remove", this::remove);
        remove.setActionDefinitionId(ActionFactory.DELETE.getCommandId());
        MenuManager context = new MenuManager();
        context.add(action("&Go To", this::goTo));
        context.add(action("&Edit…", this::edit));
        context.add(new Separator());
        context.add(add);
        context.add(remove);
        table.setMenu(context.createContextMenu(table));
        bars.updateActionBars();
    }

    private static Action action(String text, Runnable work) {
        return new Action(text) {
            @Override
            public void run() {
                work.run();
            }
        };
    }

    private Optional<Bookmark> selected() {
        int index = table.getSelectionIndex();
        return index >= 0 && index < shown.size() ? Optional.of(shown.get(index)) : Optional.empty();
    }

    private void add() {
        Commands.run(site, KviewUi.COMMAND_BOOKMARK);
    }

    void goTo() {
        selected().ifPresent(bookmark -> Bookmarks.goTo(site.getPage(), bookmark));
    }

    private void edit() {
        selected().filter(b -> service.state().canChange()).ifPresent(bookmark ->
                Bookmarks.ask(site.getShell(), "Edit Bookmark", bookmark)
                        .ifPresent(changed -> replace(bookmark, List.of(changed))));
    }

    void remove() {
        selected().ifPresent(bookmark -> replace(bookmark, List.of()));
    }

    private void replace(Bookmark bookmark, List<Bookmark> by) {
        service.change(notes -> {
            List<Bookmark> changed = new ArrayList<>(notes.bookmarks());
            int index = changed.indexOf(bookmark);
            if (index >= 0) {
                changed.remove(index);
                changed.addAll(index, by);
            }
            return notes.withBookmarks(changed);
        });
    }
}
