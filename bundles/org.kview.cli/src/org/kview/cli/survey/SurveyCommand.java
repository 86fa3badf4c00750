// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.survey;

import java.time.Duration;
import java.util.List;
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
import org.kview.recording.survey.ChildTimes;
import org.kview.recording.survey.Findings;
import org.kview.recording.survey.SurveyedFunctions;
import org.kview.session.json.SurveyJson;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;
import org.kview.targets.values.Survey;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells where the time of a process goes, and what to probe to measure it. Changes nothing in the process. */
@Command(name = "survey", sortOptions = false,
        header = "Tells where the time of a process goes, and which functions to probe.",
        customSynopsis = {"kview survey [--target TARGET] (--pid N | --process NAME) [--duration TIME] [--rate N]",
                "             [--top N] [--json | --folded]"},
        description = {"",
                "Looks for some seconds at all threads of a process, without probes: those that run are sampled, those that"
                + " wait are seen as they go on. Prints the functions that most time was spent in, with what they called, and"
                + " those whose calls are worth measuring, as 'kview record --probe' takes them. Ctrl-C ends it early, with"
                + " what was found.", ""},
        footer = {"", "Examples:", "  kview survey --pid 4242", "  kview survey --process redis-server --duration 10s",
                "  kview survey --pid 4242 --json | jq .suggested",
                "  kview survey --pid 4242 --folded | flamegraph.pl --countname ns > survey.svg"})
public final class SurveyCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Mixin
    private TargetOption target;
    @ArgGroup(multiplicity = "1")
    private ProcessOption who;
    @Option(names = "--duration", paramLabel = "TIME", converter = DurationConverter.class, description = "For how long: 5s if not"
            + " given, 10m at most.")
    private Duration duration = SurveySpec.USUAL;
    @Option(names = "--rate", paramLabel = "N", description = "How often a CPU is sampled on which the process runs, in samples a"
            + " second: 499 if not given, 4999 at most.")
    private int rate;
    @Option(names = "--top", paramLabel = "N", defaultValue = "20", description = "Prints the first N functions, 20 if not given.")
    private int top;
    @ArgGroup
    private Form form = new Form();

    private static final class Form {
        @Option(names = "--json", description = "Prints JSON, times in ns.")
        private boolean json;
        @Option(names = "--folded", description = "Prints stacks for flame graphs: the thread, its calls, why it was there, and the"
                + " ns.")
        private boolean folded;
    }

    public SurveyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        check();
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            ProcessInfo process = who.find(new ProcessLookup(agent, host.name()));
            console.progress("surveying process " + process.pid() + " for " + duration.toMillis() / 1000.0 + " s ...");
            ProcessList before = agent.processList();
            Survey survey = survey(agent, process);
            ProcessList after = after(agent, before);
            tell(survey, ChildTimes.between(process, before.processes(), after.processes()),
                    after.instantNanos() - before.instantNanos(), agent.host().hostname());
            return ExitCode.DONE;
        }
    }

    private void check() {
        who.check(spec);
        TimedRequest.check(spec, duration, SurveySpec.LONGEST, "A survey lasts from 1ms to 10m");
        if (rate < 0 || rate > SurveySpec.MOST_SAMPLES_PER_SECOND || top < 1) {
            throw new ParameterException(spec.commandLine(), rate < 0 || rate > SurveySpec.MOST_SAMPLES_PER_SECOND
                    ? "--rate takes a number from 1 to " + SurveySpec.MOST_SAMPLES_PER_SECOND : "--top takes a number above 0");
        }
    }

    private Survey survey(Agent agent, ProcessInfo process) throws TargetException, InterruptedException {
        try (Signals _ = TimedRequest.endedBySignals(console, agent::endSurvey)) {
            return agent.survey(new SurveySpec(process.pid(), process.startNanos(), duration, rate));
        }
    }

    /** What the survey found is told in any case. */
    private ProcessList after(Agent agent, ProcessList before) throws InterruptedException {
        try {
            return agent.processList();
        } catch (TargetException e) {
            console.say("How long its children computed is not known: " + e.getMessage());
            return before;
        }
    }

    private void tell(Survey survey, List<ChildTimes> children, long betweenNanos, String hostname) {
        if (form.folded) {
            FoldedStacks.print(console, survey);
            return;
        }
        SurveyedFunctions functions = new SurveyedFunctions(survey);
        if (form.json) {
            ObjectNode root = new ObjectMapper().createObjectNode().put("schema", SurveyJson.SCHEMA).put("target", target.name())
                    .put("host", hostname);
            SurveyJson.write(root, Findings.of(functions, top));
            ArrayNode list = root.putArray("children");
            children.forEach(child -> list.addObject().put("pid", child.process().pid()).put("command", child.process().command())
                    .put("cpu_ns", child.cpuNanos()));
            console.json(root.toPrettyString());
        } else {
            console.result(new SurveyReport(target.name(), functions, top,
                    ChildrenText.of(children, betweenNanos, survey.cost().processCpuNanos(), target.name())).text());
        }
    }
}
