// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.util.LocalSelectionTransfer;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.record.DraggedProcess;
import org.kview.ui.record.FakeHost;
import org.kview.wire.proto.ChangeViewReply;
import org.kview.wire.proto.ChangeViewRequest;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.KernelView;
import org.kview.wire.proto.ListSitesReply;
import org.kview.wire.proto.ListSitesRequest;
import org.kview.wire.proto.ListViewsReply;
import org.kview.wire.proto.SiteCounts;
import org.kview.wire.proto.SiteFigures;
import org.kview.wire.proto.SiteKind;
import org.kview.wire.proto.ToAgent.BodyCase;
import org.kview.wire.proto.ViewAttachment;
import org.kview.wire.proto.ViewSet;

class KernelViewsViewTest {
    /** A host on which a recording runs in a view, with 500 hits a second by its own clock. */
    private static final class Traced implements Target {
        private final AtomicInteger readings = new AtomicInteger();
        private static final int SITES = 40_000;
        private final List<ListSitesRequest> asked = new CopyOnWriteArrayList<>();
        private final List<ChangeViewRequest> changes = new CopyOnWriteArrayList<>();
        private volatile boolean own;
        private volatile boolean answersChanges = true;
        private volatile String refusedChange = "";
        private volatile String refusal = "";
        private volatile Supplier<FromAgent.Builder> answer = this::recording;

        @Override
        public String name() {
            return "traced";
        }

