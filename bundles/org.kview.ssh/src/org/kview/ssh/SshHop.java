// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.sshd.client.auth.UserAuthFactory;
import org.apache.sshd.client.auth.keyboard.UserAuthKeyboardInteractiveFactory;
import org.apache.sshd.client.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKey;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.future.AuthFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.core.CoreModuleProperties;
import org.kview.ssh.config.HostSettings;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** One authenticated connection: to the destination, or to a jump host on the way to it. */
final class SshHop implements AutoCloseable {
    /** How long the host may take without the user: enough for a busy, distant one behind several others. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);
    /**
     * How much the host may send in one packet. Java decrypts at 50 MB/s until it has compiled that code for the
     * CPU's AES instructions, and at 2 GB/s from then on. It compiles after some thousand packets of any size. With
     * the usual 32 KiB, a recording's first seconds could not keep up with the data of a busy host.
     */
    private static final long PACKET_BYTES = 4 << 10;
    /** Practically none: the library's own time-out would also count the time that the user takes to answer. */
    private static final Duration LIBRARY_TIMEOUT = Duration.ofHours(12);
    private static final Duration DEFAULT_ALIVE_INTERVAL = Duration.ofSeconds(3);
    /** The library's words. */
    private static final String CLOSING = "Session is being closed";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final DuplexClient client;
    private final ClientSession session;
    private final DuplexStream stream;
    private final String account;

    private SshHop(DuplexClient client, ClientSession session, DuplexStream stream, String account) {
        this.client = client;
        this.session = session;
        this.stream = stream;
        this.account = account;
    }

    /**
     * Exchanges keys, verifies the host's key, then logs in.
     *
     * @param account  the name under which the host's secrets are remembered
     * @param stream   to the host's SSH server; closed with the result, or before an exception
     * @param prompter asked for what only the user knows
     */
    static SshHop open(HostSettings settings, String account, DuplexStream stream, SshPrompter prompter) throws TargetException {
        HostKeyCheck check;
        Patience patience = new Patience(prompter, settings.limits().connect().orElse(DEFAULT_TIMEOUT));
        try {
            check = new HostKeyCheck(settings, patience);
        } catch (IOException e) {
            stream.close();
            throw new TargetException(Kind.NOT_REACHED, "The known hosts can't be read (" + e.getMessage()
                    + "), so no host is trusted; correct the file or its permissions", e);
        }
        AuthenticationNotes notes = new AuthenticationNotes();
        DuplexClient client = DuplexClient.over(stream);
        boolean done = false;
        try {
            Questions questions = new Questions(settings.named(), account, patience);
            configure(client, settings, patience, questions, check, notes);
            client.start();
            ClientSession session = connect(client, settings, check);
            authenticate(session, settings, notes, check, patience, questions);
            done = true;
            return new SshHop(client, session, stream, account);
        } finally {
            if (!done) {
                client.close(true);
                stream.close();
            }
        }
    }

