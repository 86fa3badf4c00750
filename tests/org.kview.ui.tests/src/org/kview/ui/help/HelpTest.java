// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.help;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.eclipse.jface.bindings.keys.KeySequence;
import org.eclipse.jface.preference.PreferenceDialog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.keys.IBindingService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;

class HelpTest {
    private static final String HELP = "Kview Workbench Help";

    @AfterEach
    void close() throws InterruptedException {
        Ui.run(() -> Dialogs.find(HELP).ifPresent(Shell::close));
        Dialogs.awaitNone(HELP);
    }

    private HelpDialog help() throws InterruptedException {
        Ui.run(() -> {
            try {
                PlatformUI.getWorkbench().getService(IHandlerService.class).executeCommand(KviewUi.COMMAND_HELP, null);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Shell shell = Dialogs.await(HELP);
        return Ui.get(() -> (HelpDialog) shell.getData());
    }

    @ParameterizedTest
    @CsvSource({"targets, Targets", "processes, Processes", "flow, Flow", "sessions, Sessions", "functions, Functions",
        "distribution, Latency Distribution", "latency, Latency over Time", "timeline, Timeline", "calls, Calls", "why, Why",
        "causes, Causes", "waits, Waits", "notes, Notes"})
    void tellsOfTheActiveView(String view, String title) throws Exception {
        Ui.run(() -> {
            try {
                Ui.page().showView("org.kview.ui.view." + view, null, IWorkbenchPage.VIEW_ACTIVATE);
            } catch (org.eclipse.ui.PartInitException e) {
                throw new IllegalStateException(e);
            }
        });
        HelpDialog dialog = help();
        assertThat(Ui.get(() -> dialog.titles().getSelection())).containsExactly(title);
        assertThat(Ui.get(() -> dialog.text().getText())).startsWith(title + "\n\n").hasSizeGreaterThan(150);
        assertThat(Ui.get(() -> dialog.text().getStyleRangeAtOffset(0).fontStyle)).isEqualTo(SWT.BOLD);
    }

    @Test
    void comesWithItsKey() throws Exception {
        assertThat(PlatformUI.getWorkbench().getService(IBindingService.class).getPerfectMatch(KeySequence.getInstance("F1"))
                .getParameterizedCommand().getId()).isEqualTo(KviewUi.COMMAND_HELP);
    }

    @Test
    void theManualHasASectionForWhatHasNoNameOfItsOwn() {
        assertThat(Manual.load().sections()).extracting(Manual.Section::title).contains("Events and histogram", "Compare",
                "Recording", "Keys");
        assertThat(Manual.load().indexOf("no such view")).isZero();
    }

    @Test
    void markdownBecomesText() {
        Manual manual = Manual.of("# All\n\nSome *words*\nand `code`.\n\n## Part\n| key | what |\n|---|---|\n| Ctrl+R, *x* | "
                + "[record](a.md#b) |\n\n- **One**\n  more\n- Two\n\n![A picture](a.png)\n```\n# no heading\n```\n### Small\nEnd 2*3*4");
        assertThat(manual.sections()).extracting(Manual.Section::title).containsExactly("All", "Part");
        PlainMarkdown all = PlainMarkdown.of("All", manual.sections().getFirst().lines());
        assertThat(all.text()).isEqualTo("All\n\nSome words and code.\n");
        assertThat(bold(all)).containsExactly("All", "words");
        PlainMarkdown part = PlainMarkdown.of("Part", manual.sections().getLast().lines());
        assertThat(part.text()).isEqualTo("Part\n\nCtrl+R, x:  record\n\n• One more\n• Two\n\n    # no heading\n"
                + "\nSmall\n\nEnd 2*3*4\n");
        assertThat(bold(part)).containsExactly("Part", "Ctrl+R, x", "One", "Small");
    }

    private static List<String> bold(PlainMarkdown plain) {
        return plain.bold().stream().map(s -> plain.text().substring(s.start(), s.start() + s.length())).toList();
    }

    /** As a click on it does, later: what it opens may wait for an answer. */
    private static void choose(String menu, String item) {
        Ui.run(() -> {
            Menu bar = Ui.page().getWorkbenchWindow().getShell().getMenuBar();
            MenuItem opened = item(bar, menu);
            opened.getMenu().notifyListeners(SWT.Show, new Event());
            MenuItem chosen = item(opened.getMenu(), item);
            chosen.getDisplay().asyncExec(() -> chosen.notifyListeners(SWT.Selection, new Event()));
        });
    }

    private static MenuItem item(Menu menu, String text) {
        return List.of(menu.getItems()).stream().filter(i -> i.getText().replace("&", "").startsWith(text)).findFirst()
                .orElseThrow(() -> new AssertionError("no " + text + " in " + List.of(menu.getItems())));
    }

    @Test
    void theHelpMenuHasHelp() throws Exception {
        choose("Help", "Help on This View");
        Dialogs.await(HELP);
        Ui.run(() -> {
            Menu bar = Ui.page().getWorkbenchWindow().getShell().getMenuBar();
            item(item(bar, "Help").getMenu(), "Keys");
        });
    }

    @Test
    void preferencesOpenAtThisProductsOwn() throws Exception {
        choose("Window", "Preferences");
        Shell shell = Dialogs.await("Preferences");
        PreferenceDialog dialog = Ui.get(() -> (PreferenceDialog) shell.getData());
        assertThat(Ui.get(() -> ((org.eclipse.jface.preference.IPreferencePage) dialog.getSelectedPage()).getTitle()))
                .isEqualTo("Kview");
        assertThat(Ui.get(() -> List.of(dialog.getTreeViewer().getTree().getItems()).stream().map(i -> i.getText()).toList()))
                .contains("Kview", "General").doesNotContain("ANSI Support");
        Ui.run(dialog::close);
        Dialogs.awaitNone("Preferences");
    }
}
