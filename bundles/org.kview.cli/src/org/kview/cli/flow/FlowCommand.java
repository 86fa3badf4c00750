// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.flow;

import java.time.Duration;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.DurationConverter;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.console.Signals;
import org.kview.cli.targets.ProcessOption;
import org.kview.cli.targets.TargetOption;
import org.kview.cli.targets.TimedRequest;
import org.kview.recording.ProcessLookup;
import org.kview.recording.flow.FlowOutput;
import org.kview.recording.flow.FlowReport;
import org.kview.targets.Agent;
import org.kview.targets.KernelFlow;
import org.kview.targets.Target;
import org.kview.targets.values.Flow;
import org.kview.targets.values.FlowSpec;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells which way the slowest calls of a system call take through the kernel. */
@Command(name = "flow", sortOptions = false,
        header = "Tells which way the slowest calls of a system call take through the kernel.",
        customSynopsis = {"kview flow [--target TARGET] (--pid N | --process NAME) --syscall NAME [--slowest N]",
                "           [--duration TIME] [--all] [--json | --folded]"},
        description = {"",
                "Follows the calls of one system call of a process through all functions of the kernel that can be hooked, and"
                + " prints those calls that took longest as trees: each function with its time, its time on a CPU and its"
                + " waits where they were. Needs the kview module on that host, and root there. Other processes run none of the"
                + " hooks; this one pays at each function of the kernel while it is followed, and its times are with that:"
                + " system calls that do little can take tens of times as long."
                + " Ctrl-C ends it early, with what was found.", ""},
        footer = {"", "Examples:", "  kview flow --pid 4242 --syscall read",
                "  kview flow --target root@web-3 --process nginx --syscall sendfile --slowest 1 --duration 30s",
                "  kview flow --pid 4242 --syscall fsync --json | jq '.calls[].tree[] | select(.wait)'",
                "  kview flow --pid 4242 --syscall fsync --folded | flamegraph.pl --countname ns > fsync.svg"})
public final class FlowCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Mixin
    private TargetOption target;
    @ArgGroup(multiplicity = "1")
    private ProcessOption who;
    @Option(names = "--syscall", paramLabel = "NAME", required = true, description = "Of which system call, by its name in section 2"
            + " of the manual, such as read.")
    private String systemCall;
    @Option(names = "--slowest", paramLabel = "N", description = "Prints the N slowest calls: 5 if not given, 100 at most.")
    private int slowest = FlowSpec.USUAL_SLOWEST;
    @Option(names = "--duration", paramLabel = "TIME", converter = DurationConverter.class, description = "For how long: 5s if not"
            + " given, 10m at most.")
    private Duration duration = FlowSpec.USUAL;
    @Option(names = "--all", description = "Prints each function on its own line. Otherwise three and more in a row that took less"
            + " than a thousandth of the call share one.")
    private boolean all;
    @ArgGroup
    private Form form = new Form();

    private static final class Form {
        @Option(names = "--json", description = "Prints JSON with all functions, times in ns.")
        private boolean json;
        @Option(names = "--folded", description = "Prints stacks for flame graphs: the thread, the functions, on-CPU or why it"
                + " waited, and the ns.")
        private boolean folded;
    }

    public FlowCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        check();
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            ProcessInfo process = who.find(new ProcessLookup(agent, host.name()));
            console.progress("following " + systemCall + " in process " + process.pid() + " for " + duration.toMillis() / 1000.0
                    + " s ...");
            tell(flow(agent, process), agent.host().hostname());
            return ExitCode.DONE;
        }
    }

    private void check() {
        who.check(spec);
        if (!systemCall.matches("[a-z0-9_]+")) {
            throw new ParameterException(spec.commandLine(), "--syscall takes a name such as read, not '" + systemCall + "'");
        }
        TimedRequest.check(spec, duration, FlowSpec.LONGEST, "Calls are followed for 1ms to 10m");
        if (slowest < 1 || slowest > FlowSpec.MOST_SLOWEST) {
            throw new ParameterException(spec.commandLine(), "--slowest takes a number from 1 to " + FlowSpec.MOST_SLOWEST);
        }
    }

    private Flow flow(Agent agent, ProcessInfo process) throws TargetException, InterruptedException {
        try (Signals _ = TimedRequest.endedBySignals(console, () -> KernelFlow.end(agent))) {
            return KernelFlow.of(agent, new FlowSpec(process.pid(), process.startNanos(), systemCall, duration, slowest));
        }
    }

    private void tell(Flow flow, String hostname) {
        FlowOutput output = new FlowOutput(console::part);
        if (form.folded) {
            FoldedFlow.of(flow).print(output);
        } else if (form.json) {
            new FlowJson(target.name(), hostname, systemCall, flow).print(output);
        } else {
            new FlowReport(systemCall, flow, all).print(output);
        }
        output.finish();
    }
}