    private static void configure(DuplexClient client, HostSettings settings, SshPrompter prompter, Questions questions,
            HostKeyCheck check, AuthenticationNotes notes) throws TargetException {
        List<NamedFactory<Signature>> all = client.getSignatureFactories();
        Algorithms allowed = new Algorithms(settings.security(), settings.address());
        client.setSignatureFactories(allowed.hostKeys(check.ordered(all)));
        client.setCipherFactories(allowed.ciphers(client.getCipherFactories()));
        client.setMacFactories(allowed.macs(client.getMacFactories()));
        client.setKeyExchangeFactories(allowed.keyExchanges(client.getKeyExchangeFactories()));
        List<NamedFactory<Signature>> own = settings.login().authentications().contains("publickey") ? allowed.ownKeys(all) : all;
        settings.security().rekeyBytes().ifPresent(bytes -> CoreModuleProperties.REKEY_BYTES_LIMIT.set(client, bytes));
        client.setServerKeyVerifier(check);
        client.setUserInteraction(questions);
        List<UserAuthFactory> methods = new ArrayList<>();
        for (String method : settings.login().authentications()) {
            methods.add(switch (method) {
                case "publickey" -> new UserAuthPublicKeyFactory() {
                    @Override
                    public UserAuthPublicKey createUserAuth(ClientSession session) {
                        return new KeyAuthentication(own, settings, prompter, notes);
                    }
                };
                case "keyboard-interactive" -> UserAuthKeyboardInteractiveFactory.INSTANCE;
                default -> UserAuthPasswordFactory.INSTANCE;
            });
        }
        client.setUserAuthFactories(methods);
        CoreModuleProperties.PASSWORD_PROMPTS.set(client, settings.login().passwordPrompts());
        CoreModuleProperties.AUTH_TIMEOUT.set(client, LIBRARY_TIMEOUT);
        CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
        CoreModuleProperties.MAX_PACKET_SIZE.set(client, PACKET_BYTES);
        // As with ssh, a certificate that has expired or is for another host is ignored: the plain key decides.
        CoreModuleProperties.ABORT_ON_INVALID_CERTIFICATE.set(client, false);
        // A lost connection is to be noticed within 10 s, unless the user configured something else.
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, settings.limits().aliveInterval().orElse(DEFAULT_ALIVE_INTERVAL));
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, settings.limits().aliveCountMax());
        CoreModuleProperties.HEARTBEAT_REQUEST.set(client, "keepalive@openssh.com");
    }

    private static ClientSession connect(DuplexClient client, HostSettings settings, HostKeyCheck check)
            throws TargetException {
        try {
            return client.connect(settings.hostKeys().alias().orElse(settings.hostName()), settings.port(), settings.user())
                    .verify(DEFAULT_TIMEOUT).getClientSession();
        } catch (IOException | RuntimeException e) {
            throw failure(settings, check, e, "The connection to " + settings.address() + " failed");
        }
    }

    private static void authenticate(ClientSession session, HostSettings settings, AuthenticationNotes notes,
            HostKeyCheck check, Patience patience, Questions questions) throws TargetException {
        try {
            AuthFuture login = session.auth();
            patience.await(step -> login.await(step));
            login.verify(DEFAULT_TIMEOUT);
            questions.judge(true);
        } catch (IOException | RuntimeException e) {
            if (check.refusal().isEmpty() && isRefusedLogin(e)) {
                questions.judge(false);
                throw new TargetException(Kind.NOT_REACHED, settings.address() + " accepted none of the ways to log in"
                        + notes.text() + "; see that '" + settings.asCommand() + "' works, then try again", e);
            }
            throw failure(settings, check, reason(session, e), "Logging in to " + settings.address() + " failed");
        }
    }

    /** Where the connection ends just as one begins to log in, the library tells no more than that, and not why. */
    private static Exception reason(ClientSession session, Exception e) {
        return CLOSING.equals(root(e).getMessage()) && session.getIoSession() instanceof DuplexIoSession ended
                ? ended.cause().orElse(e) : e;
    }

    private static Throwable root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static boolean isRefusedLogin(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t.getMessage() != null && t.getMessage().contains("No more authentication methods")) {
                return true;
            }
        }
        return false;
    }

    private static TargetException failure(HostSettings settings, HostKeyCheck check, Exception e, String what) {
        if (!check.refusal().isEmpty()) {
            return new TargetException(Kind.NOT_REACHED, check.refusal(), e);
        }
        Throwable cause = root(e);
        String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new TargetException(Kind.NOT_REACHED, what + " (" + Questions.shown(why) + "); see that '"
                + settings.asCommand() + "' works, then try again", e);
    }

    ClientSession session() {
        return session;
    }

    String account() {
        return account;
    }

    @Override
    public void close() {
        try {
            session.close(false).await(CLOSE_TIMEOUT);
        } catch (IOException e) {
            // It is closed by force below.
        }
        client.close(true);
        stream.close();
    }
}
