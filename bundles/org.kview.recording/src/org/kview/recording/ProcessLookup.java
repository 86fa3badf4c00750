// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.List;
import java.util.stream.Collectors;

import org.kview.targets.Agent;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** Finds a process that runs already. */
public final class ProcessLookup {
    private static final int MOST_SHOWN = 8;

    private final Agent agent;
    private final String target;

    /** @param target its name, for messages */
    public ProcessLookup(Agent agent, String target) {
        this.agent = agent;
        this.target = target;
    }

    /** @throws TargetException where there is none */
    public ProcessInfo byNumber(long pid) throws TargetException, InterruptedException {
        return agent.processes().stream().filter(p -> p.pid() == pid).findFirst()
                .orElseThrow(() -> new TargetException(Kind.NO_SUCH_PROCESS, "There is no process " + pid + " on "
                        + target + "; it may have ended, so look for it with ps"));
    }

    /**
     * By the name of its executable, or the kernel's short name of it.
     *
     * @throws TargetException where there is none, or several: guessing which is meant would measure the wrong one
     */
    public ProcessInfo byName(String name) throws TargetException, InterruptedException {
        List<ProcessInfo> found = agent.processes().stream().filter(p -> !p.kernelThread())
                .filter(p -> p.name().equals(name) || fileName(p.program().executable()).equals(name)).toList();
        if (found.size() != 1) {
            throw new TargetException(Kind.NO_SUCH_PROCESS, found.isEmpty()
                    ? "There is no process named " + name + " on " + target + "; look for it with ps"
                    : "There are " + found.size() + " processes named " + name + " on " + target
                            + "; give the number of one of them: " + found.stream().limit(MOST_SHOWN)
                            .map(p -> p.pid() + " (" + p.command() + ")").collect(Collectors.joining(", ")));
        }
        return found.getFirst();
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
