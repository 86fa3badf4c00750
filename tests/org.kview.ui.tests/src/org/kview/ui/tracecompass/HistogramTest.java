// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.eclipse.tracecompass.tmf.ui.views.histogram.HistogramView;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.widgets.TimeGraphScale;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.theme.Themes;
import org.kview.ui.widgets.Actions;

/** Trace Compass's histogram: its bars can be seen in a small window too, and its axes follow the theme. */
class HistogramTest {
    private HistogramView view;
    private Shell shell;
    private Point size;

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
    }

    @AfterAll
    static void close() throws Exception {
        RealSession.close();
    }

    /** Other tests may have left the view more or less room than a user finds. */
    @BeforeEach
    void show() {
        Ui.run(() -> Ui.page().resetPerspective());
        Ui.settle();
        view = Ui.view(KviewUi.VIEW_TRACE_HISTOGRAM, HistogramView.class);
        shell = Ui.get(() -> Ui.page().getWorkbenchWindow().getShell());
        size = Ui.get(shell::getSize);
    }

    @AfterEach
    void asBefore() {
        Ui.run(() -> {
            shell.setSize(size);
            Themes.choose(shell, Themes.LIGHT);
        });
        Ui.settle();
    }

    private <C extends Control> List<C> seen(Class<C> type) {
        return Dialogs.all(view.getParentComposite(), type).stream().filter(Control::isVisible).toList();
    }

    @Test
    void barsHaveRoomInASmallWindow() throws Exception {
        Ui.run(() -> shell.setSize(1024, 700));
        Ui.await("there is room for bars", () -> seen(Canvas.class).stream().filter(canvas -> canvas.getClass() == Canvas.class)
                .anyMatch(canvas -> canvas.getSize().y > 40));
        assertThat(Ui.get(() -> seen(Text.class))).as("what would take it").isEmpty();
        Ui.run(() -> Ui.page().setPartState(Ui.page().findViewReference(KviewUi.VIEW_TRACE_HISTOGRAM), IWorkbenchPage.STATE_MAXIMIZED));
        Ui.await("all is there where it has room", () -> seen(Text.class).size() == 3);
        Ui.run(() -> Ui.page().setPartState(Ui.page().findViewReference(KviewUi.VIEW_TRACE_HISTOGRAM), IWorkbenchPage.STATE_RESTORED));
    }

    @Test
    void timeAxesFollowTheTheme() throws Exception {
        Ui.await("they are light", () -> seen(TimeGraphScale.class).stream().noneMatch(HistogramTest::isDark));
        Ui.run(() -> Themes.choose(shell, Themes.DARK));
        Ui.await("they are dark", () -> !seen(TimeGraphScale.class).isEmpty() && seen(TimeGraphScale.class).stream().allMatch(HistogramTest::isDark));
        Ui.run(() -> Themes.choose(shell, Themes.LIGHT));
        Ui.await("they are light again", () -> seen(TimeGraphScale.class).stream().noneMatch(HistogramTest::isDark));
    }

    /** As it is painted. */
    private static boolean isDark(Control control) {
        ImageData picture = Actions.picture(control);
        long sum = 0;
        for (int y = 0; y < picture.height; y++) {
            for (int x = 0; x < picture.width; x++) {
                RGB rgb = picture.palette.getRGB(picture.getPixel(x, y));
                sum += rgb.red + rgb.green + rgb.blue;
            }
        }
        return sum < 3L * 128 * picture.width * picture.height;
    }
}
