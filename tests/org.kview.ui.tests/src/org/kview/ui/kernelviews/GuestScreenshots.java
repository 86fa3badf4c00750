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
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.Test;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshEnvironment;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.targets.OtherTargets;
import org.kview.ui.targets.TargetService;

/**
 * No test, though run as one: takes the pictures that need a host with the kview module. {@code scripts/screenshots --guest}
 * starts it, and the host, {@code root@guest}, on which two clients trace processes by then.
 */
class GuestScreenshots {
    private static final String HOST = "root@guest";
    private static final Rectangle BOUNDS = new Rectangle(0, 0, 1500, 420);
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
            window.setBounds(BOUNDS);
            // Otherwise views tell of what lies under the pointer, wherever it is.
            window.getDisplay().setCursorLocation(0, 0);
        });
        KernelViewsView view = Ui.view(KviewUi.VIEW_KERNEL_VIEWS, KernelViewsView.class);
        Ui.run(() -> {
            Ui.page().toggleZoom(Ui.page().getReference(view));
            view.setTarget(Optional.of(connection));
        });
        connection.connect();
        Ui.await("its kernel views are listed", Duration.ofSeconds(90), () -> view.messageText().isEmpty());
        shoot(window, "kernel-views");
        Ui.run(() -> PlatformUI.getWorkbench().getService(IThemeEngine.class)
                .setTheme("org.eclipse.e4.ui.css.theme.e4_dark", false));
        shoot(window, "kernel-views-dark");
        Ui.run(() -> targets.remove(connection));
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
