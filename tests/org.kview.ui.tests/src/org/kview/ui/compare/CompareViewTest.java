// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.XMLMemento;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.compare.report.ComparisonHtml;
import org.kview.compare.report.ComparisonPictures;
import org.kview.session.read.SessionSummary;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.commands.Commands;
import org.kview.ui.session.SessionController;
import org.kview.ui.widgets.HtmlExport;

class CompareViewTest {
    @TempDir
    Path folder;

    private Path before;
    private Path after;
    private CompareView view;

    @BeforeEach
    void record() throws Exception {
        before = ComparedFixture.write(folder.resolve("before.kview"), 1, "pay", "flush", "gone");
        after = ComparedFixture.write(folder.resolve("after.kview"), 3, "pay", "flush", "new");
    }

    @AfterEach
    void close() {
        if (view != null) {
            Ui.run(() -> {
                Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_RESTORED);
                Ui.page().hideView(view);
            });
        }
    }

    private void open(Path a, Path b) throws Exception {
        view = Ui.get(() -> CompareView.open(Ui.page(), a, b));
        Ui.await("it is compared", () -> !view.messageText().startsWith("Comparing"));
    }

    private List<String> column(CompareColumn column) {
        return Ui.get(() -> view.table().rows().stream().map(column::text).toList());
    }

    @Test
    void whatChangedMostComesFirstAndIsSelected() throws Exception {
        open(before, after);
        assertThat(column(CompareColumn.NAME)).containsExactly("pay", "flush", "gone", "new");
        assertThat(column(CompareColumn.VERDICT).getFirst()).startsWith("differs: ").contains("lock");
        assertThat(column(CompareColumn.VERDICT)).contains("no difference beyond noise", "only in A", "only in B");
        assertThat(Ui.get(view::summaryText)).startsWith("1 of 2 functions differs in these two recordings.");
        assertThat(Ui.get(view::getPartName)).isEqualTo("before → after");
        Table changes = view.changes().control();
        List<String> first = Ui.get(() -> List.of(changes.getItems()).stream().map(i -> i.getText(0)).toList());
        assertThat(first).containsExactly("calls a second", "total a second", "p50", "p90", "p99", "mean",
                "mean without waits for a CPU", "max", "on-CPU mean", "lock mean");
        assertThat(Ui.get(() -> changes.getItem(9).getText(6))).isEqualTo("differs");
    }

    @Test
    void bothDistributionsAreDrawn() throws Exception {
        open(before, after);
        // The views of the perspective leave it no room in a small window.
        Ui.run(() -> Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_MAXIMIZED));
        Ui.await("it is laid out", () -> view.canvas().getSize().x > 0 && view.canvas().getSize().y > 0);
        String svg = Ui.get(() -> view.canvas().svg());
        for (boolean isA : new boolean[] {true, false}) {
            assertThat(svg).containsIgnoringCase(String.format("%06x", ComparisonPictures.rgb(isA)));
        }
        Ui.run(() -> {
            view.table().control().setSelection(2);
            view.table().control().notifyListeners(SWT.Selection, new Event());
        });
        assertThat(Ui.get(() -> view.changes().control().getItemCount())).isZero();
        assertThat(Ui.get(() -> view.canvas().svg())).contains("Select a function that both sessions have");
    }

    @Test
    void swappedItIsTheOtherWayRound() throws Exception {
        open(before, after);
        String change = column(CompareColumn.MEAN_CHANGE).getFirst();
        assertThat(change).startsWith("+");
        Ui.run(() -> view.swapAction().run());
        Ui.await("it is compared anew", () -> view.getPartName().equals("after → before") && view.messageText().isEmpty());
        assertThat(column(CompareColumn.MEAN_CHANGE).getFirst()).isEqualTo("−" + change.substring(1));
        assertThat(column(CompareColumn.NAME)).containsExactly("pay", "flush", "new", "gone");
    }

    @Test
    void columnsSort() throws Exception {
        open(before, after);
        Ui.run(() -> view.table().sortBy(CompareColumn.NAME));
        assertThat(column(CompareColumn.NAME)).containsExactly("flush", "gone", "new", "pay");
        assertThat(Ui.get(() -> view.table().selection().orElseThrow().name())).isEqualTo("pay");
        Ui.run(() -> view.table().sortBy(CompareColumn.CALLS_B));
        assertThat(column(CompareColumn.NAME).getLast()).isEqualTo("gone");
        assertThat(Ui.get(() -> view.table().tsv())).startsWith("Function\tVerdict\tCalls A").hasLineCount(5);
    }

    private List<Path> group(String name, int factor) throws Exception {
        List<Path> group = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            group.add(ComparedFixture.write(folder.resolve(name + "-" + i + ".kview"), factor, 10 * i + factor, "pay", "flush"));
        }
        return group;
    }

    @Test
    void groupsShowWhatChangedAndHowRecordingsDiffer() throws Exception {
        ComparedPaths paths = new ComparedPaths(group("old", 1), group("new", 3));
        view = Ui.get(() -> CompareView.open(Ui.page(), paths));
        Ui.await("it is compared", () -> !view.messageText().startsWith("Comparing"));
        assertThat(Ui.get(view::summaryText)).startsWith("1 of 2 functions changed.").contains("A: old-1, old-2, old-3");
        assertThat(Ui.get(view::getPartName)).isEqualTo("old-1 +2 → new-1 +2");
        assertThat(column(CompareColumn.VERDICT).getFirst()).startsWith("changed: ");
        Table changes = view.changes().control();
        assertThat(Ui.get(() -> changes.getColumn(7).getWidth())).isPositive();
        assertThat(Ui.get(() -> changes.getItem(5).getText(6))).isEqualTo("changed");
        XMLMemento memento = XMLMemento.createWriteRoot("view");
        Ui.run(() -> view.saveState(memento));
        assertThat(ComparedPaths.restore(memento)).contains(paths);
        Ui.run(() -> view.swapAction().run());
        Ui.await("it is compared anew", () -> view.messageText().isEmpty()
                && view.shown().filter(c -> c.nameA().startsWith("new")).isPresent());
        assertThat(Ui.get(view::summaryText)).contains("B: old-1, old-2, old-3");
    }

    @Test
    void oneThatCantBeReadOfAGroupIsNamed() throws Exception {
        ComparedPaths paths = new ComparedPaths(group("old", 1), List.of(before, folder.resolve("gone.kview")));
        view = Ui.get(() -> CompareView.open(Ui.page(), paths));
        Ui.await("it is compared", () -> !view.messageText().startsWith("Comparing"));
        assertThat(Ui.get(view::messageText)).startsWith("The sessions can't be compared").contains("gone.kview");
    }

    @Test
    void aPairHasNoSpread() throws Exception {
        open(before, after);
        assertThat(Ui.get(() -> view.changes().control().getColumn(7).getWidth())).isZero();
    }

    @Test
    void repeatedRecordingsGoToTheirSides() {
        List<Path> inTime = List.of(Path.of("/s/old-1.kview"), Path.of("/s/new-1.kview"), Path.of("/s/old-2.kview"),
                Path.of("/s/new-2.kview"), Path.of("/s/new-3.kview"));
        assertThat(ComparedPaths.of(inTime).a()).containsExactly(Path.of("/s/old-1.kview"), Path.of("/s/old-2.kview"));
        assertThat(ComparedPaths.of(inTime).b()).hasSize(3);
        List<Path> others = List.of(Path.of("/s/a.kview"), Path.of("/s/b.kview"), Path.of("/s/c.kview"), Path.of("/s/d.kview"));
        assertThat(ComparedPaths.of(others).a()).containsExactly(others.get(0), others.get(1));
        assertThat(ComparedPaths.of(inTime.subList(0, 2)).isComparable()).isTrue();
        assertThat(CompareDialog.advice(1, 3)).startsWith("Choose one session for each side");
        assertThat(CompareDialog.advice(3, 3)).contains("called changed");
    }

    @Test
    void whatCantBeReadIsSaid() throws Exception {
        open(before, folder.resolve("none.kview"));
        assertThat(Ui.get(view::messageText)).startsWith("The sessions can't be compared").contains("none.kview");
    }

    @Test
    void damageIsWarnedOfAndTheRestCompared() throws Exception {
        Files.delete(after.resolve("latency.hlog"));
        open(before, after);
        assertThat(Ui.get(() -> view.banner().sentences())).anyMatch(s -> s.startsWith("B: latency.hlog is missing"));
        assertThat(column(CompareColumn.VERDICT).getFirst()).startsWith("not known");
    }

    @Test
    void sessionsWithNothingInCommonAreListed() throws Exception {
        open(before, ComparedFixture.write(folder.resolve("other.kview"), 1, "else"));
        assertThat(Ui.get(view::summaryText)).startsWith("The sessions have no function in common.");
        assertThat(column(CompareColumn.NAME)).containsExactly("pay", "flush", "gone", "else");
    }

    /** The one that was recorded last before it, not the first; of the same program. */
    @Test
    void theOpenSessionIsComparedWithThePreviousOne() throws Exception {
        Path between = ComparedFixture.write(folder.resolve("between.kview"), 2, "pay", "flush");
        try {
            Ui.get(SessionController::get).open(after).join();
            Ui.run(() -> Ui.page().getWorkbenchWindow().getShell().getDisplay()
                    .asyncExec(() -> Commands.run(Ui.page().getWorkbenchWindow(), KviewUi.COMMAND_COMPARE_PREVIOUS)));
            Ui.await("the comparison opens", () -> compareView().isPresent());
            view = Ui.get(() -> compareView().orElseThrow());
            Ui.await("it is compared", () -> view.shown().isPresent());
            assertThat(Ui.get(view::getTitleToolTip)).isEqualTo("A: " + between + "\nB: " + after);
            assertThat(column(CompareColumn.NAME)).containsExactly("pay", "flush", "new");
        } finally {
            Ui.get(SessionController::get).close().join();
        }
    }

    private static Optional<CompareView> compareView() {
        return Arrays.stream(Ui.page().getViewReferences()).map(reference -> reference.getView(false)).filter(CompareView.class::isInstance)
                .map(CompareView.class::cast).findFirst();
    }

    @Test
    void itComesBackWithTheWorkbench() throws Exception {
        open(before, after);
        XMLMemento memento = XMLMemento.createWriteRoot("view");
        Ui.run(() -> view.saveState(memento));
        assertThat(memento.getString("a")).isEqualTo(before.toString());
        assertThat(memento.getString("b")).isEqualTo(after.toString());
    }

    @Test
    void selectedSessionsAreComparedInTheirOrderOfTime() throws Exception {
        SessionSummary early = SessionSummary.read(before);
        SessionSummary late = SessionSummary.read(after);
        assertThat(CompareSelectedHandler.inTime(List.of(late, "else", early))).extracting(SessionSummary::path)
                .containsExactly(before, after);
    }

    @Test
    void itIsExported() throws Exception {
        open(before, after);
        Path file = folder.resolve("c.html");
        Ui.get(() -> HtmlExport.write(file, () -> ComparisonHtml.of(view.shown().orElseThrow()))).join();
        assertThat(Files.readString(file)).contains("<html").contains("pay");
    }
}
