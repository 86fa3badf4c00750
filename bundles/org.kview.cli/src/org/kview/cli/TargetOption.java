// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.nio.file.Path;
import org.kview.target.LocalTarget;
import org.kview.target.Target;
import org.kview.target.TargetException;
import org.kview.target.TargetException.Kind;
import picocli.CommandLine.Option;

/** Which host a command works on. */
final class TargetOption {
    private static final String AGENT_PROPERTY = "kview.agent";

    @Option(names = "--target", paramLabel = "TARGET", defaultValue = LocalTarget.NAME,
            description = "The host: local, which is this machine and the default.")
    private String name;

    Target target() throws TargetException {
        if (!name.equals(LocalTarget.NAME)) {
            throw new TargetException(Kind.NOT_REACHED, "The target " + name
                    + " can't be reached: this version measures the machine that it runs on, and no other; run kview"
                    + " there, or leave --target out");
        }
        return local();
    }

    /** This machine, with the agent that the launcher names. */
    static Target local() throws TargetException {
        String agent = System.getProperty(AGENT_PROPERTY, "");
        if (agent.isEmpty()) {
            throw new TargetException(Kind.NOT_REACHED,
                    "Where the agent is, is not known; set KVIEW_AGENT to the path of kview-agent");
        }
        return new LocalTarget(Path.of(agent));
    }
}
