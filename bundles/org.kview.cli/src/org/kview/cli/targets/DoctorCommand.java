// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.console.JsonForm;
import org.kview.model.ComparedWays;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.Calibration;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells what a target can do, and measures what probes cost there. */
@Command(name = "doctor", sortOptions = false,
        header = "Tells what a target can do, and what each kind of probe costs there.",
        customSynopsis = "kview doctor [--target TARGET] [--ways [--post] [--calls-per-second N]] [--json]",
        description = {"", "Takes about a second: costs are measured, with a process of the agent's own.", ""},
        footer = {"", "Exit code 4 tells that nothing can be recorded there.", "", "Examples:",
                "  kview doctor", "  kview doctor --json | jq .costs",
                "  kview doctor --target root@web-3 --ways      what each way to record costs there, and whom"})
public final class DoctorCommand implements Callable<Integer> {
    private static final long USUAL_CALLS = 100_000;
    private static final long MOST_CALLS = 1_000_000_000;

    private final Console console;

    @Mixin
    private HelpOption help;
    @Mixin
    private TargetOption target;
    @Option(names = "--ways", description = "Instead: what each way to record a system call, or a function of the kernel, costs there a"
            + " call, the recorded process and all others, side by side. Takes half a second for each of five turns of each way, on two"
            + " processes of the agent's own. While a way that filters in eBPF is tried, some tenths of a second in all, all processes"
            + " of the host pass it.")
    private boolean ways;
    @Option(names = "--post", description = "With --ways: also what it would cost to filter afterwards, which no recording does. For some"
            + " tenths of a second each system call of each process of the host is told to the agent.")
    private boolean post;
    @Option(names = "--calls-per-second", paramLabel = "N", description = "With --ways: for a machine on which others make so many calls a"
            + " second, what they pay (default: ${DEFAULT-VALUE}).", defaultValue = "" + USUAL_CALLS)
    private long callsPerSecond;
    @Mixin
    private JsonForm form;
    @Spec
    private CommandSpec spec;

    public DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        if (!ways && (post || callsPerSecond != USUAL_CALLS)) {
            throw new ParameterException(spec.commandLine(), (post ? "--post" : "--calls-per-second") + " is about ways: say --ways, too");
        }
        if (callsPerSecond < 1 || callsPerSecond > MOST_CALLS) {
            throw new ParameterException(spec.commandLine(), "--calls-per-second takes 1 to " + MOST_CALLS);
        }
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            if (ways) {
                return compareWays(host, agent);
            }
            console.progress("measuring what probes cost ...");
            Optional<Calibration> costs = Optional.empty();
            String notMeasured = "";
            try {
                costs = Optional.of(agent.calibrate(true));
            } catch (TargetException e) {
                if (e.kind() == Kind.CONNECTION_LOST || e.kind() == Kind.NOT_REACHED) {
                    throw e;
                }
                notMeasured = e.getMessage();
            }
            DoctorReport report = new DoctorReport(host.name(), agent.host(), costs, notMeasured);
            form.give(console, report::json, report::text);
            if (!agent.host().canRecord()) {
                console.say(("nothing can be recorded here without " + report.missing() + ". " + Rights.advice(host.name())).strip());
                return ExitCode.NOT_POSSIBLE;
            }
            return ExitCode.DONE;
        }
    }

    private int compareWays(Target host, Agent agent) throws TargetException, InterruptedException {
        Set<ComparedWays.Kind> kinds = EnumSet.allOf(ComparedWays.Kind.class);
        if (!post) {
            kinds.removeIf(ComparedWays.Kind::isForComparisonOnly);
        }
        Optional<ComparedWays> compared = WaysRequest.of(agent, host.name(), kinds, console);
        if (compared.isEmpty()) {
            console.say("ended before all ways were measured; nothing of it stays on " + host.name() + " when the agent there has ended");
            return ExitCode.FAILED;
        }
        WaysReport report = new WaysReport(agent.host(), compared.get(), callsPerSecond);
        form.give(console, report::json, report::text);
        return ExitCode.DONE;
    }
}
