// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.eclipse.core.commands.common.CommandException;
import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageLoader;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.targets.registry.TargetConnection;
import org.kview.testing.Relay;
import org.kview.testing.SshLab;
import org.kview.ui.calllist.CallsPose;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.compare.ComparePose;
import org.kview.ui.distribution.DistributionPose;
import org.kview.ui.functions.FunctionsPose;
import org.kview.ui.latency.LatencyPose;
import org.kview.ui.notes.NotesPose;
import org.kview.ui.preferences.PreferencesPose;
import org.kview.ui.record.HostsPose;
import org.kview.ui.record.WizardPose;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.sessions.SessionsPose;
import org.kview.ui.ssh.DialogsTest;
import org.kview.ui.targets.OtherTargets;
import org.kview.ui.targets.TargetService;
import org.kview.ui.targets.view.TargetsPose;
import org.kview.ui.timeline.TimelinePose;
import org.kview.ui.tracecompass.TraceCompassPose;

/**
 * No test, though run as one: takes the pictures of the documentation. {@code scripts/screenshots}
 * starts it; its environment says of which session ({@code KVIEW_SCREENSHOT_SESSION}), of which
 * process ({@code KVIEW_SCREENSHOT_PID}), of which session of system calls
 * ({@code KVIEW_SCREENSHOT_CALLS}), compared with which other session
 * ({@code KVIEW_SCREENSHOT_COMPARED}) and of which folder three with three ({@code KVIEW_SCREENSHOT_GROUPS}), and where to
 * ({@code KVIEW_SCREENSHOT_FOLDER}).
 */
class Screenshots {
    private static final int WIDTH = 1500;
    private static final int HEIGHT = 950;
    private static final int SMALL_WIDTH = 1024;
    private static final int SMALL_HEIGHT = 700;

    @TempDir
    Path temporary;

    private final Path folder = Path.of(System.getenv("KVIEW_SCREENSHOT_FOLDER"));

    @Test
    void take() throws Exception {
        Files.createDirectories(folder);
        Path session = session();
        // So that the pictures name no folder of this machine.
        System.setProperty("user.home", temporary.toString());
        SessionsPose.fill(temporary.resolve("kview-sessions"), session);
        Shell window = Ui.get(() -> Ui.page().getWorkbenchWindow().getShell());
        Ui.run(() -> {
            window.setBounds(0, 0, WIDTH, HEIGHT);
            // Otherwise views tell of what lies under the pointer, wherever it is.
            window.getDisplay().setCursorLocation(0, 0);
        });
        targets(window, "");
        takeAll(window, "");
        record(window, "");
        Ui.run(() -> PlatformUI.getWorkbench().getService(IThemeEngine.class)
                .setTheme("org.eclipse.e4.ui.css.theme.e4_dark", false));
        targets(window, "-dark");
        takeAll(window, "-dark");
        record(window, "-dark");
    }

    /** What a window shows, as far as it is on the screen. On the UI thread. */
    private static ImageData copied(Rectangle bounds) {
        Image image = new Image(Display.getCurrent(), bounds.width, bounds.height);
        GC gc = new GC(Display.getCurrent());
        gc.copyArea(image, bounds.x, bounds.y);
        gc.dispose();
        ImageData data = image.getImageData();
        image.dispose();
        return data;
    }

    /** Hosts in every state, the processes of one, and what a login asks. */
    private void targets(Shell window, String suffix) throws Exception {
        TargetsPose pose = new TargetsPose();
        pose.fleet();
        pose.choose("web-3");
        pose.showProcesses("web-3");
        shoot(window, "targets" + suffix);
        pose.choose("db-1");
        shoot(window, "target-failed" + suffix);
        pose.choose("build-7");
        shoot(window, "target-connecting" + suffix);
        shoot(pose.hostKey(""), "host-key" + suffix);
        pose.dismiss();
        shoot(pose.hostKey("It looks like another key of this host's: the network may not be the one you think."),
                "host-key-warning" + suffix);
        pose.dismiss();
        shoot(pose.questions(), "login" + suffix);
        pose.dismiss();
        HostsPose hosts = HostsPose.open(pose.several("web-3", "edge-2"));
        hosts.choose("checkout", "checkout:render_page\ncheckout:price_basket\nlibz.so.1:deflate*");
        shoot(hosts.shell(), "wizard-hosts" + suffix);
        hosts.cancel();
        pose.end();
    }

