// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

import org.eclipse.core.runtime.Platform;
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
import org.kview.ui.ssh.DialogsTest;
import org.kview.ui.targets.OtherTargets;
import org.kview.ui.targets.TargetService;

/** A password that is kept in the secure storage, with a real server and the storage's own dialogs. */
class StoredPasswordTest {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String PASSWORD = "correct horse battery";
    private static final String MASTER = "open sesame";

    private SshLab lab;
    private String user;
    private TargetsView view;
    private TargetService service;

    @BeforeEach
    void open() throws Exception {
        RealHost.assumeAgent();
        lab = new SshLab();
        user = lab.addUser(SshLab.run("openssl", "passwd", "-6", PASSWORD).strip());
        lab.sudoers(user, user + " ALL=(root) NOPASSWD: ALL");
        SshLab.Server server = lab.server("a", "PasswordAuthentication yes\nAuthorizedKeysFile none\nSetEnv LANG=C\n")
                .trusted();
        lab.configure("Host web-3\n  HostName 127.0.0.1\n  Port %d\n  User %s\n".formatted(server.port(), user));
        service = Ui.get(TargetService::get);
        view = Ui.view(KviewUi.VIEW_TARGETS, TargetsView.class);
        use(storage());
    }

    @AfterEach
    void close() throws Exception {
        if (lab != null) {
            service.registry().close();
            lab.close();
        }
        Ui.settle();
    }

    private Path storage() {
        return lab.folder().resolve("storage");
    }

    private void use(Path storage) throws Exception {
        OtherTargets.use(service, lab.sshConfig(), DialogsTest.askingStore(storage));
        service.reload().join();
        Ui.settle();
    }

    private TargetConnection connect() {
        TargetConnection connection = service.registry().find("web-3").orElseThrow();
        service.connect(connection);
        return connection;
    }

    private static void awaitConnected(TargetConnection connection) throws InterruptedException {
        Ui.await("it is connected", LONG, () -> connection.status().state() == State.CONNECTED);
    }

    private static void answer(String title, String... answers) throws InterruptedException {
        Shell shell = Dialogs.await(title);
        Dialogs.type(shell, answers);
        Dialogs.press(shell, "OK");
    }

    /** Answers the question for the password, and wants it to be kept. */
    private static void answerAndRemember() throws InterruptedException {
        Shell shell = Dialogs.await("Password");
        Dialogs.type(shell, PASSWORD);
        Dialogs.tick(shell);
        Dialogs.press(shell, "OK");
    }

    private void remember() throws InterruptedException {
        TargetConnection connection = connect();
        answerAndRemember();
        answer("Secure Storage", MASTER, MASTER);
        Dialogs.press(Dialogs.await("Secure Storage - Password Hint Needed"), "No");
        awaitConnected(connection);
        Ui.await("it is kept", () -> service.secrets().names().size() == 1);
        Ui.await("in the file, too", () -> Files.exists(storage()) && Files.readString(storage()).contains(user));
        connection.disconnect();
    }

    @Test
    void isAskedForOnceAndOpensLaterConnectionsUntilItIsForgotten() throws Exception {
        remember();
        TargetConnection again = connect();
        awaitConnected(again);
        assertThat(Ui.get(() -> Dialogs.find("Password"))).as("no dialog").isEmpty();
        again.disconnect();

        // As the next start of the workbench reads it: unlocked anew.
        Path later = Files.copy(storage(), lab.folder().resolve("later"));
        use(later);
        TargetConnection next = connect();
        answer("Secure Storage", MASTER);
        awaitConnected(next);
        next.disconnect();
        nothingIsInClear();

        Ui.run(() -> view.actions().forgetAction().run());
        Shell forget = Dialogs.await("Remembered Secrets");
        Dialogs.press(forget, "Select All");
        Dialogs.press(forget, "OK");
        Ui.await("it is forgotten", () -> service.secrets().names().isEmpty());
        Ui.await("by the file, too", () -> !Files.readString(later).contains(user));
        connect();
        Dialogs.press(Dialogs.await("Password"), "Cancel");
    }

    @Test
    void isNotKeptWithoutAMasterPassword() throws Exception {
        TargetConnection connection = connect();
        answerAndRemember();
        Dialogs.press(Dialogs.await("Secure Storage"), "Cancel");
        awaitConnected(connection);
        Dialogs.awaitNone("Secure Storage");
        Ui.await("nothing is listed as kept", () -> service.secrets().names().isEmpty());
        nothingIsInClear();
    }

    @Test
    void isAskedForWhereTheStorageStaysLocked() throws Exception {
        remember();
        use(Files.copy(storage(), lab.folder().resolve("later")));
        TargetConnection connection = connect();
        Dialogs.press(Dialogs.await("Secure Storage"), "Cancel");
        answer("Password", PASSWORD);
        awaitConnected(connection);
        assertThat(service.secrets().names()).as("what is kept stays").hasSize(1);
    }

    /** No file of the workspace, its log included, none of the storage and no log of the server has a secret. */
    private void nothingIsInClear() throws Exception {
        Path workspace = Path.of(Platform.getInstanceLocation().getURL().toURI());
        List<Path> files;
        try (Stream<Path> own = Files.walk(lab.folder()); Stream<Path> all = Files.walk(workspace)) {
            files = Stream.concat(own, all).filter(Files::isRegularFile).toList();
        }
        assertThat(files).contains(storage());
        for (Path file : files) {
            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            assertThat(text).as(file.toString()).doesNotContain(PASSWORD, MASTER,
                    new String(PASSWORD.getBytes(StandardCharsets.UTF_16LE), StandardCharsets.ISO_8859_1),
                    Base64.getEncoder().encodeToString(PASSWORD.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
