// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.spec.PBEKeySpec;

import org.eclipse.equinox.security.storage.ISecurePreferences;
import org.eclipse.equinox.security.storage.SecurePreferencesFactory;
import org.eclipse.equinox.security.storage.provider.IProviderHints;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.ssh.SshPrompter.Prompt;
import org.kview.ssh.SshPrompter.Purpose;
import org.kview.ssh.SshPrompter.Question;
import org.kview.ssh.SshPrompter.UnknownHostKey;
import org.kview.ui.Dialogs;
import org.kview.ui.Ui;

public class DialogsTest {
    private static final String SECRET = "correct horse battery";
    private static final UnknownHostKey KEY = new UnknownHostKey("web-3", "ssh-ed25519",
            "SHA256:kR4nYt8Jp0wQvO2m7XbZs1cUeHfLd9aGiTnBxMyWq3E", "", "/home/ada/.ssh/known_hosts");

    @TempDir
    Path folder;

    private SecretStore store;
    private DialogPrompter prompter;
    private final AtomicInteger cancelled = new AtomicInteger();

    /** A storage of the test's own, in a file below the folder. */
    public static SecretStore store(Path folder) throws Exception {
        ISecurePreferences storage = storage(folder);
        return new SecretStore(() -> storage);
    }

    private static ISecurePreferences storage(Path folder) throws Exception {
        return SecurePreferencesFactory.open(folder.resolve("storage").toUri().toURL(),
                Map.of(IProviderHints.DEFAULT_PASSWORD, new PBEKeySpec("master".toCharArray()),
                        IProviderHints.PROMPT_USER, false));
    }

    /** A storage as users have it: unlocked by a master password, which a dialog of its own asks for. */
    public static SecretStore askingStore(Path file) throws Exception {
        ISecurePreferences storage = SecurePreferencesFactory.open(file.toUri().toURL(),
                Map.of(IProviderHints.PROMPT_USER, true));
        return new SecretStore(() -> storage);
    }

    @BeforeEach
    void make() throws Exception {
        store = store(folder);
        prompter = new DialogPrompter(Display.getDefault(), store, cancelled::incrementAndGet, _ -> { });
    }

    private static Question password(boolean again) {
        return new Question(new Purpose.Password("ada@web-3"), "", List.of(new Prompt("Password of ada@web-3", true)), again);
    }

    private static <T> CompletableFuture<T> asking(java.util.concurrent.Callable<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(question.call());
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(2, TimeUnit.MINUTES);
    }

    private Optional<List<String>> askAndType(boolean again, String answer, boolean remembered) throws Exception {
        var asked = asking(() -> prompter.ask(password(again)));
        Shell shell = Dialogs.await("Password");
        Dialogs.type(shell, answer);
        if (remembered) {
            Dialogs.tick(shell);
        }
        Dialogs.press(shell, IDialogConstants.OK_LABEL);
        return get(asked);
    }

    @Test
    void aHostKeyIsShownAndRefusedUnlessConfirmed() throws Exception {
        var refused = asking(() -> prompter.confirm(KEY));
        Shell shell = Dialogs.await("Unknown Host Key");
        String shown = Ui.get(() -> String.join(" ", Dialogs.all(shell, Text.class).stream().map(Text::getText).toList()));
        assertThat(shown).contains(KEY.host(), KEY.keyType(), KEY.fingerprint());
        assertThat(Ui.get(() -> shell.getDefaultButton().getText())).contains("Refuse");
        Dialogs.press(shell, "Refuse");
        assertThat(get(refused)).isEqualTo(HostKeyAnswer.REFUSE);
        assertThat(cancelled).hasValue(1);
        var once = asking(() -> prompter.confirm(KEY));
        Dialogs.press(Dialogs.await("Unknown Host Key"), "Accept Once");
        assertThat(get(once)).isEqualTo(HostKeyAnswer.ONCE);
        var saved = asking(() -> prompter.confirm(KEY));
        Dialogs.press(Dialogs.await("Unknown Host Key"), "Accept and Save");
        assertThat(get(saved)).isEqualTo(HostKeyAnswer.REMEMBER);
    }

    @Test
    void whereNothingCanBeSavedThatIsNotOffered() throws Exception {
        var asked = asking(() -> prompter.confirm(new UnknownHostKey("h", "ssh-rsa", "SHA256:x", "It is odd.", "")));
        Shell shell = Dialogs.await("Unknown Host Key");
        assertThat(Ui.get(() -> Dialogs.all(shell, Button.class).stream().filter(b -> b.getText().contains("Save")).findFirst()
                .orElseThrow().isEnabled())).isFalse();
        Ui.run(shell::close);
        assertThat(get(asked)).isEqualTo(HostKeyAnswer.REFUSE);
    }

