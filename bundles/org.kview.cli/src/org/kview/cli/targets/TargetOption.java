// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.kview.cli.console.Console;
import org.kview.ssh.SshTarget;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.local.LocalTarget;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

import picocli.CommandLine.Option;

/** Which host a command works on. */
public final class TargetOption {
    private static final String AGENT_PROPERTY = "kview.agent";

    @Option(names = "--target", paramLabel = "TARGET", defaultValue = LocalTarget.NAME,
            description = "The host: local, which is this machine and the default, or [user@]host[:port], which is"
                    + " reached as ssh would reach it.")
    private String name;

    /** As it was given. */
    public String name() {
        return name;
    }

    /** The host of that name. */
    public static Target target(String name, Console console) throws TargetException {
        return name.equals(LocalTarget.NAME) ? local() : SshTarget.of(name, agent(), new TerminalPrompter(console));
    }

    /** @param console shows what a connection asks for, where there is a terminal */
    public Target target(Console console) throws TargetException {
        return target(name, console);
    }

    /** This machine, with the agent that the launcher names. */
    public static Target local() throws TargetException {
        return new LocalTarget(agent());
    }

    /** "starting the agent on web-3 ..."; shown until something else is. */
    public static String starting(String target) {
        return "starting the agent" + (target.equals(LocalTarget.NAME) ? "" : " on " + target) + " ...";
    }

    /** Starts the agent there; that this goes on is shown until something else is. */
    public static Agent connect(Target host, Console console) throws TargetException, InterruptedException {
        console.progress(starting(host.name()));
        return host.connect();
    }

    /** A program to start there. On another host neither this shell's folder nor its environment is passed on. */
    public static LaunchSpec program(String target, List<String> command) {
        return target.equals(LocalTarget.NAME)
                ? new LaunchSpec(command, System.getenv(), Path.of("").toAbsolutePath().toString())
                : new LaunchSpec(command, Map.of(), "");
    }

    private static Path agent() throws TargetException {
        String agent = System.getProperty(AGENT_PROPERTY, "");
        if (agent.isEmpty()) {
            throw new TargetException(Kind.NOT_REACHED,
                    "Where the agent is, is not known; set KVIEW_AGENT to the path of kview-agent");
        }
        return Path.of(agent);
    }
}
