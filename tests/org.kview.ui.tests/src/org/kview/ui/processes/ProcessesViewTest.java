// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
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
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ToAgent.BodyCase;

class ProcessesViewTest {
    /** A crowd of processes, one of which is busy. */
    private static final class Crowd implements Target {
        private final int count;
        private volatile long round;

        Crowd(int count) {
            this.count = count;
        }

        @Override
        public String name() {
            return "crowd";
        }

        @Override
        public Agent connect() throws TargetException, InterruptedException {
            FakeAgent fake = new FakeAgent();
            fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(list()));
            return Agent.connect(fake.start());
        }

        private synchronized ListProcessesReply.Builder list() {
            round++;
            ListProcessesReply.Builder reply = ListProcessesReply.newBuilder().setBeginNs(round * 1_000_000_000L);
            for (int pid = 1; pid <= count; pid++) {
                reply.addProcesses(Process.newBuilder().setPid(pid).setParentPid(pid / 4).setName("p" + pid).setUser("ada")
                        .addArguments("/usr/bin/p" + pid).setThreads(1)
                        .setCpuTimeNs(pid == 4711 % count ? round * 250_000_000L : 0));
            }
            return reply;
        }
    }

    /** A host that may have a reason not to list its processes. */
    private static final class Refusing implements Target {
        private volatile boolean refuses = true;

        @Override
        public String name() {
            return "refusing";
        }

        @Override
        public Agent connect() throws TargetException, InterruptedException {
            return Agent.connect(new FakeAgent().on(BodyCase.LIST_PROCESSES, _ -> refuses
                    ? FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.FAILED).setMessage("/proc is not mounted"))
                    : FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder().addProcesses(Process.newBuilder()
                            .setPid(1).setName("init")))).start());
        }
    }

    private ProcessesView view;

    @BeforeEach
    void open() {
        view = Ui.view(KviewUi.VIEW_PROCESSES, ProcessesView.class);
    }

    @AfterEach
    void close() {
        Ui.run(() -> {
            view.target().ifPresent(TargetConnection::disconnect);
            Ui.page().hideView(view);
        });
    }

    private TargetConnection look(Target target) throws Exception {
        TargetConnection connection = FakeHost.connection(target);
        Ui.run(() -> view.setTarget(Optional.of(connection)));
        return connection;
    }

    private static int lines(Tree tree) {
        int lines = 0;
        List<TreeItem> open = new ArrayList<>(List.of(tree.getItems()));
        while (!open.isEmpty()) {
            TreeItem item = open.removeLast();
            lines++;
            open.addAll(List.of(item.getItems()));
        }
        return lines;
    }

    @Test
    void saysWhatToDoWithoutAConnection() throws Exception {
        TargetConnection connection = look(new FakeHost());
        assertThat(Ui.get(view::messageText)).contains("not connected");
        connection.connect();
        Ui.run(() -> view.poll().now());
        Ui.await("it lists", () -> view.messageText().isEmpty());
        assertThat(Ui.get(view::countText)).isEqualTo("2 processes");
        Ui.run(() -> view.tree().choose(4711));
        assertThat(Ui.get(view::selection).orElseThrow().name()).isEqualTo("checkout");
        connection.disconnect();
        Ui.run(() -> view.setTarget(Optional.empty()));
        Ui.run(() -> view.setTarget(Optional.of(connection)));
        assertThat(Ui.get(view::messageText)).contains("not connected");
    }

    @Test
    void aSystemCallOfAProcessCanBeFollowed() throws Exception {
        look(new FakeHost()).connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        Ui.run(() -> {
            view.tree().choose(4711);
            Menu menu = view.tree().control().getMenu();
            menu.notifyListeners(SWT.Show, new Event());
            MenuItem follow = List.of(menu.getItems()).stream().filter(item -> item.getText().equals("Follow a &System Call…")).findFirst()
                    .orElseThrow();
            assertThat(follow.isEnabled()).isTrue();
            menu.getDisplay().asyncExec(() -> follow.notifyListeners(SWT.Selection, new Event()));
        });
        Shell dialog = Dialogs.await("Follow a System Call");
        assertThat(Dialogs.text(dialog)).contains("Follow a system call of checkout (pid 4711) on local");
        Dialogs.press(dialog, "Cancel");
        Dialogs.awaitNone("Follow a System Call");
    }

    /** After the chosen process has ended, GTK's cursor is on the one that stands in its place. */
    @Test
    void enterOpensNoProcessThatWasNotChosen() throws Exception {
        look(new FakeHost()).connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        Ui.run(() -> {
            Tree tree = view.tree().control();
            Event enter = new Event();
            enter.item = tree.getItem(0);
            tree.notifyListeners(SWT.DefaultSelection, enter);
            assertThat(Dialogs.find("Record")).isEmpty();
            assertThat(tree.getSelection()).containsExactly(tree.getItem(0));
            tree.getDisplay().asyncExec(() -> tree.notifyListeners(SWT.DefaultSelection, enter));
        });
        Shell dialog = Dialogs.await("Record");
        Ui.run(dialog::close);
        Dialogs.awaitNone("Record");
    }

    /** Processes of two hosts may have one number: neither is recorded for the other. */
    @Test
    void whatWasChosenOnOneHostIsNotOnAnother() throws Exception {
        look(new FakeHost()).connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        Ui.run(() -> view.tree().choose(4711));
        assertThat(Ui.get(view::selection)).isPresent();
        TargetConnection other = look(new FakeHost("web-3"));
        assertThat(Ui.get(view::selection)).isEmpty();
        other.connect();
        Ui.await("it lists", () -> view.messageText().isEmpty());
        assertThat(Ui.get(view::selection)).isEmpty();
    }

    @Test
    void whyThereIsNoListIsSaid() throws Exception {
        Refusing host = new Refusing();
        look(host).connect();
        Ui.await("the reason is shown", () -> view.messageText().contains("Can't list the processes of this machine")
                && view.messageText().contains("/proc is not mounted."));
        host.refuses = false;
        Ui.run(() -> view.poll().now());
        Ui.await("it lists", () -> view.messageText().isEmpty());
        host.refuses = true;
        Ui.run(() -> view.poll().now());
        Ui.await("the list stays, as it was", () -> view.countText().equals("not answering"));
        assertThat(Ui.get(view::messageText)).isEmpty();
    }

    /** Its title says whose processes it shows. */
    @Test
    void helpIsFoundWhateverItShows() throws Exception {
        TargetConnection connection = look(new FakeHost());
        connection.connect();
        Ui.run(() -> view.poll().now());
        Ui.await("it lists", () -> view.getTitle().startsWith("Processes of"));
        Ui.run(() -> Ui.page().activate(view));
        Ui.get(() -> PlatformUI.getWorkbench().getService(IHandlerService.class).executeCommand(KviewUi.COMMAND_HELP, null));
        Shell help = Dialogs.await("Kview Workbench Help");
        assertThat(Ui.get(() -> Dialogs.all(help, org.eclipse.swt.widgets.List.class).getFirst().getSelection()))
                .containsExactly("Processes");
        Ui.run(help::close);
    }

    @Test
    void fiveThousandAreShownAndRenewed() throws Exception {
        Crowd crowd = new Crowd(5000);
        TargetConnection connection = look(crowd);
        connection.connect();
        Ui.run(() -> view.poll().setIntervalMillis(300));
        Ui.run(() -> view.poll().now());
        Ui.await("all are there", () -> view.messageText().isEmpty() && lines(view.tree().control()) == 5000);
        assertThat(Ui.get(view::countText)).isEqualTo("5,000 processes");
        Ui.run(() -> view.tree().choose(4711));
        assertThat(Ui.get(() -> view.tree().control().getSelection()[0].getParentItem().getExpanded())).isTrue();
        Ui.await("one is busy", () -> cell(view.tree().control().getSelection()[0], ProcessColumn.CPU).equals("25 %"));
        long rounds = crowd.round;
        Ui.await("it asks again and again by itself", () -> crowd.round > rounds + 2);
        Ui.run(() -> view.filterField().setText("p4711"));
        assertThat(Ui.get(() -> lines(view.tree().control()))).isLessThan(10);
        assertThat(Ui.get(view::selection).orElseThrow().pid()).as("stays chosen").isEqualTo(4711);
        Ui.run(() -> view.filterField().setText(""));
        assertThat(Ui.get(() -> lines(view.tree().control()))).isEqualTo(5000);
    }

    private static String cell(TreeItem item, ProcessColumn column) {
        return item.getText(column.ordinal());
    }

    /** Lines are used again for other processes: they must not keep anything of those before. */
    @Test
    void linesShowWhatTheListSays() {
        ProcessModel model = new ProcessModel();
        Ui.run(() -> {
            model.update(new ProcessList(1, List.of(process(1, 0), process(2, 1), process(3, 2), process(4, 0))));
            model.sortBy(ProcessColumn.PID);
            view.tree().show(model.rows());
            view.tree().choose(3);
            model.update(new ProcessList(2, List.of(process(4, 0), process(5, 4), process(3, 5))));
            view.tree().show(model.rows());
            Tree tree = view.tree().control();
            assertThat(lines(tree)).isEqualTo(3);
            assertThat(tree.getSelection()[0].getText()).isEqualTo("p3");
            assertThat(tree.getSelection()[0].getParentItem().getText()).isEqualTo("p5");
            view.tree().show(List.of());
            assertThat(lines(tree)).isZero();
        });
    }

    private static ProcessInfo process(long pid, long parent) {
        return new ProcessInfo(pid, parent, new ProcessInfo.User(0, "ada"), "p" + pid, new ProcessInfo.Program("", List.of()), 1, 0, 1, "", false);
    }
}