    private Path session() throws IOException {
        String named = System.getenv().getOrDefault("KVIEW_SCREENSHOT_SESSION", "");
        return named.isEmpty() ? SessionFixture.write(temporary.resolve("shop.kview"), true) : Path.of(named);
    }

    private void takeAll(Shell window, String suffix) throws Exception {
        SessionsPose.show(Files.createDirectories(temporary.resolve("new")), "");
        shoot(window, "empty" + suffix);
        Shell preferences = PreferencesPose.open();
        shoot(preferences, "preferences" + suffix);
        Ui.run(() -> PreferencesPose.open(KviewUi.PREFERENCES_COLOURS));
        shoot(preferences, "colours" + suffix);
        Ui.run(preferences::close);
        Ui.set(new SessionState.Busy("Attaching probes…"));
        shoot(window, "loading" + suffix);
        Ui.set(new SessionState.None());
        SessionsPose.show(temporary.resolve("kview-sessions"), "load-test.kview");
        SessionController controller = Ui.get(SessionController::get);
        Path session = temporary.resolve("kview-sessions/checkout-before.kview");
        controller.open(session).join();
        Ui.await("it is open", () -> SessionService.get().state() instanceof SessionState.Opened);
        Thread.sleep(3000);
        FunctionsPose.select("price_basket");
        shoot(window, "latency" + suffix);
        Ui.run(() -> window.setBounds(0, 0, SMALL_WIDTH, SMALL_HEIGHT));
        shoot(window, "latency-small" + suffix);
        Ui.run(() -> window.setBounds(0, 0, WIDTH, HEIGHT));
        DistributionPose.showTail();
        shoot(window, "distribution" + suffix);
        DistributionPose.restore();
        calls(window, suffix);
        help(suffix);
        sessions(window, suffix);
        FunctionsPose.showBreakdownTip();
        shoot(window, "breakdown" + suffix);
        FunctionsPose.hideTip();
        Ui.run(() -> Ui.page().setPartState(Ui.page().getReference(Ui.page().getActiveEditor()),
                IWorkbenchPage.STATE_MAXIMIZED));
        shoot(window, "events" + suffix);
        Ui.run(() -> Ui.page().setPartState(Ui.page().getReference(Ui.page().getActiveEditor()),
                IWorkbenchPage.STATE_RESTORED));
        compare(session, window, suffix);
        SessionState opened = Ui.get(() -> SessionService.get().state());
        Ui.set(new SessionState.Opened(session, partial(opened.snapshot().orElseThrow())));
        shoot(window, "partial" + suffix);
        controller.close().join();
        systemCalls(window, suffix);
        Ui.set(new SessionState.Failed("Process 4711 (checkout) ended before its probes were attached. "
                + "Start it again, or choose \"A command that is started\" to have the probes in place first."));
        shoot(window, "failed" + suffix);
        Ui.set(new SessionState.None());
    }

    private void calls(Shell window, String suffix) throws Exception {
        Ui.await("its calls are at hand", Duration.ofSeconds(60), () -> CallsService.get().state() instanceof CallsState.Stored);
        FunctionsPose.select("price_basket");
        LatencyPose.selectTail();
        shoot(window, "latency-over-time" + suffix);
        LatencyPose.maximize();
        shoot(window, "latency-over-time-large" + suffix);
        LatencyPose.restore();
        TimelinePose.showLongestWait();
        shoot(window, "timeline" + suffix);
        TimelinePose.restore();
        CallsPose.showFiltered();
        shoot(window, "calls" + suffix);
        CallsPose.restore();
        TraceCompassPose.showControlFlow();
        shoot(window, "control-flow" + suffix);
        TraceCompassPose.hideControlFlow();
    }

    private void help(String suffix) throws Exception {
        Ui.run(() -> {
            Ui.page().activate(Ui.page().findView(KviewUi.VIEW_FUNCTIONS));
            try {
                PlatformUI.getWorkbench().getService(IHandlerService.class).executeCommand(KviewUi.COMMAND_HELP, null);
            } catch (CommandException e) {
                throw new IllegalStateException(e);
            }
        });
        Shell help = Dialogs.await("Kview Workbench Help");
        shoot(help, "help" + suffix);
        Ui.run(help::close);
    }

