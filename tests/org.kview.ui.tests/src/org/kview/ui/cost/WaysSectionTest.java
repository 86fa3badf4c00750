// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Dialogs;
import org.kview.ui.Figures;
import org.kview.ui.KviewUi;
import org.kview.ui.RealHost;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.Actions;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Way;
import org.osgi.framework.FrameworkUtil;

class WaysSectionTest {
    private static final WaysHost HOST = new WaysHost(way -> switch (way) {
        case WAY_CALL_VIEW -> WaysHost.costs(500, 0);
        case WAY_CALL_IN -> WaysHost.costs(440, 140);
        case WAY_CALL_POST -> WaysHost.costs(260, 260);
        default -> WaysHost.missing("This kernel has no such probes.");
    });

    private CostView view;
    private Optional<TargetConnection> connection = Optional.empty();

    @BeforeEach
    void open() throws IOException {
        WaysService.get().forget();
        Ui.set(new SessionState.None());
        view = Ui.view(CostView.ID, CostView.class);
    }

    @AfterEach
    void close() throws IOException {
        Ui.run(() -> Ui.page().hideView(view));
        WaysService.get().forget();
        connection.ifPresent(TargetConnection::disconnect);
        Ui.set(new SessionState.None());
    }

    private void compare(WaysHost host, boolean post) {
        connection = Optional.of(FakeHost.connection(host));
        Ui.run(() -> view.ways().compare(new WaysJob.Question(connection.orElseThrow(), post)));
    }

    private int lines() {
        return view.ways().table().getItemCount();
    }

    private String link() {
        return Ui.get(() -> view.ways().status().getText());
    }

    private static void choose(Link link, String target) {
        Ui.run(() -> {
            Event event = new Event();
            event.text = target;
            link.notifyListeners(SWT.Selection, event);
        });
    }

    @Test
    void waysStandSideBySideWithoutASession() throws Exception {
        assertThat(Ui.get(view::text)).contains("No session is open", "can be compared without one");
        compare(HOST, true);
        Ui.await("all ways are told", () -> lines() == 6);
        assertThat(Ui.get(() -> Stream.of(view.ways().table().getItems()).map(item -> item.getText(0) + "|" + item.getText(2)).toList()))
                .contains("View: the system call|nothing seen (+0.0 ns to +0.0 ns)",
                        "In eBPF: the system call, by tracepoints|+140.0 ns (+140.0 ns to +140.0 ns)",
                        "Afterwards: all system calls of all|+260.0 ns (+260.0 ns to +260.0 ns)", "In eBPF: a function, by a kprobe|–");
        assertThat(Ui.get(view.ways()::text)).contains("Ways to record on web-3 (Linux 6.18.0)", "This kernel has no such probes.",
                "for comparison only").doesNotContain("Cancel");
        assertThat(Ui.get(view.ways()::csv)).contains("call-in,read(),other,200.0,140.0,140.0,140.0,", "function-multi,,,,,,,This kernel");
    }

    @Test
    void thePictureHasTheFiguresUnderThePointer() throws Exception {
        compare(HOST, true);
        Ui.await("all ways are told", () -> lines() == 6);
        Ui.run(() -> {
            WaysCanvas canvas = view.ways().canvas();
            Point size = canvas.getSize();
            List<String> all = Stream.iterate(0, y -> y < size.y, y -> y + 4).flatMap(y -> Stream.of(2 * size.x / 5, 4 * size.x / 5)
                    .flatMap(x -> canvas.hover(x, y).stream())).distinct().toList();
            assertThat(all).contains("In eBPF: the system call, by tracepoints · The recorded process, a call: +440 ns (+440 ns to +440 ns)",
                    "In eBPF: the system call, by tracepoints · Others, a call: +140 ns (+140 ns to +140 ns)",
                    "View: a function of the kernel: This kernel has no such probes.");
            ImageData picture = Actions.picture(canvas);
            assertThat(Stream.iterate(0, x -> x < picture.width, x -> x + 1).filter(x -> Stream.iterate(0, y -> y < picture.height, y -> y + 1)
                    .anyMatch(y -> rgb(picture, x, y) == 0x3465A4)).count()).as("columns with something of a bar").isGreaterThan(100);
        });
    }

    private static int rgb(ImageData picture, int x, int y) {
        var rgb = picture.palette.getRGB(picture.getPixel(x, y));
        return rgb.red << 16 | rgb.green << 8 | rgb.blue;
    }

