// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import org.kview.targets.Agent;
import org.kview.targets.InstalledAgent;
import org.kview.targets.Target;
import org.kview.targets.channel.AgentTransport;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * This machine. Measuring needs root or the capabilities that the agent names. Without them the
 * agent is started a second time through {@code sudo -n}, which never asks for a password. Where
 * sudo does not allow that, the agent without privileges does what it can.
 */
public final class LocalTarget implements Target {
    public static final String NAME = "local";

    private static final String DESCRIPTION = "the agent on this machine";
    /** From these an agent that runs as root learns which user started it, and does no more than that user may. */
    private static final List<String> CALLER = List.of("SUDO_UID", "SUDO_GID", "SUDO_USER", "SUDO_COMMAND", "PKEXEC_UID",
            "DOAS_USER");
    /** A user who may run everything as root without a password gains nothing by the agent: it is not restricted. */
    private static final String THROUGH_SUDO = "if sudo -n -l -- /usr/bin/env >/dev/null 2>&1 && sudo -n -- /usr/bin/env true"
            + " >/dev/null 2>&1; then exec sudo -n -- /usr/bin/env -u SUDO_UID -u SUDO_GID -u SUDO_USER -u SUDO_COMMAND --"
            + " \"$0\"; fi; exec sudo -n -- \"$0\"";

    private final Path agent;

    /** @param agent the agent's executable */
    public LocalTarget(Path agent) {
        this.agent = Objects.requireNonNull(agent).toAbsolutePath();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Agent connect() throws TargetException, InterruptedException {
        if (!Files.isRegularFile(agent) || !Files.isExecutable(agent)) {
            throw new TargetException(Kind.NOT_REACHED, "The agent " + agent
                    + (Files.exists(agent) ? " can't be executed; make it executable" : " does not exist; build it")
                    + ", or set KVIEW_AGENT to another");
        }
        String program = program();
        Agent direct = Agent.connect(start(List.of(program), false));
        if (direct.host().uid() == 0 || direct.host().canRecord()) {
            return direct;
        }
        try {
            Agent privileged = Agent.connect(start(List.of("/bin/sh", "-c", THROUGH_SUDO, program), true));
            direct.close();
            return privileged;
        } catch (TargetException e) {
            // Expected: there is no sudo, or it wants a password. When asked to record, the agent says what it lacks.
            return direct;
        }
    }

    /** The agent, or its installed copy if there is one: an administrator may have given that copy rights. */
    private String program() throws TargetException {
        try {
            InstalledAgent installed = InstalledAgent.of(Files.readAllBytes(agent));
            return installed.isHere() ? installed.path() : agent.toString();
        } catch (IOException e) {
            throw new TargetException(Kind.NOT_REACHED, "The agent " + agent + " can't be read; make it readable, or set"
                    + " KVIEW_AGENT to another", e);
        }
    }

    private static AgentTransport start(List<String> command, boolean raisesPrivileges) throws TargetException {
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            // If this program runs as root already, its agent gets no more rights: no need to restrict it.
            builder.environment().keySet().removeAll(CALLER);
            return new ProcessTransport(builder.start(), DESCRIPTION, raisesPrivileges);
        } catch (IOException e) {
            throw new TargetException(Kind.NOT_REACHED, "The agent could not be started: " + e.getMessage(), e);
        }
    }
}
