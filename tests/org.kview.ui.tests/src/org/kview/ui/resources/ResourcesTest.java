// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.core.runtime.jobs.Job;
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
import org.kview.ui.calls.view.LatestJob;

/** Images, fonts and the like are the window system's, and nothing frees them but their owner. */
class ResourcesTest {
    private static final List<String> VIEWS = List.of(KviewUi.VIEW_FLOW, KviewUi.VIEW_FUNCTIONS, KviewUi.VIEW_DISTRIBUTION, KviewUi.VIEW_LATENCY,
            KviewUi.VIEW_TIMELINE, KviewUi.VIEW_CALLS, KviewUi.VIEW_WHY, KviewUi.VIEW_CAUSES, KviewUi.VIEW_WAITS,
            KviewUi.VIEW_COST, KviewUi.VIEW_NOTES, KviewUi.VIEW_TARGETS, KviewUi.VIEW_PROCESSES, KviewUi.VIEW_KERNEL_VIEWS,
            KviewUi.VIEW_SESSIONS, KviewUi.VIEW_COMPARE);

    private static final int ROUNDS = 8;
    /** As far as the view that asked for it, mostly. */
    private static final int FRAMES = 30;

    @TempDir
    Path folder;

    /** Each view is opened, painted and closed. */
    private static void showAll() throws InterruptedException {
        for (String id : VIEWS) {
            Ui.run(() -> {
                try {
                    Ui.page().showView(id);
                } catch (PartInitException e) {
                    throw new IllegalStateException(e);
                }
            });
            Ui.settle();
            // Those of single calls are answered by a job: however busy the machine is, they are closed with all that they show.
            Ui.await("it has its answer", () -> Stream.of(Job.getJobManager().find(null)).noneMatch(LatestJob.class::isInstance));
            Ui.settle();
            Ui.run(() -> {
                IViewPart view = Ui.page().findView(id);
                Ui.page().getWorkbenchWindow().getShell().update();
                Ui.page().hideView(view);
            });
            Ui.settle();
        }
    }

    /** What is taken and not freed, each with the place where that was done. */
    private static Map<Resource, Error> taken() {
        return Ui.get(() -> {
            DeviceData data = Display.getCurrent().getDeviceData();
            assertThat(data.tracking).as("the display counts, as pom.xml asks for").isTrue();
            Map<Resource, Error> taken = new IdentityHashMap<>();
            for (int i = 0; i < data.objects.length; i++) {
                if (data.objects[i] instanceof Resource resource) {
                    taken.put(resource, data.errors[i]);
                }
            }
            return taken;
        });
    }

    private static Map<String, Long> counted(Map<Resource, Error> taken) {
        return taken.keySet().stream().collect(Collectors.groupingBy(resource -> resource.getClass().getSimpleName(), TreeMap::new,
                Collectors.counting()));
    }

    /** Where those were taken that came since, by how many came from one place. */
    private static String since(Map<Resource, Error> before, Map<Resource, Error> after) {
        Map<String, Long> places = after.entrySet().stream().filter(entry -> !before.containsKey(entry.getKey())).collect(
                Collectors.groupingBy(entry -> place(entry.getKey(), entry.getValue()), TreeMap::new, Collectors.counting()));
        return places.entrySet().stream().map(place -> place.getValue() + " " + place.getKey()).collect(Collectors.joining("\n\n"));
    }

    private static String place(Resource resource, Error taken) {
        return Arrays.stream(taken.getStackTrace()).limit(FRAMES).map(frame -> "\n  " + frame)
                .collect(Collectors.joining("", resource.getClass().getSimpleName(), ""));
    }

    /**
     * What is kept for later, as the lines of a text that stays open are, comes to an end, whenever the window system asks for it: then a
     * round adds nothing. What is not freed is more after each.
     */
    @Test
    void viewsFreeWhatTheyTake() throws Exception {
        RealSession.open(RealSession.in(folder));
        try {
            // What the workbench makes once.
            showAll();
            String more = "";
            for (int round = 0; round < ROUNDS; round++) {
                Map<Resource, Error> before = taken();
                assertThat(counted(before)).containsKeys("Image", "Font");
                showAll();
                showAll();
                Map<Resource, Error> after = taken();
                if (counted(after).equals(counted(before))) {
                    return;
                }
                more = counted(before) + " became " + counted(after) + "; what came since:\n" + since(before, after);
            }
            fail("each of " + ROUNDS + " rounds left more than there was before it; the last one: " + more);
        } finally {
            VIEWS.forEach(id -> Ui.view(id, IViewPart.class));
            RealSession.close();
        }
    }
}
