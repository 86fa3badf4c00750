// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import org.kview.ssh.config.HostSettings;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshConfigException;
import org.kview.ssh.config.SshDestination;
import org.kview.ssh.config.SshEnvironment;
import org.kview.targets.Agent;
import org.kview.targets.InstalledAgent;
import org.kview.targets.Target;
import org.kview.targets.channel.AgentTransport;
import org.kview.targets.channel.LinkOptions;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * A host reached over SSH, as the user's own ssh would reach it. The agent is uploaded if it is not there yet,
 * verified, and started: directly if the user is root or the agent was given the rights that it needs, otherwise
 * through {@code sudo -n}. Agents that are connected at the same time share one login.
 */
public final class SshTarget implements Target {
    /** Short: when the network is back, an attempt that still waits must not delay the next one for long. */
    private static final Duration REOPEN_PATIENCE = Duration.ofSeconds(5);

    private final SshDestination destination;
    private final SshConfig config;
    private final AgentFiles agents;
    private final SshPrompter prompter;
    private final TrustOnce trust = new TrustOnce();
    private volatile Optional<SshConnection> latest = Optional.empty();

    /**
     * @param agent    the executable that is uploaded to the host if that is an x86_64; those for other
     *                 machines, if they were built, are beside it as {@code NAME-MACHINE}
     * @param prompter asked for what only the user knows
     */
    public SshTarget(SshDestination destination, SshConfig config, Path agent, SshPrompter prompter) {
        this.destination = Objects.requireNonNull(destination);
        this.config = Objects.requireNonNull(config);
        agents = new AgentFiles(Objects.requireNonNull(agent).toAbsolutePath());
        this.prompter = Objects.requireNonNull(prompter);
    }

    /**
     * A host with this process's own SSH configuration.
     *
     * @param name {@code [user@]host[:port]}
     * @throws TargetException if the name is not understood
     */
    public static SshTarget of(String name, Path agent, SshPrompter prompter) throws TargetException {
        try {
            return new SshTarget(SshDestination.parse(name), new SshConfig(SshEnvironment.ofProcess()), agent, prompter);
        } catch (SshConfigException e) {
            throw new TargetException(Kind.NOT_REACHED, e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return destination.toString();
    }

    @Override
    public Agent connect() throws TargetException, InterruptedException {
        byte[] usual = agents.read(AgentFiles.USUAL);
        SshConnection connection = login();
        try {
            AgentUpload upload = new AgentUpload(connection.session(), name(), usual);
            RemoteHost host = upload.probe();
            host.refuseIfUnsupported(name(), agents.machines());
            if (!host.machine().equals(AgentFiles.USUAL)) {
                upload = new AgentUpload(connection.session(), name(), agents.read(host.machine()));
                host = upload.probe();
            }
            boolean hashed = host.hash().isPresent() && !host.hash().get().equals(AgentScripts.NO_HASH);
            if (!upload.isThere(host)) {
                prompter.say("bringing the agent to " + name() + " (" + (upload.bytes() >> 10) + " KiB)");
                hashed = upload.upload(host);
            }
            return start(connection, upload, host, hashed);
        } finally {
            // The started agent keeps the connection open.
            connection.release();
        }
    }

    /** The connection of another agent if there is one, so that nobody is asked for a password twice. */
    private SshConnection login() throws TargetException, InterruptedException {
        Optional<SshConnection> open = latest;
        if (open.isPresent() && open.get().retainIfOpen()) {
            return open.get();
        }
        SshConnection connection = SshConnection.open(config, destination, trust.learning(prompter));
        latest = Optional.of(connection);
        return connection;
    }

    private Agent start(SshConnection connection, AgentUpload upload, RemoteHost host, boolean hashed)
            throws TargetException, InterruptedException {
        Agent direct = launch(connection, upload.scripts(), hashed, false);
        if (host.uid() == 0 || direct.host().canRecord()) {
            return direct;
        }
        direct.close();
        Agent privileged;
        try {
            privileged = launch(connection, upload.scripts(), hashed, true);
        } catch (TargetException e) {
            // A host that is only slow has not refused anything.
            if (e.kind() != Kind.CONNECTION_LOST) {
                throw e;
            }
            throw needsRoot(upload, host, "'sudo -n' does not let " + host.user() + " start it", e);
        }
        if (privileged.host().refusal().isPresent()) {
            privileged.close();
            // Earlier versions suggested a sudo rule for a file that belongs to the user.
            throw needsRoot(upload, host, "a file that " + host.user() + " can change may not be given it", null);
        }
        return privileged;
    }

    private Agent launch(SshConnection connection, AgentScripts scripts, boolean hashed, boolean throughSudo)
            throws TargetException, InterruptedException {
        SshPrompter again = trust.reopening(prompter);
        return Agent.connect(run(connection, scripts, hashed, throughSudo), link(connection.settings(),
                () -> reopen(scripts, hashed, throughSudo, again)));
    }

    private SshTransport run(SshConnection connection, AgentScripts scripts, boolean hashed, boolean throughSudo)
            throws TargetException {
        connection.retain();
        try {
            return SshTransport.start(connection.session(), RemoteShell.command(scripts.start(hashed, throughSudo)),
                    "the agent on " + name(), throughSudo, connection::release);
        } catch (IOException e) {
            connection.release();
            throw new TargetException(Kind.NOT_REACHED, "The host " + name() + " did not start the agent ("
                    + Questions.shown(String.valueOf(e.getMessage())) + "); connect again", e);
        }
    }

    /** Starts the same agent with the same rights, over a new connection: the old one may only seem to work. */
    private AgentTransport reopen(AgentScripts scripts, boolean hashed, boolean throughSudo, SshPrompter again)
            throws TargetException, InterruptedException {
        SshConnection connection = SshConnection.open(config, destination, again, Optional.of(REOPEN_PATIENCE));
        latest = Optional.of(connection);
        try {
            return run(connection, scripts, hashed, throughSudo);
        } finally {
            connection.release();
        }
    }

    /** The link to the agent is watched as the user's configuration says for the SSH connection. */
    static LinkOptions link(HostSettings settings, LinkOptions.Reopen reopen) {
        Duration keepAlive = settings.limits().aliveInterval().orElse(LinkOptions.KEEP_ALIVE);
        if (keepAlive.isZero()) {
            return new LinkOptions(LinkOptions.KEEP_ALIVE, Optional.empty(), Optional.of(reopen));
        }
        Duration lostAfter = settings.limits().aliveInterval().map(i -> i.multipliedBy(Math.max(2, settings.limits().aliveCountMax())))
                .orElse(LinkOptions.LOST_AFTER);
        return new LinkOptions(keepAlive, Optional.of(lostAfter), Optional.of(reopen));
    }

    private TargetException needsRoot(AgentUpload upload, RemoteHost host, String why, Throwable cause) {
        InstalledAgent installed = upload.scripts().installed();
        String install = host.installed() ? "" : "install it as a file that only root can change, with: "
                + installed.installCommand(upload.scripts().path(host.home())) + " — and then ";
        return new TargetException(Kind.NO_PERMISSION, "The agent on " + name() + " needs root, and " + why
                + "; let an administrator of that host " + install + "either add this line with"
                + " 'visudo -f /etc/sudoers.d/kview-workbench': " + installed.sudoersLine(host.user()) + " — or run: "
                + installed.setcapCommand() + " — then connect again", cause);
    }
}
