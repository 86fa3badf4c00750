// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.preferences;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.eclipse.jface.preference.IPreferenceStore;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.model.Metric;
import org.kview.ui.Dialogs;
import org.kview.ui.Figures;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.distribution.DistributionCanvas;
import org.kview.ui.distribution.DistributionView;
import org.kview.ui.session.SessionState;
import org.kview.ui.text.TableTimes;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.widgets.Actions;

class KviewPreferencePageTest {
    private Shell shell;

    @BeforeEach
    void open() {
        shell = Ui.get(() -> PreferencesPose.open(KviewUi.PREFERENCES)).getShell();
    }

    @AfterEach
    void forget() {
        Ui.run(() -> {
            if (!shell.isDisposed()) {
                shell.close();
            }
            IPreferenceStore store = RecordingPreferences.store();
            List.of(RecordingPreferences.SECONDS_KEY, RecordingPreferences.EVENTS_KEY, RecordingPreferences.WAITS_KEY,
                    RecordingPreferences.BUDGET_KEY, RecordingPreferences.FOLDER_KEY, RecordingPreferences.LAST_FOLDER_KEY).forEach(store::setToDefault);
        });
    }

    private <C extends Control> C find(Class<C> type, Predicate<C> which) {
        return Dialogs.all(shell, type).stream().filter(Control::isVisible).filter(which).findFirst().orElseThrow();
    }

    private void tick(String text) {
        Button button = find(Button.class, b -> b.getText().startsWith(text));
        button.setSelection(!button.getSelection());
        button.notifyListeners(SWT.Selection, new Event());
    }

    @Test
    void whatTheWizardProposesCanBeChosen() {
        RecordingPreferences kept = RecordingPreferences.ofWorkspace();
        assertThat(kept.seconds()).isEmpty();
        assertThat(kept.events()).isTrue();
        assertThat(kept.waits()).isFalse();
        assertThat(kept.budget()).isEqualTo(Budget.DEFAULT);
        Ui.run(() -> {
            find(Text.class, text -> text.getText().equals("0")).setText("30");
            tick("&Events");
            tick("&Waits");
            Combo budget = find(Combo.class, combo -> List.of(combo.getItems()).contains("None"));
            assertThat(budget.getText()).startsWith("5 %");
            budget.setText("20 % of the process's CPU time");
            budget.notifyListeners(SWT.Selection, new Event());
        });
        Dialogs.press(shell, "Apply and Close");
        assertThat(kept.seconds()).contains(30);
        assertThat(kept.events()).isFalse();
        assertThat(kept.waits()).isTrue();
        assertThat(kept.budget()).isEqualTo(new Budget(200_000));
    }

    /** The wizard proposes where the last one went, but what was chosen once and for all stays. */
    @Test
    void aRecordingElsewhereChangesNoPreference() {
        RecordingPreferences kept = RecordingPreferences.ofWorkspace();
        String chosen = kept.folder();
        Ui.run(() -> kept.setLastFolder("/tmp/elsewhere"));
        assertThat(kept.folder()).isEqualTo("/tmp/elsewhere");
        assertThat(RecordingPreferences.store().getString(RecordingPreferences.FOLDER_KEY)).isEqualTo(chosen);
        Ui.run(() -> find(Text.class, text -> text.getText().equals(chosen)).setText("/tmp/recordings"));
        Dialogs.press(shell, "Apply and Close");
        assertThat(kept.folder()).as("what is chosen counts at once").isEqualTo("/tmp/recordings");
    }