    /** All processes of the host would pay for it. */
    @Test
    void itIsKeptForTheNextWorkbench() throws Exception {
        Path file = Path.of(Platform.getStateLocation(FrameworkUtil.getBundle(KviewUi.class)).toOSString(), "ways.json");
        assertThat(new WaysService(file).latest()).isEmpty();
        compare(HOST, true);
        Ui.await("all ways are told", () -> lines() == 6);
        assertThat(Ui.get(view.ways()::text)).contains(" Compared on 2");
        assertThat(new WaysService(file).latest()).isPresent().isEqualTo(WaysService.get().latest());
        Files.writeString(file, Files.readString(file).substring(0, 200));
        assertThat(new WaysService(file).latest()).as("of one that is cut off").isEmpty();
    }

    @Test
    void filteringAfterwardsIsTriedOnlyIfItIsAskedFor() throws Exception {
        WaysHost host = new WaysHost(_ -> WaysHost.costs(1, 1));
        compare(host, false);
        Ui.await("ways are told", () -> lines() == 5);
        assertThat(host.asked()).doesNotContain(Way.WAY_CALL_POST).contains(Way.WAY_CALL_VIEW, Way.WAY_FUNCTION_SINGLE);
    }

    @Test
    void itStaysWithASessionAndWhenTheViewIsOpenedAgain() throws Exception {
        compare(HOST, true);
        Ui.await("all ways are told", () -> lines() == 6);
        Ui.show(Figures.snapshot(Figures.SHOP));
        assertThat(Ui.get(view::text)).contains("What the recording cost other processes was not measured");
        assertThat(Ui.get(() -> view.ways().table().isVisible())).isTrue();
        Ui.run(() -> Ui.page().hideView(view));
        view = Ui.view(CostView.ID, CostView.class);
        assertThat(Ui.get(this::lines)).isEqualTo(6);
    }

    @Test
    void aRefusalIsSaidAndCanBeTriedAgain() throws Exception {
        boolean[] refuses = {true};
        compare(new WaysHost(way -> refuses[0] ? FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.BUSY)
                .setMessage("This connection records something <b>: stop that first, or open another one.")) : WaysHost.costs(1, 1)), false);
        Ui.await("it is refused", () -> view.ways().status().getText().contains("Try again"));
        assertThat(link()).startsWith("Can't compare ways to record on this machine: This connection records something ‹b>: stop that first")
                .endsWith("<a href=\"again\">Try again</a>");
        refuses[0] = false;
        choose(Ui.get(() -> view.ways().status()), "again");
        Ui.await("ways are told", () -> lines() == 5);
    }

    @Test
    void whoCancelsHasNothingMoreTried() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        WaysHost host = new WaysHost(_ -> {
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return WaysHost.costs(1, 1);
        });
        compare(host, false);
        Ui.await("one is tried", () -> host.asked().size() == 1);
        assertThat(link()).contains("Comparing ways to record on this machine…", "Cancel");
        long cancelled = System.nanoTime();
        choose(Ui.get(() -> view.ways().status()), "cancel");
        Ui.await("it has ended, though the host is silent", () -> Stream.of(Job.getJobManager().find(null))
                .noneMatch(WaysJob.class::isInstance));
        assertThat(Duration.ofNanos(System.nanoTime() - cancelled)).as("not by the time-out, of 30 s").isLessThan(Duration.ofSeconds(20));
        mayAnswer.countDown();
        Ui.await("nothing is shown", () -> view.text().contains("No session is open"));
        assertThat(host.asked()).hasSize(1);
    }

    /** By the dialog, on this machine. */
    @Test
    void theWaysOfThisMachine() throws Exception {
        RealHost.assumeRecords();
        Ui.get(() -> {
            Link links = Dialogs.all(view.ways().control().getParent().getParent().getParent(), Link.class).stream()
                    .filter(link -> link.getText().contains("Compare Ways")).findFirst().orElseThrow();
            Event event = new Event();
            event.text = "ways";
            links.getDisplay().asyncExec(() -> links.notifyListeners(SWT.Selection, event));
            return links;
        });
        Shell dialog = Dialogs.await("Compare Ways");
        assertThat(Dialogs.text(dialog)).contains("nobody else's is recorded", "all of them pay for it");
        Dialogs.press(dialog, "Compare");
        Ui.await("ways are told", () -> lines() == 5);
        assertThat(Ui.get(() -> view.ways().table().getItem(2).getText(1))).startsWith("+");
    }
}
