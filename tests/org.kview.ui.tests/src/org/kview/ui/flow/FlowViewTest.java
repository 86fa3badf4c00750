// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeGraphEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.widgets.Actions;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FlowCall;
import org.kview.wire.proto.FlowReply;
import org.kview.wire.proto.FlowRequest;
import org.kview.wire.proto.FlowStep;

import com.fasterxml.jackson.databind.JsonNode;

/** On what a guest's agent told of a cat that reads from a pipe. */
class FlowViewTest {
    private static final String NO_MODULE = "The kview module is not loaded: 'modprobe kview' loads it.";
    private static final FlowWish READ = new FlowWish("read", 3, 2);

    private final FlowHost host = new FlowHost();
    private JsonNode json;
    private FlowReply reply;
    private TargetConnection connection;
    private FlowView view;

    @BeforeEach
    void open() throws IOException {
        json = FlowReplies.json("read.json");
        reply = FlowReplies.of(json);
        connection = FakeHost.connection(host);
        view = Ui.view(KviewUi.VIEW_FLOW, FlowView.class);
    }

    @AfterEach
    void close() {
        Ui.run(() -> Ui.page().hideView(view));
        connection.disconnect();
    }

    private static ProcessInfo cat() {
        return new ProcessInfo(FlowHost.CAT, 1, new ProcessInfo.User(0, "root"), "cat",
                new ProcessInfo.Program("/bin/cat", List.of("cat")), 1, 0, 77, "/", false);
    }

    private void follow() {
        Ui.run(() -> view.follow(new FlowJob.Question(connection, cat(), READ)));
    }

    private void show() throws InterruptedException {
        follow();
        Ui.await("calls are shown", () -> view.messageText().isEmpty());
    }

    private void link(String target) {
        Ui.run(() -> {
            Event event = new Event();
            event.text = target;
            Dialogs.all(view.message(), Link.class).getFirst().notifyListeners(SWT.Selection, event);
        });
    }

    private static List<TreeItem> lines(TreeItem... items) {
        List<TreeItem> lines = new ArrayList<>();
        for (TreeItem item : items) {
            lines.add(item);
            lines.addAll(lines(item.getItems()));
        }
        return lines;
    }

    private List<TreeItem> lines() {
        return lines(view.page().tree().control().getItems());
    }

    private static List<JsonNode> parts(JsonNode call) {
        return StreamSupport.stream(call.get("tree").spliterator(), false).toList();
    }

    private static String nanos(JsonNode part, String field) {
        return LatencyFormat.nanos(part.get(field).asLong());
    }

    private static int middle(ImageData image) {
        var rgb = image.palette.getRGB(image.getPixel(image.width / 2, image.height / 2));
        return rgb.red << 16 | rgb.green << 8 | rgb.blue;
    }

    @Test
    void eachCallIsATreeWithItsWaitsInPlace() throws Exception {
        host.answers(reply);
        assertThat(Ui.get(view::messageText)).contains("No system call was followed yet");
        show();
        FlowRequest asked = host.asked().getFirst();
        assertThat(asked.getPid()).isEqualTo(FlowHost.CAT);
        assertThat(asked.getStartTimeNs()).isEqualTo(77);
        assertThat(asked.getSystemCall()).isEqualTo("read");
        assertThat(asked.getDurationMs()).isEqualTo(3000);
        assertThat(asked.getSlowest()).isEqualTo(2);
        Ui.run(() -> {
            JsonNode call = json.at("/calls/0");
            JsonNode root = parts(call).getFirst();
            TreeItem top = lines().getFirst();
            assertThat(top.getText(FlowColumn.FUNCTION.ordinal())).isEqualTo("__x64_sys_read");
            assertThat(top.getText(FlowColumn.WALL.ordinal())).isEqualTo(nanos(root, "wall_ns"));
            assertThat(top.getText(FlowColumn.ON_CPU.ordinal())).isEqualTo(nanos(root, "on_cpu_ns"));
            assertThat(top.getText(FlowColumn.SELF.ordinal())).isEqualTo(nanos(root, "self_ns"));
            assertThat(top.getExpanded()).isTrue();
            assertThat(top.getImage()).isNull();
            JsonNode told = parts(call).stream().filter(part -> part.has("wait")).findFirst().orElseThrow();
            TreeItem wait = lines().stream().filter(item -> item.getText().startsWith("[network]")).findFirst().orElseThrow();
            assertThat(wait.getText(FlowColumn.WALL.ordinal())).isEqualTo(nanos(told, "wall_ns"));
            assertThat(wait.getText(FlowColumn.ON_CPU.ordinal())).isEmpty();
            assertThat(middle(wait.getImage().getImageData())).isEqualTo(Metric.NETWORK.rgb());
            assertThat(view.page().summaryText()).startsWith("cat (pid 172) on this machine, " + LatencyFormat.nanos(reply.getEndNs() - reply.getBeginNs()) + ": ").contains(" calls of read were seen, ")
                    .endsWith("; the 2 slowest of them.");
            assertThat(view.page().sentences().getText()).contains("In a kernel view of this process alone ")
                    .contains("Each hooked function cost the process more meanwhile");
            assertThat(view.getTitle()).isEqualTo("Flow of read");
            assertThat(FlowActions.text((FlowRow) top.getData())).startsWith("__x64_sys_read\t" + nanos(root, "wall_ns") + "\t");
        });
    }