    /** Of the tables that are open as well. */
    @Test
    void timesInTablesHaveTheChosenUnit() throws Exception {
        Ui.show(Figures.snapshot(Figures.SHOP));
        try {
            Table table = Ui.get(() -> Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), Table.class).stream().filter(Control::isVisible)
                    .filter(its -> Stream.of(its.getColumns()).anyMatch(column -> column.getText().equals("Wall p50"))).findFirst().orElseThrow());
            int column = Ui.get(() -> Stream.of(table.getColumns()).map(TableColumn::getText).toList().indexOf("Wall p50"));
            String fitting = Ui.get(() -> table.getItem(0).getText(column));
            assertThat(fitting).endsWith(" ms");
            Ui.run(() -> {
                Combo times = find(Combo.class, combo -> List.of(combo.getItems()).contains("ns"));
                assertThat(times.getText()).isEqualTo("The unit that fits each time");
                times.setText("ns");
                times.notifyListeners(SWT.Selection, new Event());
            });
            Dialogs.press(shell, "Apply and Close");
            Ui.await("each digit is there", () -> table.getItem(0).getText(column).matches("[\\d,]{7,}"));
            assertThat(Ui.get(() -> table.getColumn(column).getText())).isEqualTo("Wall p50 ns");
            List<String> times = Ui.get(() -> Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), Table.class).stream().filter(Control::isVisible)
                    .filter(its -> its.getItemCount() > 0).flatMap(its -> IntStream.range(0, its.getColumnCount())
                            .filter(i -> its.getColumn(i).getText().endsWith(" ns") && its.getColumn(i).getWidth() > 0)
                            .mapToObj(i -> its.getItem(0).getText(i))).toList());
            assertThat(times).as("where there is room for each digit").hasSizeGreaterThan(4).allMatch(text -> text.matches("[\\d,]+"));
        } finally {
            Ui.run(() -> RecordingPreferences.store().setToDefault(TableTimes.KEY));
            Ui.set(new SessionState.None());
        }
    }

    /** In what is drawn and in the images of lines, at once; and the standard ones come back. */
    @Test
    void causesHaveTheChosenColours() throws Exception {
        int chosen = 0x123456;
        Ui.show(Figures.snapshot(Figures.SHOP));
        try {
            Ui.view(DistributionView.ID, DistributionView.class);
            Table causes = table("Cause");
            Control curves = Ui.get(() -> Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), DistributionCanvas.class).stream()
                    .filter(Control::isVisible).findFirst().orElseThrow());
            List<Callable<Set<Integer>>> drawn = List.of(() -> Ui.colours(Actions.picture(table("Wall p50"))), () -> Ui.colours(Actions.picture(curves)),
                    () -> Ui.colours(causes.getItem(0).getImage().getImageData()));
            for (Callable<Set<Integer>> colours : drawn) {
                Ui.await("the standard", () -> has(colours, Metric.ON_CPU.rgb(), chosen));
            }
            Ui.run(() -> colours().selector(Metric.ON_CPU).setColorValue(new RGB(0x12, 0x34, 0x56)));
            Dialogs.press(shell, "Apply and Close");
            for (Callable<Set<Integer>> colours : drawn) {
                Ui.await("the chosen one", () -> has(colours, chosen, Metric.ON_CPU.rgb()));
            }
            open();
            Ui.run(this::colours);
            Ui.run(() -> find(Button.class, button -> button.getText().replace("&", "").equals("Restore Defaults")).notifyListeners(SWT.Selection, new Event()));
            Dialogs.press(shell, "Apply and Close");
            for (Callable<Set<Integer>> colours : drawn) {
                Ui.await("the standard again", () -> has(colours, Metric.ON_CPU.rgb(), chosen));
            }
        } finally {
            Ui.run(() -> RecordingPreferences.store().setToDefault(MetricColours.key(Metric.ON_CPU)));
            Ui.set(new SessionState.None());
        }
    }

    private static boolean has(Callable<Set<Integer>> colours, int one, int other) throws Exception {
        Set<Integer> found = colours.call();
        return found.contains(one) && !found.contains(other);
    }

    private ColoursPreferencePage colours() {
        return (ColoursPreferencePage) PreferencesPose.open(KviewUi.PREFERENCES_COLOURS).getSelectedPage();
    }

    private static Table table(String column) {
        return Ui.get(() -> Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), Table.class).stream()
                .filter(its -> Stream.of(its.getColumns()).anyMatch(head -> head.getText().equals(column))).findFirst().orElseThrow());
    }

    @Test
    void theThemeStandsThereAndIsLeftAlone() {
        assertThat(Ui.get(() -> find(Button.class, b -> b.getText().equals("&Light")).getSelection())).isTrue();
        Dialogs.press(shell, "Apply and Close");
        assertThat(Ui.get(shell::isDisposed)).as("nothing is said of the next start").isTrue();
    }
}