    @Test
    void severalPromptsAreAskedAtOnceAndOnlySecretsAreHidden() throws Exception {
        Question question = new Question(new Purpose.Interactive("ada@web-3"), "ada@web-3 asks: Two factors",
                List.of(new Prompt("User", false), new Prompt("Code", true)), false);
        var asked = asking(() -> prompter.ask(question));
        Shell shell = Dialogs.await("Log In to ada@web-3");
        assertThat(Ui.get(() -> Dialogs.all(shell, Text.class).stream().map(t -> (t.getStyle() & SWT.PASSWORD) != 0).toList()))
                .containsExactly(false, true);
        Dialogs.type(shell, "ada", "4711");
        Dialogs.press(shell, IDialogConstants.OK_LABEL);
        assertThat(get(asked)).contains(List.of("ada", "4711"));
    }

    @Test
    void withoutAnAnswerTheConnectionIsCancelled() throws Exception {
        var asked = asking(() -> prompter.ask(password(false)));
        Dialogs.press(Dialogs.await("Password"), IDialogConstants.CANCEL_LABEL);
        assertThat(get(asked)).isEmpty();
        assertThat(cancelled).hasValue(1);
        var given = asking(() -> prompter.ask(password(false)));
        Dialogs.await("Password");
        prompter.dismiss();
        assertThat(get(given)).as("nobody waits any more").isEmpty();
    }

    @Test
    void nothingIsRememberedUnlessItIsWantedAndRight() throws Exception {
        assertThat(askAndType(false, SECRET, false)).contains(List.of(SECRET));
        prompter.judged(password(false), true);
        assertThat(askAndType(false, "wrong", true)).contains(List.of("wrong"));
        prompter.judged(password(false), false);
        Thread.sleep(300);
        assertThat(store.names()).isEmpty();
    }

    @Test
    void whatIsRememberedIsUsedForgottenWhenWrongAndNeverInClear() throws Exception {
        askAndType(false, SECRET, true);
        prompter.judged(password(false), true);
        Ui.await("it is kept", () -> store.names().equals(List.of("password for ada@web-3")));
        assertThat(prompter.ask(password(false))).as("no dialog").contains(List.of(SECRET));
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)).as(file.toString())
                        .doesNotContain(SECRET);
            }
        }
        prompter.judged(password(false), false);
        assertThat(store.names()).isEmpty();
        var again = asking(() -> prompter.ask(password(true)));
        Shell shell = Dialogs.await("Password");
        Dialogs.type(shell, "other");
        Dialogs.press(shell, IDialogConstants.OK_LABEL);
        assertThat(get(again)).contains(List.of("other"));
    }

    @Test
    void forgettingForgets() throws Exception {
        Question passphrase = new Question(new Purpose.Passphrase(Path.of("/home/ada/.ssh/id")), "",
                List.of(new Prompt("Passphrase", true)), false);
        store.put(passphrase, List.of(SECRET));
        assertThat(store(folder).get(passphrase)).contains(List.of(SECRET));
        assertThat(store.names()).containsExactly("passphrase of /home/ada/.ssh/id");
        store.remove("passphrase of /home/ada/.ssh/id");
        assertThat(store.get(passphrase)).isEmpty();
    }

    /** While an answer is being encrypted, nothing is there that could be used. */
    @Test
    void whatIsNotKeptYetIsNotListed() throws Exception {
        store.put(passwordOf("root@a"), List.of(SECRET));
        ISecurePreferences kept = storage(folder).node(SecretStore.ROOT).node("password for root@a");
        kept.remove("Password");
        assertThat(store(folder).names()).isEmpty();
        assertThat(store(folder).get(passwordOf("root@a"))).isEmpty();
    }

    /** One address is another host behind another jump host, and names may have any letters. */
    @Test
    void whatIsKeptForOneWayIsNotUsedOnAnother() throws Exception {
        Question one = passwordOf("root@10.0.0.5 through ada@g\u00fcnter/a");
        Question other = passwordOf("root@10.0.0.5 through ada@g\u00fcnter/b");
        store.put(one, List.of(SECRET));
        assertThat(store(folder).get(one)).contains(List.of(SECRET));
        assertThat(store.get(other)).isEmpty();
        assertThat(store.get(passwordOf("root@10.0.0.5"))).isEmpty();
        assertThat(store.names()).containsExactly("password for root@10.0.0.5 through ada@g\\u00fcnter/a");
        store.remove(store.names().getFirst());
        assertThat(store.get(one)).isEmpty();
    }

    private static Question passwordOf(String account) {
        return new Question(new Purpose.Password(account), "", List.of(new Prompt("Password", true)), false);
    }
}
