// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus.State;
import org.kview.testing.SshLab;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.RealHost;
import org.kview.ui.Ui;
import org.kview.ui.commands.Commands;
import org.kview.ui.processes.ProcessesView;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.ssh.DialogsTest;
import org.kview.ui.targets.AddedHosts;
import org.kview.ui.targets.OtherTargets;
import org.kview.ui.targets.TargetService;

/** The Targets view on a real SSH server with the real agent. */
class TargetsViewTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    private SshLab lab;
    private SshLab.Server server;
    private TargetsView view;
    private TargetService service;

    @BeforeEach
    void open() throws Exception {
        RealHost.assumeAgent();
        lab = new SshLab();
        server = lab.server("a", "");
        lab.configure("""
                Include %s/more
                Host web-3 !web-4 web-*
                  HostName 127.0.0.1
                  Port %d
                """.formatted(lab.folder(), server.port()));
        Files.writeString(lab.folder().resolve("more"), "Host nobody\n  HostName 127.0.0.1\n  Port 1\n");
        service = Ui.get(TargetService::get);
        OtherTargets.use(service, lab.sshConfig(), DialogsTest.store(lab.folder()));
        service.reload().join();
        view = Ui.view(KviewUi.VIEW_TARGETS, TargetsView.class);
        Ui.settle();
    }

    @AfterEach
    void close() throws Exception {
        if (lab != null) {
            service.registry().close();
            for (TargetConnection connection : service.registry().connections()) {
                if (connection.origin() == TargetConnection.Origin.ADDED) {
                    service.remove(connection);
                }
            }
            lab.close();
        }
        Ui.settle();
    }

    private TargetConnection target(String name) {
        return service.registry().find(name).orElseThrow();
    }

    private TargetConnection choose(String name) {
        TargetConnection connection = target(name);
        Ui.run(() -> view.select(connection));
        return connection;
    }

    private List<String> lines() {
        return Ui.get(() -> List.of(view.viewer().getTree().getItems()).stream().map(item -> item.getText()).toList());
    }

    @Test
    void listsThisMachineAndTheConfigurationsHosts() throws Exception {
        assertThat(lines()).containsExactly("This machine", "nobody", "web-3");
        service.add("ada@10.0.0.8:2222");
        Ui.await("it is added", () -> lines().contains("ada@10.0.0.8:2222"));
        choose("ada@10.0.0.8:2222");
        assertThat(Ui.get(() -> view.actions().removeAction().isEnabled())).isTrue();
        Ui.run(() -> view.actions().removeAction().run());
        Ui.await("it is removed", () -> !lines().contains("ada@10.0.0.8:2222"));
        choose("web-3");
        assertThat(Ui.get(() -> view.actions().removeAction().isEnabled())).as("not ours to remove").isFalse();
        assertThat(AddedHosts.problem("a b")).isPresent();
        assertThat(AddedHosts.problem("local")).isPresent();
    }

    @Test
    void theFirstPageLeadsToAHostAndAsksForOneWhereNoneIsKnown() throws Exception {
        Ui.run(() -> Commands.run(Ui.page().getWorkbenchWindow(), KviewUi.COMMAND_CONNECT));
        assertThat(Ui.get(() -> view.selection()).orElseThrow().name()).isEqualTo("nobody");
        Files.writeString(lab.config(), "");
        service.reload().join();
        Ui.await("none is known", () -> lines().equals(List.of("This machine")));
        Ui.run(() -> Ui.page().getWorkbenchWindow().getShell().getDisplay()
                .asyncExec(() -> Commands.run(Ui.page().getWorkbenchWindow(), KviewUi.COMMAND_CONNECT)));
        Shell dialog = Dialogs.await("Add Host");
        Dialogs.press(dialog, "Cancel");
        Dialogs.awaitNone("Add Host");
    }

    @Test
    void aBrokenConfigurationIsSaidAndThisMachineStays() throws Exception {
        Files.writeString(lab.config(), "Host \"a\n");
        service.reload().join();
        Ui.settle();
        assertThat(service.problem()).contains("quote");
        assertThat(lines()).containsExactly("This machine");
    }

    @Test
    void connectsShowsWhatTheHostCanDoAndDisconnects() throws Exception {
        server.trusted();
        TargetConnection connection = choose("web-3");
        assertThat(Ui.get(view::detailsText)).contains("Of your SSH configuration", "Connect to see");
        Ui.run(() -> view.actions().connectAction().run());
        Ui.await("it is connected", LONG, () -> connection.status().state() == State.CONNECTED);
        Ui.await("the view says so", () -> lines().stream().anyMatch(line -> line.startsWith("web-3  connected")));
        assertThat(Ui.get(view::detailsText)).contains("Functions can be recorded.", "uprobe_multi", "as root");
        Ui.run(() -> view.actions().open());
        ProcessesView processes = Ui.view(KviewUi.VIEW_PROCESSES, ProcessesView.class);
        Ui.await("its processes are listed", LONG, () -> processes.getPartName().equals("Processes of web-3"));
        Ui.run(() -> view.actions().disconnectAction().run());
        Ui.await("it is disconnected", LONG, () -> connection.status().state() == State.IDLE);
        assertThat(connection.agent()).isEmpty();
        Ui.run(() -> Ui.page().hideView(processes));
    }

    @Test
    void aLostLinkIsShownAndTakenUpAnew() throws Exception {
        server.trusted();
        TargetConnection connection = choose("web-3");
        service.connect(connection).join();
        Ui.await("the round trip is shown", LONG, () -> connection.status().roundTrip().isPresent());
        server.process().descendants().forEach(ProcessHandle::destroyForcibly);
        Ui.await("it is lost", LONG, () -> connection.status().state() == State.LOST);
        assertThat(connection.status().sentence()).isNotEmpty();
        assertThat(connection.agent()).isEmpty();
        Ui.await("the view says so", () -> lines().stream().anyMatch(line -> line.equals("web-3  lost")));
        service.connect(connection).join();
        assertThat(connection.status().state()).isEqualTo(State.CONNECTED);
    }

    @Test
    void anUnknownHostIsConnectedToOnlyWhenConfirmed() throws Exception {
        TargetConnection connection = choose("web-3");
        service.connect(connection);
        Dialogs.press(Dialogs.await("Unknown Host Key"), "Refuse");
        Ui.await("nothing is left of it", () -> connection.status().state() == State.IDLE);
        assertThat(Files.readString(lab.knownHosts())).isEmpty();
        service.connect(connection);
        Dialogs.press(Dialogs.await("Unknown Host Key"), "Accept and Save");
        Ui.await("it is connected", LONG, () -> connection.status().state() == State.CONNECTED);
        assertThat(Files.readString(lab.knownHosts())).contains(server.knownHostsLine("ed25519").split(" ")[2].strip());
    }

    @Test
    void cancellingTheJobClosesItsDialog() throws Exception {
        TargetConnection connection = choose("web-3");
        var job = service.connect(connection);
        Dialogs.await("Unknown Host Key");
        job.cancel();
        Dialogs.awaitNone("Unknown Host Key");
        job.join();
        assertThat(connection.status().state()).isEqualTo(State.IDLE);
    }

    @Test
    void whyItFailedIsSaid() throws Exception {
        TargetConnection connection = choose("nobody");
        service.connect(connection).join();
        assertThat(connection.status().state()).isEqualTo(State.FAILED);
        Ui.await("it is said", () -> view.detailsText().contains("does not answer on port 1"));
        Files.writeString(lab.knownHosts(), server.hostName() + " " + Files.readString(lab.makeKey("other", "ed25519", "")
                .resolveSibling("other.pub")));
        service.connect(choose("web-3")).join();
        Ui.await("the line of known_hosts is named", () -> view.detailsText().contains("line 1 of " + lab.knownHosts()));
    }

    @Test
    void anEncryptedKeyIsUnlockedOnceAndItsPassphraseRemembered() throws Exception {
        server.trusted();
        Path key = lab.makeKey("locked", "ed25519", "correct horse");
        lab.authorize(key);
        lab.configure("IdentityFile " + key + "\nHost web-3\n  HostName 127.0.0.1\n  Port " + server.port() + "\n");
        TargetConnection connection = choose("web-3");
        service.connect(connection);
        Shell shell = Dialogs.await("Passphrase");
        Dialogs.type(shell, "correct horse");
        Dialogs.tick(shell);
        Dialogs.press(shell, "OK");
        Ui.await("it is connected", LONG, () -> connection.status().state() == State.CONNECTED);
        Ui.await("it is remembered", () -> service.secrets().names().size() == 1);
        connection.disconnect();
        service.connect(connection).join();
        assertThat(connection.status().state()).as("without a dialog").isEqualTo(State.CONNECTED);
    }

    /** A recording on a host, with the wizard's pages asking the agent there. */
    @Test
    void recordsOnTheHost() throws Exception {
        Path demo = RealHost.workload("kview-demo");
        server.trusted();
        TargetConnection connection = choose("web-3");
        service.connect(connection).join();
        Process process = RealHost.start(demo, "--seconds", "1200", "--folder", lab.folder().toString());
        SessionController controller = Ui.get(SessionController::get);
        try {
            var wizard = org.kview.ui.record.WizardPose.open(connection, Long.toString(process.pid()));
            wizard.chooseFunctions();
            wizard.chooseOptions(lab.folder(), "there");
            wizard.record();
            Ui.await("it records", LONG, () -> SessionService.get().state() instanceof SessionState.Recording);
            Ui.await("the target shows it", () -> connection.status().recordings().equals(List.of("there")));
            Ui.await("calls are counted", LONG, () -> SessionService.get().state().snapshot().orElseThrow().functions()
                    .stream().anyMatch(function -> function.calls() > 10));
            controller.stopRecording();
            Ui.await("its session is open", LONG, () -> SessionService.get().state() instanceof SessionState.Opened);
            assertThat(connection.status().recordings()).isEmpty();
            assertThat(SessionService.get().state().snapshot().orElseThrow().info().target()).isEqualTo("web-3");
        } finally {
            process.destroyForcibly().waitFor();
            controller.stopRecording();
            controller.close().join();
        }
    }
}