    @Test
    void theCallsAreChosenAbove() throws Exception {
        host.answers(reply);
        show();
        Ui.run(() -> {
            assertThat(view.page().calls().getItems()).hasSize(2);
            assertThat(view.page().calls().getItem(1)).startsWith("2: " + nanos(json.at("/calls/1"), "wall_ns") + ", on-CPU ");
            assertThat(view.page().call()).isZero();
            view.page().calls().select(1);
            view.page().calls().notifyListeners(SWT.Selection, new Event());
            assertThat(lines().getFirst().getText(FlowColumn.WALL.ordinal())).isEqualTo(nanos(json.at("/calls/1"), "wall_ns"));
        });
    }

    @Test
    void shortFunctionsShareALineUntilAllAreWanted() throws Exception {
        host.answers(reply);
        show();
        Ui.run(() -> {
            int folded = lines().size();
            assertThat(lines()).anyMatch(item -> item.getText().contains(" short calls: "));
            view.actions().all().setChecked(true);
            view.actions().all().run();
            List<JsonNode> all = parts(json.at("/calls/0"));
            assertThat(lines()).hasSize(all.size()).hasSizeGreaterThan(folded);
            assertThat(lines().stream().map(item -> item.getText()).filter(text -> !text.startsWith("["))).containsExactlyElementsOf(
                    all.stream().filter(part -> part.has("function")).map(part -> part.get("function").asText()).toList());
        });
        FollowedFlow flow = Ui.get(() -> view.page().shown().orElseThrow());
        assertThat(flow.text(0, false)).startsWith("1: ").contains(" short calls: ", "      Wall    On CPU      Self  Function\n");
        assertThat(flow.text(0, true)).doesNotContain(" short calls: ");
        assertThat(flow.csv(0)).startsWith("depth,function,wait,begin_ns,wall_ns,on_cpu_ns,self_ns,run_queue_ns,end\r\n0,__x64_sys_read,,0,")
                .contains(",,network,");
        assertThat(flow.csv(0).lines()).hasSize(parts(json.at("/calls/0")).size() + 1);
    }