        @Override
        public Agent connect() throws TargetException, InterruptedException {
            return Agent.connect(new FakeAgent().on(BodyCase.LIST_VIEWS, _ -> {
                readings.incrementAndGet();
                return answer.get();
            }).on(BodyCase.LIST_SITES, request -> {
                asked.add(request.getListSites());
                return refusal.isEmpty() ? sites(request.getListSites())
                        : FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.NO_PERMISSION).setMessage(refusal));
            }).on(BodyCase.CHANGE_VIEW, request -> {
                changes.add(request.getChangeView());
                return !answersChanges ? null : refusedChange.isEmpty() ? FromAgent.newBuilder().setChangeView(ChangeViewReply.newBuilder().setId(50)
                        .setNote(request.getChangeView().hasAddSites() ? "1 of 2 are left out: nosuch (there is none of that name)." : ""))
                        : FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.UNSUPPORTED).setMessage(refusedChange));
            }).start());
        }

        /** As many as a flow's set has; every thousandth is reached, the later ones more often. */
        FromAgent.Builder sites(ListSitesRequest request) {
            int round = readings.get();
            ListSitesReply.Builder reply = ListSitesReply.newBuilder().setReadNs(round * 2_000_000_000L).setSites(SITES);
            for (int i = 0; i < SITES; i++) {
                if (request.getNames()) {
                    reply.addNames("function_" + i);
                }
                if (i % 1000 == 0) {
                    reply.addFigures(SiteFigures.newBuilder().setSite(i).setHits(round * (long) i).setRejectedNested(i == 7000 ? 5 : 0));
                }
            }
            return FromAgent.newBuilder().setListSites(reply);
        }

        FromAgent.Builder recording() {
            int round = readings.get();
            return FromAgent.newBuilder().setListViews(ListViewsReply.newBuilder().setTotalItems(3).addViews(KernelView.newBuilder()
                    .setId(1).setOwn(own).setName("kview record").setOwnerPid(812).setOwnerUser("root").setOwnerCommand("kview-agent")
                    .setAgeNs(4_000_000_000L).setMemoryBytes(421_888).setProcesses(1).setTextPages(60).setSharedTextPages(4).setTablePages(12)
                    .addSets(ViewSet.newBuilder().setId(2).setKind(SiteKind.SITE_ENTRY).setActive(true).setSites(2)
                            .setCounts(SiteCounts.newBuilder().setReadNs(round * 2_000_000_000L).setHits(round * 1000L)))
                    .addAttachments(ViewAttachment.newBuilder().setId(3).setKind(ViewAttachment.Kind.PROCESS).setPid(790)
                            .setCommand("dd").setProcesses(1).setAttachNs(2_500_000).setFollowsForks(true).setJoined(7))));
        }

        void refuse(Error.Code code, String sentence) {
            answer = () -> FromAgent.newBuilder().setError(Error.newBuilder().setCode(code).setMessage(sentence));
        }
    }

    private final Traced host = new Traced();
    private KernelViewsView view;

    @BeforeEach
    void open() {
        view = Ui.view(KviewUi.VIEW_KERNEL_VIEWS, KernelViewsView.class);
    }

    @AfterEach
    void close() {
        Ui.run(() -> {
            view.target().ifPresent(TargetConnection::disconnect);
            Ui.page().hideView(view);
        });
    }

    private TargetConnection look() throws Exception {
        TargetConnection connection = FakeHost.connection(host);
        Ui.run(() -> view.setTarget(Optional.of(connection)));
        return connection;
    }

    private Tree tree() {
        return view.tree().control();
    }

    private static String cell(TreeItem item, ViewColumn column) {
        return item.getText(column.ordinal());
    }

    @Test
    void whoIsTracedIsShownAndRenewed() throws Exception {
        TargetConnection connection = look();
        assertThat(Ui.get(view::messageText)).contains("not connected");
        connection.connect();
        Ui.await("two readings", () -> view.messageText().isEmpty() && cell(tree().getItem(0), ViewColumn.HIT_RATE).equals("500"));
        Ui.run(() -> {
            TreeItem recording = tree().getItem(0);
            assertThat(cell(recording, ViewColumn.NAME)).isEqualTo("kview record");
            assertThat(cell(recording, ViewColumn.OWNER)).isEqualTo("kview-agent 812 (root)");
            assertThat(cell(recording, ViewColumn.MEMORY)).isEqualTo("412 KiB");
            assertThat(recording.getExpanded()).isTrue();
            assertThat(recording.getItems()).extracting(item -> cell(item, ViewColumn.NAME))
                    .containsExactlyInAnyOrder("entries", "process 790 (dd)");
            assertThat(view.summaryText()).isEqualTo("1 view, 412 KiB");
            assertThat(view.getTitle()).isEqualTo("Kernel Views of this machine");
            assertThat(ViewsCsv.of(view.model().rows())).startsWith("view,id,name,sites,processes,hits,hits_per_second,")
                    .contains("\r\n1,1,kview record,2,1,", ",500.0,", ",60,4,12,,4000000000,",
                            "\r\n1,3,process 790 (dd),,1,,,,,0,,,,2500000,0,,Children that it forks join. 7 joined later.\r\n");
            assertThat(cell(recording, ViewColumn.PAGES)).isEqualTo("60 + 12");
            assertThat(cell(recording, ViewColumn.NOTE)).isEqualTo("Of its pages of text other views use 4 as well.");
            assertThat(ViewsActions.text(view.model().rows().getFirst())).startsWith("kview record\t2\t1\t");
        });
        host.answer = () -> FromAgent.newBuilder().setListViews(ListViewsReply.getDefaultInstance());
        Ui.await("the recording has ended", () -> view.messageText().contains("Nobody is traced"));
        host.answer = host::recording;
        Ui.await("another one runs", () -> view.messageText().isEmpty());
        connection.disconnect();
        Ui.run(() -> view.setTarget(Optional.empty()));
        assertThat(Ui.get(view::messageText)).contains("Choose a target");
        Ui.run(() -> view.setTarget(Optional.of(connection)));
        assertThat(Ui.get(view::messageText)).contains("not connected");
    }

    private static String cell(Table table, int line, SiteColumn column) {
        return table.getItem(line).getText(column.ordinal());
    }

    @Test
    void theSitesOfTheChosenSetAreShownAndRenewed() throws Exception {
        look().connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        assertThat(Ui.get(() -> view.sites().summaryText())).startsWith("Choose a set above");
        assertThat(host.asked).as("nobody looks at sites").isEmpty();
        Ui.run(() -> view.tree().choose(2));
        Table table = Ui.get(() -> view.sites().table());
        Ui.await("a rate of each", () -> table.getItemCount() == Traced.SITES && cell(table, 0, SiteColumn.HIT_RATE).equals("19,500"));
        Ui.run(() -> {
            assertThat(view.sites().summaryText()).isEqualTo("40,000 sites, 40 have counted something.");
            assertThat(cell(table, 0, SiteColumn.SITE)).isEqualTo("function_39000");
            assertThat(cell(table, 0, SiteColumn.KIND)).isEqualTo("entries");
            assertThat(cell(table, 39_999, SiteColumn.HITS)).isEqualTo("0");
            view.sites().sortBy(SiteColumn.NESTED);
            assertThat(cell(table, 0, SiteColumn.SITE)).isEqualTo("function_7000");
            assertThat(cell(table, 0, SiteColumn.NESTED)).isEqualTo("5");
            assertThat(SitesCsv.of(view.sites().model().rows())).startsWith("set,site,kind,name,hits,hits_per_second,")
                    .contains("\r\n2,7000,entries,function_7000,", ",3500.0,0,0,0,0,5,0\r\n", "\r\n2,1,entries,function_1,0,0.0,0,0,0,0,0,0\r\n");
            view.sites().search().setText("function_3900?");
            assertThat(table.getItemCount()).isEqualTo(10);
            view.sites().sortBy(SiteColumn.SITE);
            assertThat(cell(table, 3, SiteColumn.SITE)).isEqualTo("function_39003");
        });
        assertThat(host.asked).extracting(ListSitesRequest::getNames).as("names are most of it").startsWith(true).contains(false);
        assertThat(host.asked.stream().filter(ListSitesRequest::getNames)).hasSize(1);
        Ui.run(() -> view.tree().choose(3));
        assertThat(Ui.get(() -> view.sites().summaryText())).as("an attachment has none").startsWith("Choose a set above");
        int asked = host.asked.size();
        int readings = host.readings.get();
        Ui.await("it goes on", () -> host.readings.get() > readings + 2);
        assertThat(host.asked.size()).as("nobody looks at sites any more").isLessThanOrEqualTo(asked + 1);
    }

    @Test
    void whySitesAreNotToldIsSaid() throws Exception {
        look().connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        host.refusal = "The agent may not look at process 812, which has it.";
        Ui.run(() -> view.tree().choose(1));
        Ui.await("the reason is shown", () -> view.sites().summaryText().equals(host.refusal));
        assertThat(Ui.get(view::messageText)).as("the views are listed all the same").isEmpty();
    }

    /** As its context menu is, for the line that is chosen. */
    private List<MenuItem> menu(long line) {
        view.tree().choose(line);
        Menu menu = tree().getMenu();
        menu.notifyListeners(SWT.Show, new Event());
        return List.of(menu.getItems());
    }

    private static Optional<MenuItem> entry(List<MenuItem> menu, String text) {
        return menu.stream().filter(item -> item.getText().replace("&", "").startsWith(text)).findFirst();
    }

    private void choose(long line, String text) {
        MenuItem chosen = Ui.get(() -> entry(menu(line), text).orElseThrow(() -> new AssertionError("no entry " + text)));
        // It may open a dialog, and return only then.
        Display.getDefault().asyncExec(() -> chosen.notifyListeners(SWT.Selection, new Event()));
    }

    private ChangeViewRequest change(int number) throws Exception {
        Ui.await("change " + number, () -> host.changes.size() > number);
        return host.changes.get(number);
    }

    @Test
    void viewsOfOthersAreNotChanged() throws Exception {
        look().connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        Ui.run(() -> {
            List<MenuItem> menu = menu(3);
            assertThat(entry(menu, "Only Its Owner")).hasValueSatisfying(item -> assertThat(item.isEnabled()).isFalse());
            assertThat(entry(menu, "Detach")).isEmpty();
            assertThat(entry(menu, "New Kernel View")).isPresent();
        });
    }

    @Test
    void aViewIsMadeAndChanged() throws Exception {
        host.own = true;
        look().connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        choose(1, "New Kernel View");
        Shell dialog = Dialogs.await("New Kernel View");
        Ui.run(() -> assertThat(Dialogs.all(dialog, Button.class)).anySatisfy(button -> {
            assertThat(button.getText()).isEqualTo("OK");
            assertThat(button.isEnabled()).isFalse();
        }));
        Dialogs.type(dialog, "reads", "vfs_read\nwhat is this", "790");
        assertThat(Dialogs.text(dialog)).contains("'what is this' is no site such as");
        Dialogs.type(dialog, "reads", "vfs_read\n\nnosuch", "790");
        Dialogs.tick(dialog);
        Dialogs.press(dialog, "OK");
        assertThat(change(0).getMake()).isEqualTo("reads");
        assertThat(change(1).getAddSites().getNamesList()).containsExactly("vfs_read", "nosuch");
        assertThat(change(2).getAttachProcess()).isEqualTo(ChangeViewRequest.JoiningProcess.newBuilder().setPid(790).setForks(true).build());
        Shell note = Dialogs.await("New Kernel View");
        assertThat(Dialogs.text(note)).contains("1 of 2 are left out: nosuch");
        Dialogs.press(note, "OK");
        Dialogs.awaitNone("New Kernel View");

        choose(1, "Stop Counting");
        assertThat(change(3)).isEqualTo(ChangeViewRequest.newBuilder().setViewId(1).setCount(false).build());
        choose(3, "Detach");
        assertThat(change(4)).isEqualTo(ChangeViewRequest.newBuilder().setViewId(1).setClose(3).build());
        choose(2, "Remove These Sites");
        assertThat(change(5).getClose()).isEqualTo(2);
        choose(2, "Remove Kernel View");
        assertThat(change(6).getClose()).isEqualTo(1);
        choose(2, "Attach");
        Shell attach = Dialogs.await("Attach to kview record");
        Dialogs.type(attach, "eth0:3");
        Dialogs.press(attach, "OK");
        assertThat(change(7).getAttachQueue().getQueue()).isEqualTo(3);
    }

    @Test
    void aDraggedProcessIsProposedWhereItIsDropped() throws Exception {
        host.own = true;
        TargetConnection connection = look();
        connection.connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        ProcessInfo process = new ProcessInfo(4242, 1, new ProcessInfo.User(0, "root"), "shop", new ProcessInfo.Program("/bin/shop", List.of()), 2, 0, 0, "/", false);
        try {
            assertThat(Ui.get(() -> view.actions().dropOn(tree().getItem(0)))).as("nothing is dragged").isEmpty();
            LocalSelectionTransfer.getTransfer().setSelection(new StructuredSelection(new DraggedProcess(FakeHost.connection(new Traced()), process)));
            assertThat(Ui.get(() -> view.actions().dropOn(tree().getItem(0)))).as("a process of another host").isEmpty();
            LocalSelectionTransfer.getTransfer().setSelection(new StructuredSelection(new DraggedProcess(connection, process)));
            assertThat(Ui.get(() -> view.actions().dropOn(null))).as("beside the lines").isEmpty();
            Display.getDefault().asyncExec(Ui.get(() -> view.actions().dropOn(tree().getItem(0).getItem(0))).orElseThrow());
            Dialogs.press(Dialogs.await("Attach to kview record"), "OK");
            assertThat(change(0).getAttachProcess().getPid()).isEqualTo(4242);
            host.own = false;
            Ui.await("it is another's", () -> view.actions().dropOn(tree().getItem(0)).isEmpty());
        } finally {
            LocalSelectionTransfer.getTransfer().setSelection(null);
        }
    }

    /** An execve that does not end keeps its process out for half a minute. */
    @Test
    void waitingForAProcessCanBeCancelled() throws Exception {
        host.own = true;
        host.answersChanges = false;
        look().connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        choose(1, "Attach");
        Shell attach = Dialogs.await("Attach to kview record");
        Dialogs.type(attach, "790");
        Dialogs.press(attach, "OK");
        change(0);
        Job job = Stream.of(Job.getJobManager().find(null)).filter(one -> one.getName().equals("Attach")).findAny().orElseThrow();
        job.cancel();
        assertThat(job.join(60_000, null)).as("it ends").isTrue();
        assertThat(job.getResult().getSeverity()).isEqualTo(IStatus.CANCEL);
    }

    /** Nothing is left of one that can't be made as a whole. */
    @Test
    void whatIsRefusedIsSaid() throws Exception {
        host.own = true;
        look().connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        host.refusedChange = "The process 790 was not let into the view: it is in this view already.";
        choose(1, "Attach");
        Shell attach = Dialogs.await("Attach to kview record");
        Dialogs.type(attach, "790");
        Dialogs.press(attach, "OK");
        Ui.await("the reason", () -> Dialogs.find("Attach").filter(shell -> Dialogs.text(shell).contains("it is in this view already")).isPresent());
        Dialogs.press(Ui.get(() -> Dialogs.find("Attach").orElseThrow()), "OK");
        Dialogs.awaitNone("Attach");
    }

    @Test
    void whatIsMissingIsSaidWithWhatToDo() throws Exception {
        host.refuse(Error.Code.UNSUPPORTED, "The kview module is not loaded: 'modprobe kview' loads it.");
        look().connect();
        Ui.await("the reason is shown", () -> view.messageText().contains("'modprobe kview' loads it."));
        host.refuse(Error.Code.BAD_REQUEST, "This agent does not know the request.");
        Ui.await("an agent that is too old is named", () -> view.messageText().contains("too old to tell of kernel views"));
        host.answer = host::recording;
        Ui.await("once it is loaded, the views are shown", () -> view.messageText().isEmpty());
    }

    @Test
    void nobodyIsAskedWhileNobodyLooks() throws Exception {
        look().connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        Ui.view(KviewUi.VIEW_PROCESSES, org.eclipse.ui.IViewPart.class);
        Ui.await("no further question is due", () -> !Ui.page().isPartVisible(view) && view.poll().getState() == Job.NONE);
        int asked = host.readings.get();
        Ui.run(() -> Ui.page().activate(view));
        Ui.await("it asks again", () -> host.readings.get() > asked + 1);
    }

    /** Its title says whose views it shows. */
    @Test
    void itHasHelp() throws Exception {
        look();
        Ui.run(() -> Ui.page().activate(view));
        Ui.get(() -> PlatformUI.getWorkbench().getService(IHandlerService.class).executeCommand(KviewUi.COMMAND_HELP, null));
        Shell help = Dialogs.await("Kview Workbench Help");
        assertThat(Ui.get(() -> Dialogs.all(help, org.eclipse.swt.widgets.List.class).getFirst().getSelection()))
                .containsExactly("Kernel Views");
        Ui.run(help::close);
    }
}
