// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.kview.ssh.SshTarget;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshConfigException;
import org.kview.ssh.config.SshDestination;
import org.kview.ssh.config.SshEnvironment;
import org.kview.targets.Target;
import org.kview.targets.local.LocalTarget;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetConnection.Origin;
import org.kview.targets.registry.TargetRegistry;
import org.kview.ui.ssh.DialogPrompter;
import org.kview.ui.ssh.SecretStore;

/**
 * The workbench's targets: this machine, the hosts of the user's SSH configuration, and those that the
 * user added. Reads the configuration in a job, again whenever {@link #reload} is called.
 */
public final class TargetService {
    private static final String AGENT_PROPERTY = "kview.agent";

    private final Display display;
    private final AddedHosts added;
    private final TargetRegistry registry = new TargetRegistry();
    private final Map<String, Target> targets = new ConcurrentHashMap<>();
    private final Map<String, DialogPrompter> prompters = new ConcurrentHashMap<>();
    private final ConnectProgress progress = new ConnectProgress();
    private volatile Optional<Path> agent;
    private volatile SshConfig config;
    private volatile SecretStore secrets;
    private volatile String problem = "";

    TargetService(Display display, AddedHosts added, SecretStore secrets) {
        this.display = display;
        this.added = added;
        this.secrets = secrets;
        config = new SshConfig(SshEnvironment.ofProcess());
        agent = Optional.ofNullable(System.getProperty(AGENT_PROPERTY)).filter(path -> !path.isBlank()).map(Path::of);
        show(List.of());
    }

    /** The workbench's. */
    public static TargetService get() {
        return PlatformUI.getWorkbench().getService(TargetService.class);
    }

    public TargetRegistry registry() {
        return registry;
    }

    public SecretStore secrets() {
        return secrets;
    }

    /** This machine; empty where nobody has said where the agent is. */
    public Optional<TargetConnection> local() {
        return registry.find(LocalTarget.NAME);
    }

    /** One sentence about what keeps targets from being listed; empty if nothing does. */
    public String problem() {
        return agent.isEmpty() ? "This workbench does not know where its agent is. Start it with ./kview, or with -D"
                + AGENT_PROPERTY + "=PATH where PATH is the agent's executable." : problem;
    }

    /** Reads the SSH configuration anew, and shows its hosts. */
    public Job reload() {
        Job job = Job.create("Read the SSH configuration", _ -> {
            List<String> hosts = List.of();
            String failure = "";
            try {
                hosts = List.copyOf(config.hosts());
            } catch (SshConfigException e) {
                failure = e.getMessage() + ".";
            }
            problem = failure;
            show(hosts);
        });
        job.setSystem(true);
        job.schedule();
        return job;
    }

    private synchronized void show(List<String> configured) {
        List<TargetRegistry.Entry> entries = new ArrayList<>();
        agent.ifPresent(path -> {
            entries.add(new TargetRegistry.Entry(targets.computeIfAbsent(LocalTarget.NAME, _ -> new LocalTarget(path)),
                    Origin.LOCAL));
            Set<String> names = new LinkedHashSet<>(configured);
            names.removeIf(name -> AddedHosts.problem(name).isPresent());
            names.forEach(name -> entries.add(entry(name, path, Origin.SSH_CONFIG)));
            added.names().stream().filter(name -> !names.contains(name))
                    .forEach(name -> entries.add(entry(name, path, Origin.ADDED)));
        });
        registry.show(entries);
    }

    private TargetRegistry.Entry entry(String name, Path path, Origin origin) {
        return new TargetRegistry.Entry(targets.computeIfAbsent(name, n -> remote(n, path)), origin);
    }

    private Target remote(String name, Path path) {
        DialogPrompter prompter = new DialogPrompter(display, secrets,
                () -> registry.find(name).ifPresent(TargetConnection::disconnect), progress.of(name));
        prompters.put(name, prompter);
        try {
            return new SshTarget(SshDestination.parse(name), config, path, prompter);
        } catch (SshConfigException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Adds a host. @param name as {@link AddedHosts#problem} accepts it */
    public void add(String name) {
        added.add(name);
        reload();
    }

    /** Forgets an added host, and ends its connection. */
    public void remove(TargetConnection connection) {
        added.remove(connection.name());
        // Not by a listener of a scheduled job: where nothing is connected, that job may have ended before it listens.
        disconnect(connection, this::reload);
    }

    /** Connects in a job, which shows what it does and can be cancelled. */
    public Job connect(TargetConnection connection) {
        Job job = new ConnectJob(connection, progress, () -> dismiss(connection));
        job.schedule();
        return job;
    }

    /** Ends a connection, or the attempt to make one, in a job. */
    public Job disconnect(TargetConnection connection) {
        return disconnect(connection, () -> { });
    }

    private Job disconnect(TargetConnection connection, Runnable then) {
        dismiss(connection);
        Job job = Job.create("Disconnect " + connection.name(), (ICoreRunnable) _ -> {
            connection.disconnect();
            then.run();
        });
        job.schedule();
        return job;
    }

    private void dismiss(TargetConnection connection) {
        Optional.ofNullable(prompters.get(connection.name())).ifPresent(DialogPrompter::dismiss);
    }

    /** Disconnects everything. Called once, when the workbench ends. */
    public void shutdown() {
        registry.close();
    }

    /** Works with another configuration and other secrets from now on. */
    synchronized void use(SshConfig other, SecretStore otherSecrets) {
        registry.close();
        config = other;
        secrets = otherSecrets;
        targets.keySet().removeIf(name -> !name.equals(LocalTarget.NAME));
        show(List.of());
    }
}
