/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.Figures;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.functions.FunctionsView;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionState;

class ThemeSwitchTest {
    @TempDir
    Path folder;

    private static void theme(String name) {
        Ui.run(() -> PlatformUI.getWorkbench().getService(IThemeEngine.class)
                .setTheme("org.eclipse.e4.ui.css.theme.e4_" + name, false));
        Ui.settle();
    }

    @AfterEach
    void light() {
        theme("default");
        Ui.set(new SessionState.None());
    }

    @Test
    void aFigures() {
        System.out.println("A1");
        Ui.show(Figures.snapshot(Figures.SHOP));
        theme("dark");
        System.out.println("A2");
        Ui.set(new SessionState.None());
        theme("default");
        System.out.println("A3");
        Ui.show(Figures.snapshot(Figures.SHOP.subList(0, 2)));
        theme("dark");
    }

    @Test
    void bTrace() throws Exception {
        System.out.println("B1");
        SessionController controller = Ui.get(SessionController::get);
        controller.open(SessionFixture.write(folder.resolve("shop.kview"), true)).join();
        Ui.settle();
        Thread.sleep(2000);
        System.out.println("B2");
        theme("dark");
        System.out.println("B3");
        controller.close().join();
        Ui.settle();
        theme("default");
        System.out.println("B4");
    }
}
