// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo;
import org.kview.targets.registry.TargetConnection;
import org.kview.testing.SshLab;
import org.kview.ui.KviewUi;
import org.kview.ui.RealHost;
import org.kview.ui.Ui;
import org.kview.ui.record.HostsPose;
import org.kview.ui.session.RecordingFixture;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.ssh.DialogsTest;
import org.kview.ui.targets.OtherTargets;
import org.kview.ui.targets.TargetService;

/**
 * The same recording on this machine and, through a real SSH server, on another host, which is this
 * machine too: both agents count the same process, so that the sum is known exactly.
 */
class RecordOnHostsTest {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final int CALLS = 5000;

    private SshLab lab;
    private TargetService service;
    private TargetsView view;
    private Process workload;
    private String name;

    @BeforeEach
    void open() throws Exception {
        Path calls = RealHost.workload("kview-calls");
        RealHost.assumeRecords();
        service = Ui.get(TargetService::get);
        lab = new SshLab();
        SshLab.Server server = lab.server("a", "");
        server.trusted();
        lab.configure("Host web-3\n  HostName 127.0.0.1\n  Port " + server.port()
                + "\nHost nobody\n  HostName 127.0.0.1\n  Port 1\n");
        OtherTargets.use(service, lab.sshConfig(), DialogsTest.store(lab.folder()));
        service.reload().join();
        // A name that no other process of this machine has.
        name = "calls-" + ProcessHandle.current().pid();
        Path own = Files.copy(calls, lab.folder().resolve(name));
        workload = RealHost.start(own, "--wait", "--rate", "20000", "--seconds", "60", "--calls",
                Integer.toString(CALLS));
        view = Ui.view(KviewUi.VIEW_TARGETS, TargetsView.class);
        Ui.settle();
    }

    @AfterEach
    void close() throws Exception {
        if (workload != null) {
            workload.destroyForcibly().waitFor();
        }
        RecordingFixture.stopAndClose();
        if (lab != null) {
            service.registry().close();
            lab.close();
        }
        Ui.settle();
    }

    private List<TargetConnection> choose(String other) {
        List<TargetConnection> targets = List.of(service.local().orElseThrow(),
                service.registry().find(other).orElseThrow());
        Ui.run(() -> view.select(targets.toArray(TargetConnection[]::new)));
        return Ui.get(view::selections);
    }

    private static LatencySnapshot figures() {
        return SessionService.get().state().snapshot().orElseThrow();
    }

    private HostsPose record(String other, String session) {
        HostsPose wizard = HostsPose.open(choose(other));
        wizard.choose(name, name + ":counted_call");
        wizard.chooseOptions(lab.folder(), session);
        wizard.withoutBudget();
        wizard.record();
        return wizard;
    }

    @Test
    void isOfferedForSeveralTargetsOnly() {
        choose("web-3");
        assertThat(Ui.get(() -> view.actions().recordOnAllAction().isEnabled())).isTrue();
        assertThat(Ui.get(view::selection)).as("what applies to one target").isEmpty();
        assertThat(Ui.get(view::detailsText)).contains("2 targets");
        Ui.run(() -> view.select(service.local().orElseThrow()));
        assertThat(Ui.get(() -> view.actions().recordOnAllAction().isEnabled())).isFalse();
        assertThat(Ui.get(view::selection)).isPresent();
    }

    @Test
    void theSumOfBothHostsIsExactAndEachIsKept() throws Exception {
        record("web-3", "both");
        Ui.await("it records", LONG, () -> SessionService.get().state() instanceof SessionState.Recording);
        List<TargetConnection> targets = Ui.get(view::selections);
        assertThat(targets).allSatisfy(t -> assertThat(t.status().recordings()).containsExactly("both"));
        workload.outputWriter().append('\n').close();
        Ui.await("its session is open", LONG, () -> SessionService.get().state() instanceof SessionState.Opened);
        LatencySnapshot figures = figures();
        assertThat(figures.problems()).isEmpty();
        assertThat(figures.functions()).hasSize(1);
        assertThat(figures.functions().getFirst().calls()).isEqualTo(2L * CALLS);
        assertThat(figures.hosts()).extracting(host -> host.info().target()).containsExactly("local", "web-3");
        assertThat(figures.hosts()).allSatisfy(host -> {
            assertThat(host.functions().getFirst().calls()).isEqualTo(CALLS);
            assertThat(host.info().state()).isEqualTo(SessionInfo.State.PROCESS_ENDED);
        });
        Ui.await("the targets are free", () -> targets.stream().allMatch(t -> t.status().recordings().isEmpty()));
    }

    @Test
    void stopEndsItOnAllHosts() throws Exception {
        record("web-3", "stopped");
        Ui.await("it records", LONG, () -> SessionService.get().state() instanceof SessionState.Recording);
        Ui.get(SessionController::get).stopRecording();
        Ui.await("its session is open", LONG, () -> SessionService.get().state() instanceof SessionState.Opened);
        assertThat(figures().hosts()).hasSize(2)
                .allSatisfy(host -> assertThat(host.info().state()).isEqualTo(SessionInfo.State.STOPPED));
        assertThat(workload.isAlive()).isTrue();
    }

    @Test
    void aHostThatCantIsNamedAndNothingIsLeft() throws Exception {
        record("nobody", "none");
        Ui.await("it is told", LONG, () -> SessionService.get().state() instanceof SessionState.Failed);
        assertThat(((SessionState.Failed) SessionService.get().state()).message()).startsWith("nobody: ");
        assertThat(lab.folder().resolve("none.kview")).doesNotExist();
    }
}
