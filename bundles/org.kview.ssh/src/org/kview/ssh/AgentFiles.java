// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * The agents that can be uploaded to hosts, one for each kind of machine. The agents for machines other than
 * x86_64 are in the same folder as the one for x86_64, and have its name followed by {@code -MACHINE}.
 *
 * @param agent the executable for x86_64
 */
record AgentFiles(Path agent) {
    /** As {@code uname -m} prints it. */
    static final String USUAL = "x86_64";
    private static final List<String> OTHERS = List.of("aarch64");

    /** The kinds of machine for which there is an agent. */
    List<String> machines() {
        List<String> machines = new ArrayList<>(List.of(USUAL));
        OTHERS.stream().filter(other -> Files.isReadable(file(other))).forEach(machines::add);
        return machines;
    }

    /** @param machine one of {@link #machines()} */
    byte[] read(String machine) throws TargetException {
        Path file = file(machine);
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new TargetException(Kind.NOT_REACHED, "The agent " + file
                    + " can't be read; build it, or set KVIEW_AGENT to another", e);
        }
    }

    private Path file(String machine) {
        return machine.equals(USUAL) ? agent : agent.resolveSibling(agent.getFileName() + "-" + machine);
    }
}