    private void sessions(Shell window, String suffix) throws Exception {
        SessionsPose.show(temporary.resolve("kview-sessions"), "load-test.kview");
        Ui.run(() -> Ui.page().setPartState(Ui.page().findViewReference(KviewUi.VIEW_SESSIONS),
                IWorkbenchPage.STATE_MAXIMIZED));
        shoot(window, "sessions" + suffix);
        Ui.run(() -> Ui.page().setPartState(Ui.page().findViewReference(KviewUi.VIEW_SESSIONS),
                IWorkbenchPage.STATE_RESTORED));
        NotesPose.show();
        shoot(window, "notes" + suffix);
        FunctionsPose.select("price_basket");
        Ui.run(() -> Ui.page().activate(Ui.page().findView(KviewUi.VIEW_WAITS)));
        shoot(window, "waits" + suffix);
        Ui.run(() -> Ui.page().activate(Ui.page().findView(KviewUi.VIEW_CAUSES)));
    }

    /** Calls and wall-clock time alone are measured of them: what is not has no curve and no figure. */
    private void systemCalls(Shell window, String suffix) throws Exception {
        String calls = System.getenv().getOrDefault("KVIEW_SCREENSHOT_CALLS", "");
        if (calls.isEmpty()) {
            return;
        }
        SessionController controller = Ui.get(SessionController::get);
        controller.open(Path.of(calls)).join();
        Ui.await("it is open", () -> SessionService.get().state() instanceof SessionState.Opened);
        FunctionsPose.select("syscall:fsync");
        shoot(window, "system-calls" + suffix);
        Ui.run(() -> Ui.page().activate(Ui.page().findView(KviewUi.VIEW_COST)));
        Ui.run(() -> Ui.page().setPartState(Ui.page().findViewReference(KviewUi.VIEW_COST), IWorkbenchPage.STATE_MAXIMIZED));
        shoot(window, "cost" + suffix);
        Ui.run(() -> Ui.page().setPartState(Ui.page().findViewReference(KviewUi.VIEW_COST), IWorkbenchPage.STATE_RESTORED));
        Ui.run(() -> Ui.page().activate(Ui.page().findView(KviewUi.VIEW_CAUSES)));
        controller.close().join();
    }

    private static LatencySnapshot partial(LatencySnapshot whole) {
        List<String> problems = new ArrayList<>(whole.problems());
        problems.add("The trace of this session ends early: 3 of its 214 packets are damaged and left out.");
        return new LatencySnapshot(whole.info(), whole.functions(), new Losses(1204, 2, 0, 0, 0), whole.overhead(),
                problems);
    }

    /** With another recording at hand: what changed from the one to the other, large and as it opens. */
    private void compare(Path session, Shell window, String suffix) throws Exception {
        String other = System.getenv().getOrDefault("KVIEW_SCREENSHOT_COMPARED", "");
        if (other.isEmpty()) {
            return;
        }
        ComparePose pose = ComparePose.open(session, Path.of(other));
        shoot(window, "compare-small" + suffix);
        pose.maximize();
        shoot(window, "compare" + suffix);
        pose.close();
        ComparePose none = ComparePose.open(session, Path.of("/nowhere/moved.kview"));
        shoot(window, "compare-failed" + suffix);
        none.close();
        ComparePose groups = ComparePose.open(group("disk"), group("memory"));
        groups.maximize();
        shoot(window, "compare-groups" + suffix);
        groups.close();
    }

    /** Three recordings of the workload. */
    private static List<Path> group(String name) {
        Path folder = Path.of(System.getenv("KVIEW_SCREENSHOT_GROUPS"));
        return IntStream.rangeClosed(1, 3).mapToObj(i -> folder.resolve(name + "-" + i + ".kview")).toList();
    }

