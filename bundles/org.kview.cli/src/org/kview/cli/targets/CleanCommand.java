// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.targets.Agent;
import org.kview.targets.Target;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Takes out of a process what a recording by jumps left in it. */
@Command(name = "clean", sortOptions = false,
        header = "Takes jumps out of a process that a killed agent left in its code.",
        customSynopsis = "kview clean [--target TARGET] --pid N",
        description = {"",
                "A recording by jumps takes them out by itself, however it ends. Where the agent was killed they stay: the process"
                + " goes on unharmed, and can't be recorded until they are taken out.", ""},
        footer = {"", "Examples:", "  kview clean --pid 4242"})
public final class CleanCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Mixin
    private TargetOption target;
    @Option(names = "--pid", paramLabel = "N", required = true, description = "The process, with those that it forked; or one of these.")
    private int pid;

    public CleanCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        if (pid <= 0) {
            throw new ParameterException(spec.commandLine(), "No process has the number " + pid);
        }
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            long restored = agent.clean(pid);
            console.result(restored == 0 ? "Process " + pid + " has no jumps in its code."
                    : "Process " + pid + " has its own code again: " + restored + (restored == 1 ? " place was" : " places were")
                            + " restored.");
            return ExitCode.DONE;
        }
    }
}
