// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IWorkbenchPartSite;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.Bookmark;
import org.kview.model.SafeText;
import org.kview.ui.KviewUi;
import org.kview.ui.commands.Commands;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.TableRows;

/** The bookmarks of the session that is open. */
final class BookmarkTable {
    private final Table table;
    private final NotesService service;
    private final IWorkbenchPartSite site;
    private final TableRows<Bookmark> lines;
    private List<Bookmark> shown = List.of();

    BookmarkTable(Composite parent, NotesService service, IWorkbenchPartSite site) {
        this.service = service;
        this.site = site;
        table = new Table(parent, SWT.VIRTUAL | SWT.SINGLE | SWT.FULL_SELECTION | SWT.BORDER | SWT.V_SCROLL | SWT.H_SCROLL);
        Heading.show(table, List.of(Heading.text("Bookmark", 190), Heading.text("Function", 130),
                Heading.text("When", 180)));
        lines = new TableRows<>(table, (item, bookmark) -> item.setText(SafeText.cells(new String[] {
            bookmark.text().isEmpty() ? "(no text)" : bookmark.text(), BookmarkText.function(bookmark),
            BookmarkText.when(bookmark)})));
        table.addListener(SWT.DefaultSelection, event -> goTo());
    }

    Table control() {
        return table;
    }

    void show(List<Bookmark> bookmarks) {
        shown = List.copyOf(bookmarks);
        lines.show(shown);
    }

    void install(IActionBars bars) {
        Action add = Actions.of("&Add Bookmark…", "bookmark_add", this::add);
        add.setToolTipText("Add a bookmark of the selected function and time");
        bars.getToolBarManager().add(add);
        MenuManager context = new MenuManager();
        context.add(Actions.of("&Go To", this::goTo));
        context.add(Actions.of("&Edit…", this::edit));
        context.add(new Separator());
        context.add(add);
        context.add(Actions.keyed(Actions.of("&Remove", this::remove), ActionFactory.DELETE));
        table.setMenu(context.createContextMenu(table));
        bars.updateActionBars();
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