    @Test
    void theSameCallIsAFlameChart() throws Exception {
        host.answers(reply);
        show();
        Ui.run(() -> {
            view.actions().chart().setChecked(true);
            view.actions().chart().run();
        });
        Ui.settle();
        Ui.run(() -> {
            List<FlowEvent> events = new ArrayList<>();
            for (ITimeGraphEntry line : view.page().chart().viewer().getExpandedElements()) {
                List<FlowEvent> its = new ArrayList<>();
                line.getTimeEventsIterator().forEachRemaining(event -> its.add((FlowEvent) event));
                for (int i = 1; i < its.size(); i++) {
                    assertThat(its.get(i).getTime()).as("none over another").isGreaterThanOrEqualTo(
                            its.get(i - 1).getTime() + its.get(i - 1).line().wallNanos());
                }
                events.addAll(its);
            }
            List<JsonNode> all = parts(json.at("/calls/0"));
            assertThat(events).hasSize(all.size());
            JsonNode told = all.stream().filter(part -> part.has("wait")).findFirst().orElseThrow();
            FlowEvent wait = events.stream().filter(event -> event.line().cause().isPresent()).findFirst().orElseThrow();
            assertThat(wait.getTime()).isEqualTo(told.get("begin_ns").asLong());
            assertThat(wait.getDuration()).isEqualTo(told.get("wall_ns").asLong());
            assertThat(wait.getEntry().getName()).isEqualTo(Integer.toString(told.get("depth").asInt() + 1));
            FlamePresentation presentation = new FlamePresentation();
            var colour = presentation.getStateTable()[presentation.getStateTableIndex(wait)].getStateColor();
            assertThat(colour.red << 16 | colour.green << 8 | colour.blue).isEqualTo(Metric.NETWORK.rgb());
            assertThat(presentation.getEventHoverToolTipInfo(wait)).containsEntry("Wall-clock", nanos(told, "wall_ns"));
            assertThat(Ui.colours(Actions.picture(view.page().control()))).contains(Metric.NETWORK.rgb());
        });
        IEclipsePreferences preferences = InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);
        try {
            Ui.run(() -> preferences.put(MetricColours.key(Metric.NETWORK), "18,52,86"));
            Ui.await("in the chosen colour", () -> Ui.colours(Actions.picture(view.page().control())).contains(0x123456));
            // The lines are not in sight meanwhile.
            assertThat(Ui.get(() -> lines().stream().map(TreeItem::getImage).filter(Objects::nonNull).map(image -> middle(image.getImageData())).toList()))
                    .contains(0x123456).doesNotContain(Metric.NETWORK.rgb());
        } finally {
            Ui.run(() -> preferences.remove(MetricColours.key(Metric.NETWORK)));
        }
    }

    @Test
    void itCanBeEndedWithWhatWasFound() throws Exception {
        host.waits(reply, 2);
        follow();
        assertThat(Ui.get(view::messageText)).startsWith("Following read in cat (pid 172) on this machine…").contains("For 3 s");
        Ui.await("it is asked", () -> !host.asked().isEmpty());
        Ui.run(() -> {
            link("end");
            assertThat(view.messageText()).startsWith("Ending read in cat (pid 172) on this machine…").doesNotContain("End now");
        });
        Ui.await("calls are shown", () -> view.messageText().isEmpty());
        assertThat(Ui.get(() -> view.page().calls().getItemCount())).isEqualTo(2);
    }

    @Test
    void whoClosesTheViewLetsTheProcessGo() throws Exception {
        host.waits(reply, 0);
        follow();
        Ui.await("it is asked", () -> !host.asked().isEmpty());
        Job[] jobs = Job.getJobManager().find(null);
        Ui.run(() -> Ui.page().hideView(view));
        Ui.await("it has ended", () -> List.of(jobs).stream().filter(FlowJob.class::isInstance).allMatch(job -> job.getState() == Job.NONE));
        assertThat(List.of(jobs)).anyMatch(FlowJob.class::isInstance);
    }

    @Test
    void whyNothingIsShownIsSaid() throws Exception {
        host.refuses(Error.Code.UNSUPPORTED, NO_MODULE);
        follow();
        Ui.await("it is refused", () -> view.messageText().equals("Can't follow read in cat (pid 172) on this machine\n" + NO_MODULE));
        host.answers(reply);
        link("again");
        Ui.await("calls are shown", () -> view.messageText().isEmpty());
        host.answers(reply.toBuilder().clearCalls().setCallsSeen(0).setWallNs(0).addNotes("Where none was seen, pread64 is likely.").build());
        follow();
        Ui.await("there is none", () -> view.messageText().contains("No way to show") && view.messageText().contains("pread64 is likely"));
        assertThat(Ui.get(view::messageText)).contains("no call of read was seen to begin and end.");
        link("before");
        assertThat(Ui.get(view::messageText)).as("what was found before").isEmpty();
    }

    @Test
    void aDialogAsksWhichCallAndRemembersIt() throws Exception {
        host.answers(reply);
        new FlowWish("read", 5, 5).keep();
        Ui.run(() -> Ui.page().getWorkbenchWindow().getShell().getDisplay().asyncExec(() -> FlowView.ask(Ui.page(), connection, cat())));
        var dialog = Dialogs.await("Follow a System Call");
        Ui.run(() -> {
            var call = Dialogs.all(dialog, org.eclipse.swt.widgets.Combo.class).getFirst();
            assertThat(call.getText()).isEqualTo("read");
            call.setText("kernel:vfs_read");
            assertThat(Dialogs.all(dialog, org.eclipse.swt.widgets.Button.class)).filteredOn(button -> button.getText().equals("Follow"))
                    .allMatch(button -> !button.isEnabled());
            call.setText("pread64");
            Dialogs.all(dialog, org.eclipse.swt.widgets.Spinner.class).getFirst().setSelection(2);
        });
        Dialogs.press(dialog, "Follow");
        Ui.await("it is asked", () -> !host.asked().isEmpty());
        assertThat(host.asked().getFirst().getSystemCall()).isEqualTo("pread64");
        assertThat(host.asked().getFirst().getDurationMs()).isEqualTo(2000);
        assertThat(FlowWish.last()).isEqualTo(new FlowWish("pread64", 2, 5));
        Ui.await("it has ended", () -> view.messageText().isEmpty());
    }

    /** A call that made 60,000 calls, none of more than 4 µs, and then found no more room. */
    private FlowReply many() {
        int functions = 60_000;
        FlowCall.Builder call = reply.getCalls(0).toBuilder().clearSteps().clearAfterNs().clearFunctions().clearCauses().clearRunQueueNs()
                .setOnCpuNs(reply.getCalls(0).getWallNs()).setCutSteps(1).addSteps(FlowStep.FLOW_ENTER).addAfterNs(0).addFunctions(0)
                .addCausesValue(0).addRunQueueNs(0);
        long now = 0;
        for (int i = 1; i <= functions; i++) {
            long nanos = i / 16;
            now += nanos;
            call.addSteps(FlowStep.FLOW_ENTER).addAfterNs(0).addFunctions(1).addCausesValue(0).addRunQueueNs(0);
            call.addSteps(FlowStep.FLOW_LEAVE).addAfterNs(nanos).addFunctions(1).addCausesValue(0).addRunQueueNs(0);
        }
        assertThat(now).isLessThan(call.getWallNs());
        return reply.toBuilder().clearCalls().addCalls(call).setCallsSeen(1).setWallNs(call.getWallNs()).build();
    }

    @Test
    void aCallOfManyFunctionsIsCutAndSaysSo() throws Exception {
        host.answers(many());
        show();
        Ui.run(() -> {
            assertThat(lines()).as("the root, those that are short, and the rest").hasSize(3);
            assertThat(view.page().sentences().getText()).doesNotContain("These are the first");
            view.actions().all().setChecked(true);
            view.actions().all().run();
            assertThat(lines()).hasSize(FlowPage.LINES_AT_MOST);
            assertThat(view.page().sentences().getText()).startsWith("These are the first 5,000 lines of this call: ");
            view.actions().chart().setChecked(true);
            view.actions().chart().run();
            FollowedFlow flow = view.page().shown().orElseThrow();
            FlameLines drawn = FlameLines.of(flow.flow().calls().getFirst(), flow.trees().getFirst());
            List<Long> lengths = new ArrayList<>();
            drawn.lines().get(1).getTimeEventsIterator().forEachRemaining(event -> lengths.add(event.getDuration()));
            assertThat(lengths).hasSizeBetween(FlameLines.MOST_EVENTS / 3, FlameLines.MOST_EVENTS).contains(60_000L / 16)
                    .allMatch(nanos -> nanos >= drawn.leastNanos());
            assertThat(drawn.leastNanos()).isGreaterThan(1);
            assertThat(view.page().sentences().getText()).startsWith("What took less than " + LatencyFormat.nanos(drawn.leastNanos())
                    + " is not drawn: ");
            assertThat(flow.csv(0).lines()).as("the head, the root, all that it called, and the rest").hasSize(60_003);
        });
    }
}
