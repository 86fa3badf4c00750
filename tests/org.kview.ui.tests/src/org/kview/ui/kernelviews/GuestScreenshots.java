// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageLoader;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.Test;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshEnvironment;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.cost.WaysPose;
import org.kview.ui.flow.FlowPose;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.OtherTargets;
import org.kview.ui.targets.TargetService;

/**
 * No test, though run as one: takes the pictures that need a host with the kview module. {@code scripts/screenshots --guest}
 * starts it, and the host, {@code root@guest}, on which two clients trace processes by then.
 */
class GuestScreenshots {
    private static final String HOST = "root@guest";
    private static final Rectangle BOUNDS = new Rectangle(0, 0, 1500, 620);
    private static final Rectangle COST_BOUNDS = new Rectangle(0, 0, 1300, 560);
    private static final Rectangle WAYS_BOUNDS = new Rectangle(0, 0, 1300, 700);
    private static final Rectangle HIGHER_BOUNDS = new Rectangle(0, 0, 1300, 800);
    /** For two lists, so that there are hits a second, and for animations. */
    private static final int SETTLED_MS = 6000;

    private final Path folder = Path.of(System.getenv("KVIEW_SCREENSHOT_FOLDER"));

    @Test
    void take() throws Exception {
        Files.createDirectories(folder);
        TargetService targets = Ui.get(TargetService::get);
        OtherTargets.use(targets, new SshConfig(SshEnvironment.ofProcess()), targets.secrets());
        Ui.run(() -> targets.add(HOST));
        Ui.await("the host is listed", () -> targets.registry().find(HOST).isPresent());
        TargetConnection connection = targets.registry().find(HOST).orElseThrow();
        Shell window = Ui.get(() -> Ui.page().getWorkbenchWindow().getShell());
        Ui.run(() -> {
            // Otherwise views tell of what lies under the pointer, wherever it is.
            window.getDisplay().setCursorLocation(0, 0);
        });
        large(window, BOUNDS, KviewUi.VIEW_KERNEL_VIEWS);
        KernelViewsView view = Ui.view(KviewUi.VIEW_KERNEL_VIEWS, KernelViewsView.class);
        Ui.run(() -> {
            view.setTarget(Optional.of(connection));
        });
        connection.connect();
        Ui.await("its kernel views are listed", Duration.ofSeconds(90), () -> view.messageText().isEmpty());
        // The first view: its sites are shown below.
        Ui.run(() -> {
            Tree tree = view.tree().control();
            Event event = new Event();
            event.item = tree.getItem(0);
            tree.setSelection(tree.getItem(0));
            tree.notifyListeners(SWT.Selection, event);
        });
        shoot(window, "kernel-views");
        // From dark to light a theme changes with the next start only.
        costInAView(window, "");
        large(window, WAYS_BOUNDS, KviewUi.VIEW_COST);
        WaysPose.compare(connection);
        shoot(window, "ways");
        large(window, HIGHER_BOUNDS, KviewUi.VIEW_FLOW);
        FlowPose.followReads(connection, "cat");
        shoot(window, "flow");
        FlowPose.asChart(true);
        shoot(window, "flow-chart");
        Ui.run(() -> PlatformUI.getWorkbench().getService(IThemeEngine.class)
                .setTheme("org.eclipse.e4.ui.css.theme.e4_dark", false));
        shoot(window, "flow-chart-dark");
        FlowPose.asChart(false);
        shoot(window, "flow-dark");
        large(window, BOUNDS, KviewUi.VIEW_KERNEL_VIEWS);
        shoot(window, "kernel-views-dark");
        large(window, WAYS_BOUNDS, KviewUi.VIEW_COST);
        shoot(window, "ways-dark");
        costInAView(window, "-dark");
        Ui.run(() -> targets.remove(connection));
    }

    /** A recording in a view, with what another process saw of it. */
    private void costInAView(Shell window, String suffix) throws Exception {
        SessionController controller = Ui.get(SessionController::get);
        controller.open(Path.of(System.getenv("KVIEW_SCREENSHOT_COST"))).join();
        Ui.await("it is open", () -> SessionService.get().state() instanceof SessionState.Opened);
        large(window, COST_BOUNDS, KviewUi.VIEW_COST);
        shoot(window, "cost-in-view" + suffix);
        controller.close().join();
    }

    private static void large(Shell window, Rectangle bounds, String view) {
        IViewPart part = Ui.view(view, IViewPart.class);
        Ui.run(() -> {
            window.setBounds(bounds);
            Ui.page().setPartState(Ui.page().getReference(part), IWorkbenchPage.STATE_MAXIMIZED);
        });
    }

    private void shoot(Shell window, String name) throws InterruptedException {
        Thread.sleep(SETTLED_MS);
        ImageLoader loader = new ImageLoader();
        loader.data = new ImageData[] {Ui.get(() -> {
            Rectangle area = window.getClientArea();
            Image image = new Image(window.getDisplay(), area.width, area.height);
            GC gc = new GC(window.getDisplay());
            gc.copyArea(image, window.toDisplay(0, 0).x, window.toDisplay(0, 0).y);
            gc.dispose();
            ImageData data = image.getImageData();
            image.dispose();
            return data;
        })};
        loader.save(folder.resolve(name + ".png").toString(), SWT.IMAGE_PNG);
    }
}
