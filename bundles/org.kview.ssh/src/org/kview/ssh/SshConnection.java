// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.sshd.client.channel.ChannelDirectTcpip;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.kview.ssh.config.AddressFamily;
import org.kview.ssh.config.HostSettings;
import org.kview.ssh.config.HostSettings.Proxy;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshConfigException;
import org.kview.ssh.config.SshDestination;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** A connection to a host, through all jump hosts that the configuration asks for. */
final class SshConnection {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
    private static final int MAX_HOPS = 16;
    private static final int SHOWN_OF_HASH = 16;

    private final SshConfig config;
    private final SshPrompter prompter;
    /** The hop that was opened last comes first, so that they are closed in reverse order. */
    private final Deque<SshHop> hops = new ArrayDeque<>();
    private final Set<String> visited = new HashSet<>();
    private final AtomicInteger users = new AtomicInteger(1);

    private final Optional<Duration> patience;
    private HostSettings settings;

    private SshConnection(SshConfig config, SshPrompter prompter, Optional<Duration> patience) {
        this.config = config;
        this.prompter = prompter;
        this.patience = patience;
    }

    /** @throws TargetException of kind NOT_REACHED, whatever the reason */
    static SshConnection open(SshConfig config, SshDestination destination, SshPrompter prompter)
            throws TargetException, InterruptedException {
        return open(config, destination, prompter, Optional.empty());
    }

