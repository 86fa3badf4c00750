// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.DND;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.TreeItem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.SessionNotes;
import org.kview.session.Progress;
import org.kview.session.library.SessionStore;
import org.kview.session.read.NotesFile;
import org.kview.session.read.SessionSummary;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

class SessionsViewTest {
    @TempDir
    Path folder;

    private SessionsView view;

    @BeforeEach
    void show() {
        view = Ui.view(SessionsView.ID, SessionsView.class);
    }

    @AfterEach
    void close() throws InterruptedException {
        Ui.get(SessionController::get).close().join();
        Ui.run(() -> {
            view.searchField().setText("");
            view.groupBy(SessionGrouping.NONE);
            view.showFolder(Path.of(System.getProperty("java.io.tmpdir"), "kview-no-such-folder"));
        });
        Ui.settle();
    }

    private void showFolder() throws InterruptedException {
        Ui.run(() -> view.showFolder(folder));
    }

    private List<String> names() {
        return Ui.get(() -> view.table().rows().shown().stream().map(s -> s.path().getFileName().toString()).toList());
    }

    /** Waits until the folder was read (an empty list is also what "Reading…" shows) and the list has these names. */
    private void awaitNames(String... names) throws InterruptedException {
        Set<String> wanted = Set.of(names);
        String message = wanted.isEmpty() ? "No sessions yet" : "";
        try {
            Ui.await("the list shows " + wanted, () -> view.messageText().lines().findFirst().orElse("").equals(message)
                    && Set.copyOf(view.table().rows().shown().stream().map(s -> s.path().getFileName().toString())
                            .toList()).equals(wanted));
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ", but it shows " + names(), e);
        }
    }

    /** What a change does is seen in the folder before it can be taken back: waits until all are done, as one follows the other. */
    private static void awaitChanged() throws InterruptedException {
        SessionChanges.work("Wait for what goes before", () -> { }).join();
    }

    private void select(String... names) {
        Ui.run(() -> {
            view.table().select(Stream.of(names).map(folder::resolve).collect(Collectors.toSet()));
            view.table().control().notifyListeners(SWT.Selection, new Event());
        });
    }

    private String text(int row, SessionColumn column) {
        return Ui.get(() -> view.table().control().getItem(row).getText(column.ordinal()));
    }

    private static Optional<Path> opened() {
        return Ui.get(() -> SessionService.get().state() instanceof SessionState.Opened(Path session, var _)
                ? Optional.of(session) : Optional.empty());
    }

    private void open(Path session) throws InterruptedException {
        Ui.get(SessionController::get).open(session).join();
        Ui.settle();
        assertThat(opened()).contains(session);
    }

    private static SessionSummary summary(Path session) {
        return SessionSummary.read(session);
    }

    @Test
    void tellsOfEachSessionWhatIsKnownOfIt() throws Exception {
        Path shop = SessionFixture.write(folder.resolve("shop.kview"), true);
        NotesFile.read(shop).write(new SessionNotes("Slow since Tuesday.\nSee ticket.", List.of("checkout", "4.2"),
                List.of()));
        Files.createDirectory(folder.resolve("empty.kview"));
        showFolder();
        awaitNames("shop.kview", "empty.kview");
        assertThat(text(0, SessionColumn.NAME)).isEqualTo("shop");
        assertThat(text(0, SessionColumn.TARGET)).isEqualTo("local (web-3)");
        assertThat(text(0, SessionColumn.PROCESS)).isEqualTo("checkout (4711)");
        assertThat(text(0, SessionColumn.DATE)).startsWith("2026-11-20 ").hasSize(16);
        assertThat(text(0, SessionColumn.DURATION)).isEqualTo("30 s");
        assertThat(text(0, SessionColumn.FUNCTIONS)).isEqualTo("6");
        assertThat(text(0, SessionColumn.SIZE)).endsWith(" kB");
        assertThat(text(0, SessionColumn.TAGS)).isEqualTo("checkout, 4.2");
        assertThat(text(0, SessionColumn.NOTES)).isEqualTo("Slow since Tuesday.");
        assertThat(text(1, SessionColumn.NOTES)).isEqualTo(
                "session.json is missing: this is no session of Kview Workbench, or a damaged one.");
        assertThat(text(1, SessionColumn.DURATION)).isEmpty();
        select("shop.kview");
        assertThat(Ui.get(() -> view.details().shownText())).contains("price_basket", "See ticket.", "with events");
        IStructuredSelection selection = Ui.get(() -> (IStructuredSelection) view.getSite().getSelectionProvider()
                .getSelection());
        assertThat(selection.getFirstElement()).isEqualTo(summary(shop));
    }

    @Test
    void searchesEverythingAndSorts() throws Exception {
        SessionFixture.write(folder.resolve("b.kview"), false);
        Path a = SessionFixture.write(folder.resolve("a.kview"), true);
        NotesFile.read(a).write(SessionNotes.NONE.withTags(List.of("Release 4.2")));
        showFolder();
        awaitNames("a.kview", "b.kview");
        for (String found : List.of("release", "4.2 PRICE_bask", "a.kv")) {
            Ui.run(() -> view.searchField().setText(found));
            assertThat(names()).as(found).containsExactly("a.kview");
            assertThat(Ui.get(() -> view.countText())).isEqualTo("1 of 2");
        }
        Ui.run(() -> view.searchField().setText("nowhere"));
        assertThat(names()).isEmpty();
        Ui.run(() -> view.searchField().setText(""));
        Ui.run(() -> view.table().sortBy(SessionColumn.NAME));
        assertThat(names()).containsExactly("a.kview", "b.kview");
        Ui.run(() -> view.table().sortBy(SessionColumn.NAME));
        assertThat(names()).containsExactly("b.kview", "a.kview");
        Ui.run(() -> view.table().sortBy(SessionColumn.SIZE));
        assertThat(names()).containsExactly("a.kview", "b.kview");
        Ui.run(() -> view.table().sortBy(SessionColumn.DATE));
    }

    private String tag(String name, String... tags) throws IOException {
        Path session = SessionFixture.write(folder.resolve(name), false);
        NotesFile.read(session).write(SessionNotes.NONE.withTags(List.of(tags)));
        return name;
    }

    /** "GROUP (n): NAME, NAME" for each group. */
    private List<String> groups() {
        return Ui.get(() -> Stream.of(view.table().control().getItems()).map(head -> head.getText() + ": "
                + Stream.of(head.getItems()).map(TreeItem::getText).collect(Collectors.joining(", "))).toList());
    }

    @Test
    void groupsByTagTargetProcessAndDay() throws Exception {
        tag("a.kview", "checkout", "4.1");
        tag("b.kview", "checkout");
        tag("c.kview");
        Files.createDirectory(folder.resolve("damaged.kview"));
        showFolder();
        awaitNames("a.kview", "b.kview", "c.kview", "damaged.kview");
        Ui.run(() -> view.table().sortBy(SessionColumn.NAME, false));
        select("b.kview");
        Ui.run(() -> view.groupBy(SessionGrouping.TAG));
        assertThat(groups()).containsExactly("checkout  (2): a, b", "4.1  (1): a", "without a tag  (2): c, damaged");
        assertThat(Ui.get(view::selected)).extracting(SessionSummary::name).containsExactly("b");
        select("a.kview");
        assertThat(Ui.get(view::selected)).as("once, though it stands in two groups").hasSize(1);
        Ui.run(() -> view.table().control().setSelection(view.table().control().getItem(0)));
        assertThat(Ui.get(view::selected)).as("a group is no session that could be deleted").isEmpty();

        Ui.run(() -> view.groupBy(SessionGrouping.TARGET));
        assertThat(groups()).containsExactly("local (web-3)  (3): a, b, c", "others  (1): damaged");
        Ui.run(() -> view.groupBy(SessionGrouping.PROCESS));
        assertThat(groups()).containsExactly("checkout  (3): a, b, c", "others  (1): damaged");
        Ui.run(() -> view.groupBy(SessionGrouping.DAY));
        assertThat(groups()).containsExactly("2026-11-20  (3): a, b, c", "others  (1): damaged");
        assertThat(SessionFolders.ofWorkspace().grouping()).as("for the next start").isEqualTo(SessionGrouping.DAY);

        Ui.run(() -> view.searchField().setText("4.1"));
        assertThat(groups()).containsExactly("2026-11-20  (1): a");
        Ui.run(() -> view.searchField().setText(""));
        Ui.run(() -> view.groupBy(SessionGrouping.NONE));
        assertThat(groups()).containsExactly("a: ", "b: ", "c: ", "damaged: ");
        Ui.run(() -> view.table().sortBy(SessionColumn.DATE, true));
    }

    @Test
    void aClosedGroupStaysClosedWhileTheFolderChanges() throws Exception {
        tag("a.kview", "x");
        showFolder();
        awaitNames("a.kview");
        Ui.run(() -> view.groupBy(SessionGrouping.TAG));
        Ui.run(() -> {
            TreeItem head = view.table().control().getItem(0);
            assertThat(head.getExpanded()).isTrue();
            Event event = new Event();
            event.item = head;
            view.table().control().notifyListeners(SWT.DefaultSelection, event);
            assertThat(head.getExpanded()).isFalse();
        });
        tag("b.kview", "x");
        awaitNames("a.kview", "b.kview");
        Ui.await("the group has both", () -> groups().getFirst().startsWith("x  (2)"));
        assertThat(Ui.get(() -> view.table().control().getItem(0).getExpanded())).isFalse();
    }

    @Test
    void followsTheFolder() throws Exception {
        showFolder();
        awaitNames();
        assertThat(Ui.get(() -> view.messageText())).startsWith("No sessions yet");
        Path a = SessionFixture.write(folder.resolve("a.kview"), false);
        awaitNames("a.kview");
        NotesFile.read(a).write(SessionNotes.NONE.withText("seen"));
        Ui.await("the note is seen", () -> text(0, SessionColumn.NOTES).equals("seen"));
        SessionStore.zip(a, Progress.NONE);
        awaitNames("a.kview", "a.kview.zip");
        assertThat(List.of(text(0, SessionColumn.NAME), text(1, SessionColumn.NAME))).containsExactlyInAnyOrder("a", "a (zip)");
        Files.delete(folder.resolve("a.kview.zip"));
        awaitNames("a.kview");
    }

    @Test
    void renamesDuplicatesZipsAndTakesItBack() throws Exception {
        Path shop = SessionFixture.write(folder.resolve("shop.kview"), true);
        showFolder();
        awaitNames("shop.kview");
        Ui.run(() -> view.actions().rename(summary(shop), "before"));
        awaitNames("before.kview");
        Ui.await("it is selected", () -> view.selected().size() == 1);
        Ui.run(() -> view.actions().create("Duplicate", SessionStore::duplicate));
        awaitNames("before.kview", "before copy.kview");
        select("before.kview");
        Ui.run(() -> view.actions().create("Zip", SessionStore::zip));
        awaitNames("before.kview", "before copy.kview", "before.kview.zip");
        awaitChanged();
        assertThat(SessionChanges.undoLabel()).isEqualTo("Undo Zip of before");
        SessionChanges.undo().join();
        awaitNames("before.kview", "before copy.kview");
        SessionChanges.undo().join();
        SessionChanges.undo().join();
        awaitNames("shop.kview");
        SessionChanges.redo().join();
        awaitNames("before.kview");
    }

    @Test
    void whatIsDeletedComesBackAndWhatIsTakenIsSaid() throws Exception {
        SessionFixture.write(folder.resolve("a.kview"), false);
        SessionFixture.write(folder.resolve("b.kview"), false);
        showFolder();
        awaitNames("a.kview", "b.kview");
        select("a.kview", "b.kview");
        Ui.run(() -> view.actions().delete());
        awaitNames();
        SessionChanges.undo().join();
        awaitNames("a.kview", "b.kview");
        var job = Ui.get(() -> SessionChanges.run("Rename of a", new org.kview.session.library.SessionChange.Rename(
                folder.resolve("a.kview"), "b"), done -> { }));
        job.setProperty(org.eclipse.ui.progress.IProgressConstants.NO_IMMEDIATE_ERROR_PROMPT_PROPERTY, true);
        job.join();
        assertThat(job.getResult().getMessage()).isEqualTo(
                folder.resolve("b.kview") + " exists already: choose another name");
        assertThat(job.getResult().isOK()).isFalse();
        awaitNames("a.kview", "b.kview");
    }

    @Test
    void theOpenSessionMovesAlong() throws Exception {
        Path shop = SessionFixture.write(folder.resolve("shop.kview"), true);
        showFolder();
        awaitNames("shop.kview");
        open(shop);
        Ui.run(() -> view.actions().rename(summary(shop), "renamed"));
        Ui.await("it is open under its new name", () -> opened().equals(Optional.of(folder.resolve("renamed.kview"))));
        awaitNames("renamed.kview");
        select("renamed.kview");
        Ui.run(() -> view.actions().delete());
        awaitNames();
        Ui.await("it is closed", () -> SessionService.get().state() instanceof SessionState.None);
        SessionChanges.undo().join();
        awaitNames("renamed.kview");
        open(folder.resolve("renamed.kview"));
    }

    @Test
    void salvagesASessionWithoutItsJson() throws Exception {
        Path shop = SessionFixture.write(folder.resolve("shop.kview"), true);
        Files.delete(shop.resolve("session.json"));
        showFolder();
        awaitNames("shop.kview");
        select("shop.kview");
        assertThat(Ui.get(() -> view.details().shownText())).contains("<a>Salvage</a>");
        Ui.run(() -> view.actions().salvage());
        awaitNames("shop.kview", "shop salvaged.kview");
        open(folder.resolve("shop salvaged.kview"));
    }

    @Test
    void aThousandSessions() throws Exception {
        Path one = SessionFixture.write(folder.resolve("0.kview"), false);
        byte[] json = Files.readAllBytes(one.resolve("session.json"));
        for (int i = 1; i < 1000; i++) {
            Files.write(Files.createDirectory(folder.resolve(i + ".kview")).resolve("session.json"), json);
        }
        long begin = System.nanoTime();
        showFolder();
        Ui.await("all are shown", () -> view.table().rows().total() == 1000);
        System.out.println("a thousand sessions shown after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
        assertThat(Ui.get(() -> view.table().control().getItemCount())).isEqualTo(1000);
    }

    @Test
    void aHostileNameIsShownOnOneLineAndNoMarkup() throws Exception {
        Path shop = SessionFixture.write(folder.resolve("a\n\u202e<a>b&c.kview"), false);
        NotesFile.read(shop).write(SessionNotes.NONE.withText("<a>click</a>"));
        showFolder();
        Ui.await("it is shown", () -> view.table().rows().total() == 1);
        assertThat(text(0, SessionColumn.NAME)).isEqualTo("a\ufffd\ufffd<a>b&c");
        Ui.run(() -> {
            view.table().control().setSelection(view.table().control().getItem(0));
            view.table().control().notifyListeners(SWT.Selection, new Event());
        });
        assertThat(Ui.get(() -> view.details().shownText())).doesNotContain("<a>");
    }

    @Test
    void whatIsDroppedIsFoundWhateverPartOfItWasDragged() throws IOException {
        Path shop = SessionFixture.write(folder.resolve("shop.kview"), true);
        String other = folder.resolve("readme.txt").toString();
        assertThat(SessionDrop.session(new String[] {other, shop.toString()})).contains(shop);
        assertThat(SessionDrop.session(new String[] {shop.resolve("trace/cpu_0").toString()})).contains(shop);
        assertThat(SessionDrop.session(new String[] {shop + ".zip"})).contains(Path.of(shop + ".zip"));
        assertThat(SessionDrop.session(new String[] {other})).contains(Path.of(other));
        assertThat(SessionDrop.session(new String[] {"\0"})).isEmpty();
        assertThat(Ui.get(() -> view.getSite().getShell().getData(DND.DROP_TARGET_KEY))).isNotNull();
    }

    @Test
    void keysInTheSearchFieldBelongToItsText() throws Exception {
        SessionFixture.write(folder.resolve("shop.kview"), false);
        SessionFixture.write(folder.resolve("cart.kview"), false);
        showFolder();
        awaitNames("shop.kview", "cart.kview");
        select("cart.kview");
        Ui.run(() -> view.actions().delete());
        awaitNames("shop.kview");
        awaitChanged();
        select("shop.kview");
        Ui.run(() -> view.getSite().getPage().activate(view));
        Ui.focus(view.searchField());
        assertThat(Ui.press(view.searchField(), SWT.CTRL, 'a')).isTrue();
        assertThat(Ui.press(view.searchField(), 0, SWT.DEL)).isTrue();
        assertThat(Ui.press(view.searchField(), SWT.CTRL, 'z')).isTrue();
        assertThat(Ui.press(view.searchField(), SWT.CTRL, 'c')).isTrue();
        Ui.focus(view.table().control());
        assertThat(Ui.press(view.table().control(), SWT.CTRL, 'z')).as("elsewhere in the view they are its own").isFalse();
        awaitNames("shop.kview", "cart.kview");
        assertThat(Ui.press(view.table().control(), SWT.CTRL, 'a')).isFalse();
        assertThat(Ui.get(view::selected)).hasSize(2);
    }
}
