// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Shell;
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
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.KernelView;
import org.kview.wire.proto.ListViewsReply;
import org.kview.wire.proto.SiteCounts;
import org.kview.wire.proto.SiteKind;
import org.kview.wire.proto.ToAgent.BodyCase;
import org.kview.wire.proto.ViewAttachment;
import org.kview.wire.proto.ViewSet;

class KernelViewsViewTest {
    /** A host on which a recording runs in a view, with 500 hits a second by its own clock. */
    private static final class Traced implements Target {
        private final AtomicInteger readings = new AtomicInteger();
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
            }).start());
        }

        FromAgent.Builder recording() {
            int round = readings.get();
            return FromAgent.newBuilder().setListViews(ListViewsReply.newBuilder().setTotalItems(3).addViews(KernelView.newBuilder()
                    .setId(1).setName("kview record").setOwnerPid(812).setOwnerUser("root").setOwnerCommand("kview-agent")
                    .setAgeNs(4_000_000_000L).setMemoryBytes(421_888).setProcesses(1)
                    .addSets(ViewSet.newBuilder().setId(2).setKind(SiteKind.SITE_ENTRY).setActive(true).setSites(2)
                            .setCounts(SiteCounts.newBuilder().setReadNs(round * 2_000_000_000L).setHits(round * 1000L)))
                    .addAttachments(ViewAttachment.newBuilder().setId(3).setKind(ViewAttachment.Kind.PROCESS).setPid(790)
                            .setCommand("dd").setProcesses(1))));
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
                    .contains("\r\n1,1,kview record,2,1,", ",500.0,", "\r\n1,3,process 790 (dd),,1,,,,,0,0,,\r\n");
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
