// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.Text;
import org.eclipse.swt.widgets.ToolBar;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Losses;
import org.kview.ui.Dialogs;
import org.kview.ui.Figures;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.Banner;

class ThemeSwitchTest {
    @TempDir
    Path folder;

    private static void theme(String name) throws InterruptedException {
        Ui.run(() -> Themes.choose(Ui.page().getWorkbenchWindow().getShell(), name));
        Ui.await("it is chosen", () -> Ui.get(() -> Themes.isActive(name)));
        Ui.settle();
    }

    @AfterEach
    void light() throws InterruptedException {
        theme(Themes.LIGHT);
        Ui.set(new SessionState.None());
    }

    /** The engine visits every line of every table, and a stale one would end the process. */
    @Test
    void themesChangeWhateverTheTablesHoldAndHeld() throws InterruptedException {
        Ui.show(Figures.snapshot(Figures.SHOP));
        theme(Themes.DARK);
        Ui.set(new SessionState.None());
        theme(Themes.LIGHT);
        Ui.show(Figures.snapshot(Figures.SHOP.subList(0, 2)));
        theme(Themes.DARK);
        assertThat(Ui.get(() -> Ui.page().getWorkbenchWindow().getShell().isDisposed())).isFalse();
    }

    @Test
    void themesChangeAroundATrace() throws Exception {
        SessionController controller = Ui.get(SessionController::get);
        controller.open(SessionFixture.write(folder.resolve("shop.kview"), true)).join();
        Ui.await("the trace opens", () -> Ui.page().getActiveEditor() != null);
        theme(Themes.DARK);
        controller.close().join();
        Ui.settle();
        theme(Themes.LIGHT);
        Ui.await("the trace closes", () -> Ui.page().getActiveEditor() == null);
    }

    /** Colours that a style sheet names and nobody defines come out black, on black. */
    @Test
    void darkTextStandsOnGroundThatItCanBeReadOn() throws InterruptedException {
        Ui.show(Figures.snapshot(Figures.SHOP));
        theme(Themes.DARK);
        // GTK gives some widgets their new ground only with their next frame.
        Ui.await("all text can be read", () -> unreadable().isEmpty());
    }

    /** At once, with all views that were open meanwhile, as well as those that are opened then. */
    @Test
    void lightComesBackWithoutARestart() throws InterruptedException {
        Ui.show(Figures.snapshot(Figures.SHOP));
        Set<String> before = grounds();
        theme(Themes.DARK);
        Ui.await("it is dark", () -> Palette.of(Ui.page().getWorkbenchWindow().getShell()).dark() && unreadable().isEmpty());
        theme(Themes.LIGHT);
        Ui.await("it is light, and all text can be read", () -> unreadable().isEmpty() && grounds().equals(before));
        assertThat(Ui.get(() -> Themes.isActive(Themes.LIGHT))).isTrue();
    }

    /** What each control in sight has as ground and text. */
    private static Set<String> grounds() {
        return Ui.get(() -> Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), Control.class).stream().filter(Control::isVisible)
                .map(control -> control.getClass().getName() + " " + control.getForeground().getRGB() + " on " + control.getBackground().getRGB())
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** It keeps its own colours from the style sheet, so nobody else changes them. */
    @Test
    void theStripOfWhatIsMissingFollows() throws InterruptedException {
        Ui.show(Figures.snapshot(Figures.SHOP, new Losses(1204, 0, 0, 0, 0), List.of()));
        List<Banner> strips = Ui.get(() -> Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), Banner.class).stream()
                .filter(Control::isVisible).toList());
        assertThat(strips).isNotEmpty();
        theme(Themes.DARK);
        Ui.await("they are dark", () -> strips.stream().allMatch(strip -> Palette.of(strip).dark()));
    }

    private static List<String> unreadable() {
        return Ui.get(() -> {
            List<String> found = new ArrayList<>();
            Deque<Control> open = new ArrayDeque<>();
            open.add(Ui.page().getWorkbenchWindow().getShell());
            while (!open.isEmpty()) {
                Control control = open.remove();
                boolean holdsText = control instanceof Label || control instanceof Link || control instanceof Table
                        || control instanceof Text || control instanceof ToolBar;
                if (holdsText && control.isVisible() && contrast(control) < 3) {
                    found.add(control + " " + control.getForeground() + " on " + control.getBackground());
                }
                if (control instanceof Composite composite) {
                    open.addAll(List.of(composite.getChildren()));
                }
            }
            return found;
        });
    }

    /** As WCAG 2 defines it: 1 for the same colour, 21 for black and white. */
    private static double contrast(Control control) {
        double one = luminance(control.getForeground().getRGB());
        double other = luminance(control.getBackground().getRGB());
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    }

    private static double luminance(RGB rgb) {
        return 0.2126 * linear(rgb.red) + 0.7152 * linear(rgb.green) + 0.0722 * linear(rgb.blue);
    }

    private static double linear(int channel) {
        double value = channel / 255.0;
        return value <= 0.03928 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }
}