    /** @param patience how long reaching each host on the way may take, if the configuration allows more */
    static SshConnection open(SshConfig config, SshDestination destination, SshPrompter prompter,
            Optional<Duration> patience) throws TargetException, InterruptedException {
        SshConnection connection = new SshConnection(config, prompter, patience);
        boolean done = false;
        try {
            connection.settings = connection.resolve(destination);
            connection.reach(connection.settings);
            done = true;
            return connection;
        } catch (SshConfigException e) {
            throw new TargetException(Kind.NOT_REACHED, e.getMessage(), e);
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    private HostSettings resolve(SshDestination destination) throws SshConfigException, InterruptedException {
        HostSettings resolved = config.resolve(destination);
        return patience.map(resolved::reachedWithin).orElse(resolved);
    }

    /** The destination's settings. */
    HostSettings settings() {
        return settings;
    }

    /** Connects to the host's jump hosts in turn, each with its own configuration, and then to the host. */
    private void reach(HostSettings host) throws TargetException, SshConfigException, InterruptedException {
        List<SshDestination> jumps = host.proxy() instanceof Proxy.Jump jump ? jump.hops() : List.of();
        for (int i = 0; i < jumps.size(); i++) {
            HostSettings jump = resolve(jumps.get(i));
            if (i == 0) {
                // As with ssh, only the first jump host of a list is reached through jump hosts of its own.
                guardAgainstLoop(jump, host);
                reach(jump);
            } else {
                logIn(jump, through(hops.peek(), jump), wayOf(hops.peek()));
            }
        }
        if (host.proxy() instanceof Proxy.Command command) {
            String text = config.proxyCommand(host, command);
            // Only its hash: the command may contain a proxy's password, and accounts are stored as plain text.
            logIn(host, command(host, text), " through the command "
                    + AgentUpload.sha256(text.getBytes(StandardCharsets.UTF_8)).substring(0, SHOWN_OF_HASH));
        } else if (jumps.isEmpty()) {
            logIn(host, direct(host), "");
        } else {
            logIn(host, through(hops.peek(), host), wayOf(hops.peek()));
        }
    }

    /** @param way the way to the host: on another way the same address may be another host's, with other secrets */
    private void logIn(HostSettings host, DuplexStream stream, String way) throws TargetException, InterruptedException {
        String account = host.address() + host.hostKeys().alias().map(alias -> " as " + alias).orElse("") + way;
        hops.push(SshHop.open(host, account, stream, prompter));
        runLocalCommand(host);
    }

    private static String wayOf(SshHop jump) {
        return " through " + jump.account();
    }

    /** As ssh does: runs it after the login, waits for its end, and ignores its result. */
    private void runLocalCommand(HostSettings host) throws InterruptedException {
        Optional<String> command = host.security().localCommand();
        if (command.isEmpty()) {
            return;
        }
        try {
            new ProcessBuilder(shell(), "-c", command.get()).redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null"))).start().waitFor();
        } catch (IOException e) {
            prompter.say("the LocalCommand for " + host.original() + " could not be started");
        }
    }

    private String shell() {
        return config.environment().variables().getOrDefault("SHELL", "/bin/sh");
    }

    private void guardAgainstLoop(HostSettings jump, HostSettings host) throws SshConfigException {
        if (!visited.add(jump.address()) || jump.address().equals(host.address()) || visited.size() > MAX_HOPS) {
            throw new SshConfigException("The SSH configuration sends the connection to " + host.address()
                    + " through " + jump.address() + " in a circle; take that host out of its own ProxyJump");
        }
    }

    private static DuplexStream direct(HostSettings host) throws TargetException {
        String why;
        AddressFamily family = host.security().addressFamily();
        try {
            why = family == AddressFamily.ANY ? "it has no address"
                    : "it has no " + family + " address, and AddressFamily allows no other";
            for (InetAddress address : InetAddress.getAllByName(host.hostName())) {
                if (!family.has(address)) {
                    continue;
                }
                Socket socket = new Socket();
                try {
                    socket.connect(new InetSocketAddress(address, host.port()),
                            (int) host.limits().connect().orElse(CONNECT_TIMEOUT).toMillis());
                    socket.setTcpNoDelay(true);
                    socket.setKeepAlive(true);
                    return DuplexStream.of(socket);
                } catch (IOException e) {
                    socket.close();
                    why = e.getMessage();
                }
            }
        } catch (UnknownHostException e) {
            why = "its name is not known";
        } catch (IOException e) {
            why = e.getMessage();
        }
        throw new TargetException(Kind.NOT_REACHED, "The host " + host.hostName() + " does not answer on port "
                + host.port() + " (" + why + "); check its name, and that it runs and can be reached from here");
    }

    private static DuplexStream through(SshHop jump, HostSettings host) throws TargetException {
        ClientSession session = jump.session();
        ChannelDirectTcpip channel = new ChannelDirectTcpip(new SshdSocketAddress("localhost", 0),
                new SshdSocketAddress(host.hostName(), host.port()));
        try {
            session.getService(org.apache.sshd.common.session.ConnectionService.class).registerChannel(channel);
            channel.open().verify(host.limits().connect().orElse(CONNECT_TIMEOUT));
            return new DuplexStream(channel.getInvertedOut(), channel.getInvertedIn(), () -> channel.close(true));
        } catch (IOException | RuntimeException e) {
            channel.close(true);
            throw new TargetException(Kind.NOT_REACHED, "The host " + host.hostName() + " can't be reached on port "
                    + host.port() + " through the jump host " + session.getUsername() + "@"
                    + ((InetSocketAddress) session.getConnectAddress()).getHostString() + " ("
                    + Questions.shown(String.valueOf(e.getMessage())) + "); check the name, and that the jump host may"
                    + " forward connections", e);
        }
    }

    private DuplexStream command(HostSettings host, String text) throws TargetException {
        try {
            // Its standard error is this program's own, as with ssh.
            return DuplexStream.of(new ProcessBuilder(shell(), "-c", "exec " + text).redirectError(ProcessBuilder.Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new TargetException(Kind.NOT_REACHED, "The ProxyCommand for " + host.original()
                    + " can't be started (" + e.getMessage() + "); correct the SSH configuration", e);
        }
    }

    ClientSession session() {
        return hops.getFirst().session();
    }

    /** Counts one more user of the connection, who has to call {@link #release}. */
    void retain() {
        users.incrementAndGet();
    }

    /** As {@link #retain}, unless the connection is closed or lost. */
    boolean retainIfOpen() {
        if (users.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
            return false;
        }
        if (session().isOpen() && !session().isClosing()) {
            return true;
        }
        release();
        return false;
    }

    /** Counts one user less; after the last one the connection is closed. */
    void release() {
        if (users.decrementAndGet() == 0) {
            close();
        }
    }

    private void close() {
        while (!hops.isEmpty()) {
            hops.pop().close();
        }
    }
}