    /** With a process and an agent at hand: the wizard's pages and a recording that goes on. */
    private void record(Shell window, String suffix) throws Exception {
        String pid = System.getenv().getOrDefault("KVIEW_SCREENSHOT_PID", "");
        if (pid.isEmpty()) {
            return;
        }
        WizardPose posed = WizardPose.openOnFakeHost();
        shoot(posed.shell(), "wizard-process" + suffix);
        posed.chooseFunctions();
        shoot(posed.shell(), "wizard-functions" + suffix);
        posed.tryCost();
        shoot(posed.shell(), "wizard-cost" + suffix);
        posed.chooseOptions(Path.of("/home/ada/kview-sessions"), "checkout-20261120-140207");
        shoot(posed.shell(), "wizard-options" + suffix);
        posed.cancel();
        WizardPose surveyed = WizardPose.openOnFakeHost();
        surveyed.survey();
        shoot(surveyed.shell(), "wizard-survey" + suffix);
        surveyed.cancel();
        WizardPose wizard = WizardPose.open(pid);
        wizard.chooseFunctions();
        wizard.chooseOptions(temporary, "checkout" + suffix);
        wizard.record();
        Ui.await("it records", Duration.ofSeconds(30),
                () -> SessionService.get().state() instanceof SessionState.Recording);
        Thread.sleep(6000);
        shoot(window, "recording" + suffix);
        end();
        if (SshLab.ROOT) {
            lostLink(window, pid, suffix);
        }
    }

    private static void end() throws Exception {
        Ui.get(SessionController::get).stopRecording();
        Ui.await("it is open", Duration.ofSeconds(60), () -> SessionService.get().state() instanceof SessionState.Opened);
        Ui.get(SessionController::get).close().join();
    }

    /** A recording over a real connection that breaks. */
    private void lostLink(Shell window, String pid, String suffix) throws Exception {
        TargetService targets = Ui.get(TargetService::get);
        try (SshLab lab = new SshLab(); Relay network = new Relay(lab.server("web-3", "").trusted().port())) {
            Files.writeString(lab.knownHosts(), Files.readString(lab.knownHosts())
                    .replaceFirst("]:\\d+", "]:" + network.port()));
            lab.configure("Host web-3\n  HostName 127.0.0.1\n  Port " + network.port() + "\n");
            OtherTargets.use(targets, lab.sshConfig(), DialogsTest.store(lab.folder()));
            targets.reload().join();
            TargetConnection host = targets.registry().find("web-3").orElseThrow();
            targets.connect(host).join();
            WizardPose wizard = WizardPose.open(host, pid);
            wizard.chooseFunctions();
            wizard.chooseOptions(temporary, "checkout-far" + suffix);
            wizard.record();
            Ui.await("it records", Duration.ofSeconds(30),
                    () -> SessionService.get().state() instanceof SessionState.Recording);
            Thread.sleep(5000);
            TargetsPose.select(host);
            network.cut();
            Ui.await("it is seen", () -> SessionService.get().state() instanceof SessionState.Recording recording
                    && !recording.link().isUp());
            Thread.sleep(2000);
            shoot(window, "link-lost" + suffix);
            network.mend();
            Ui.await("it is back", Duration.ofSeconds(60),
                    () -> SessionService.get().state() instanceof SessionState.Recording recording
                            && recording.link().isUp());
            end();
            // The host is forgotten.
            OtherTargets.use(targets, lab.sshConfig(), targets.secrets());
        }
    }

    /** Without a window manager a window is smaller than its bounds by the frame that it does not get. */
    private static Rectangle withoutEmptyEdge(Rectangle bounds) {
        ImageData data = copied(bounds);
        int width = bounds.width;
        while (width > 1 && isBlack(data, width - 1, 5)) {
            width--;
        }
        int height = bounds.height;
        while (height > 1 && isBlack(data, 5, height - 1)) {
            height--;
        }
        return new Rectangle(bounds.x, bounds.y, width, height);
    }

    /** Of a dialog, behind whose missing frame the window shows. */
    private static Rectangle content(Shell dialog) {
        Rectangle area = dialog.getClientArea();
        Point origin = dialog.toDisplay(area.x, area.y);
        return new Rectangle(origin.x, origin.y, area.width, area.height).intersection(Display.getCurrent().getBounds());
    }

    private static boolean isBlack(ImageData data, int x, int y) {
        return data.palette.getRGB(data.getPixel(x, y)).equals(new RGB(0, 0, 0));
    }

    private void shoot(Shell shell, String name) throws InterruptedException {
        // Animations, and views that repaint on their own time.
        Thread.sleep(1200);
        ImageData data = Ui.get(() -> copied(shell.getMenuBar() == null ? content(shell)
                : withoutEmptyEdge(shell.getBounds().intersection(Display.getCurrent().getBounds()))));
        ImageLoader loader = new ImageLoader();
        loader.data = new ImageData[] {data};
        loader.save(folder.resolve(name + ".png").toString(), SWT.IMAGE_PNG);
    }
}
