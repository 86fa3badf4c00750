// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import org.kview.recording.ProcessLookup;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** One process that runs, by its number or name: a group of which exactly one is given. */
public final class ProcessOption {
    @Option(names = "--pid", paramLabel = "N", description = "A process that runs.")
    private Integer pid;
    @Option(names = "--process", paramLabel = "NAME", description = "A process that runs, by the name of which there is one.")
    private String process;

    /** @throws ParameterException if no process has such a number */
    public void check(CommandSpec spec) {
        if (pid != null && pid <= 0) {
            throw new ParameterException(spec.commandLine(), "No process has the number " + pid);
        }
    }

    public ProcessInfo find(ProcessLookup lookup) throws TargetException, InterruptedException {
        return pid != null ? lookup.byNumber(pid) : lookup.byName(process);
    }
}
