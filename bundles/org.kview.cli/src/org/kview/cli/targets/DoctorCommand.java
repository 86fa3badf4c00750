// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.Optional;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.console.JsonForm;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.Calibration;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells what a target can do, and measures what probes cost there. */
@Command(name = "doctor", sortOptions = false,
        header = "Tells what a target can do, and what each kind of probe costs there.",
        customSynopsis = "kview doctor [--target TARGET] [--json]",
        description = {"", "Takes about a second: costs are measured, with a process of the agent's own.", ""},
        footer = {"", "Exit code 4 tells that nothing can be recorded there.", "", "Examples:",
                "  kview doctor", "  kview doctor --json | jq .costs"})
public final class DoctorCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Mixin
    private TargetOption target;
    @Mixin
    private JsonForm form;

    public DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        Target host = target.target(console);
        console.progress(TargetOption.starting(host.name()));
        try (Agent agent = host.connect()) {
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
}
