// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.resources;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.eclipse.swt.graphics.DeviceData;
import org.eclipse.swt.graphics.Resource;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.PartInitException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;

/** Images, fonts and the like are the window system's, and nothing frees them but their owner. */
class ResourcesTest {
    private static final List<String> VIEWS = List.of(KviewUi.VIEW_FUNCTIONS, KviewUi.VIEW_DISTRIBUTION, KviewUi.VIEW_LATENCY,
            KviewUi.VIEW_TIMELINE, KviewUi.VIEW_CALLS, KviewUi.VIEW_WHY, KviewUi.VIEW_CAUSES, KviewUi.VIEW_NOTES);

    @TempDir
    Path folder;

    /** Each view is opened, painted and closed. */
    private static void showAll() {
        for (String id : VIEWS) {
            Ui.run(() -> {
                try {
                    Ui.page().showView(id);
                } catch (PartInitException e) {
                    throw new IllegalStateException(e);
                }
            });
            Ui.settle();
            Ui.run(() -> {
                IViewPart view = Ui.page().findView(id);
                Ui.page().getWorkbenchWindow().getShell().update();
                Ui.page().hideView(view);
            });
            Ui.settle();
        }
    }

    private static Map<String, Long> counted() {
        return Ui.get(() -> {
            DeviceData data = Display.getCurrent().getDeviceData();
            assertThat(data.tracking).as("the display counts, as pom.xml asks for").isTrue();
            return Arrays.stream(data.objects).filter(Resource.class::isInstance).collect(Collectors.groupingBy(
                    object -> object.getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
        });
    }

    @Test
    void viewsFreeWhatTheyTake() throws Exception {
        RealSession.open(RealSession.in(folder));
        try {
            // What the workbench makes once and keeps.
            showAll();
            showAll();
            Map<String, Long> before = counted();
            assertThat(before).containsKeys("Image", "Font");
            showAll();
            showAll();
            assertThat(counted()).isEqualTo(before);
        } finally {
            VIEWS.forEach(id -> Ui.view(id, IViewPart.class));
            RealSession.close();
        }
    }
}
