// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.kview.cli.console.Console;
import org.kview.cli.console.DurationConverter;
import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallSplits;
import org.kview.model.Filter;
import org.kview.model.ProbeWay;
import org.kview.model.SyntaxException;
import org.kview.recording.RecordingOptions;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** How to record: the options that all commands which record have in common. */
public final class RecordingSettings {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;
    @Option(names = "--duration", paramLabel = "TIME", converter = DurationConverter.class,
            description = "How long to record, such as 500ms, 10s or 2m; else until the process ends.")
    private Duration duration;
    @Option(names = "--grace", paramLabel = "TIME", converter = GraceConverter.class, defaultValue = "60s",
            description = "How long another host goes on recording while the link to it is lost: 60s, or 0s to 1h.")
    private Duration grace;
    @Option(names = "--filter", paramLabel = "FILTER", defaultValue = "auto", converter = FilterConverter.class,
            description = {"How other processes are told apart: view (a kernel view of the process), in (in the eBPF"
                    + " program), post (afterwards), or auto, the default: the best that the host offers."})
    private Filter filter;
    @Option(names = "--events", description = "Keeps each call and each switch as an event too, as a CTF trace.")
    private boolean events;
    @Option(names = "--waits", description = {"Tells for what each function's calls waited: where in the kernel, who woke them, and which"
            + " locks, files and sockets they were for. Of functions that are measured by traps; each wait costs the process somewhat more."})
    private boolean waits;
    @Option(names = "--cost-to-others", description = {"Measures what the recording costs processes that are not recorded: one of the"
            + " agent's own does harmless operations before, during and after it, on 0.5%% of a CPU at most."})
    private boolean costToOthers;
    @Option(names = "--when", paramLabel = "[FUNCTION:]CONDITION",
            description = {"Measures only calls that a condition is true of, such as 'arg0 > 4096', '(int) retval < 0' or 'comm == \"worker-1\"',"
                    + " with && || ! and parentheses, of functions of programs by traps; all others are counted. With a name or glob before a"
                    + " colon it is for those functions, else for all that have none of their own. May be given several times."})
    private List<String> conditions = List.of();
    @Option(names = "--by", paramLabel = "[FUNCTION:]VALUE",
            description = {"Splits a function's figures by a value of its calls: arg0 to arg5, retval, comm or tid, such as 'arg1', '(int) retval'"
                    + " or 'arg2 & 0xf'. The first 64 values have figures of their own, all others together. Of functions of programs by traps"
                    + " and of system calls, 8 at most. With a name or glob before a colon it is for those functions. May be given several times."})
    private List<String> splits = List.of();
    @Option(names = "--follow", description = {"Also measures the processes that the process has forked and will fork, those that these fork,"
            + " and so on: of system calls, functions of the kernel and tracepoints."})
    private boolean children;
    @Option(names = "--measure", paramLabel = "WHAT[,WHAT...]", split = ",",
            description = {"Counts what calls take beside their time: alloc (page faults), io (requests to block"
                    + " devices, their bytes, and the devices' time), counters (the processor's cycles, instructions and cache misses of the"
                    + " program's own code, where the host has them). Of functions of programs by traps."})
    private List<String> measures = List.of();
    @Option(names = "--budget", paramLabel = "PERCENT|none", converter = BudgetConverter.class, defaultValue = "5%",
            description = {"How much of the process's CPU time the probes may take, 5%% by default: beyond it the probes of"
                    + " the most expensive function come off, in the end the recording ends. none: whatever it comes to."})
    private Budget budget;
    @Option(names = "--return-probes",
            description = {"Replaces return addresses also where nothing proves that harmless: cheaper, and it can end a"
                    + " program that throws through a frame or switches stacks. The session is marked."})
    private boolean returnProbes;

    @Option(names = "--probe-way", paramLabel = "WAY", converter = WayConverter.class, defaultValue = "auto",
            description = {"How functions are measured. trap: by traps, which leave the process's code to the kernel. jump: Kview"
                    + " writes code into the process, so that a call costs some 50 ns instead of one to tens of us; all threads"
                    + " stand for moments while that is put in and taken out. Functions in which no jump can be put"
                    + " are measured by traps, and have no events. auto, the default: trap."})
    private ProbeWay way;

    static final class WayConverter implements ITypeConverter<ProbeWay> {
        @Override
        public ProbeWay convert(String text) {
            return ProbeWay.ofId(text).orElseThrow(() -> new TypeConversionException(
                    "'" + text + "' is none of auto, trap, jump"));
        }
    }

    static final class FilterConverter implements ITypeConverter<Filter> {
        @Override
        public Filter convert(String text) {
            return Filter.ofId(text).orElseThrow(() -> new TypeConversionException(
                    "'" + text + "' is none of auto, view, in, post"));
        }
    }

    static final class BudgetConverter implements ITypeConverter<Budget> {
        @Override
        public Budget convert(String text) {
            return Budget.parse(text).orElseThrow(() -> new TypeConversionException(
                    "'" + text + "' is no share such as 5% or 0.5%, up to 100%, and not 'none'"));
        }
    }

    static final class GraceConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Duration grace = text.matches("0(ms|s|m|h)?") ? Duration.ZERO : new DurationConverter().convert(text);
            if (grace.compareTo(Duration.ofHours(1)) > 0) {
                throw new TypeConversionException("'" + text + "' is more than 1h");
            }
            return grace;
        }
    }

    /** The options as they were given; the caller adds to them. */
    public RecordingOptions.Builder options() {
        return new RecordingOptions.Builder().events(events).filter(filter).duration(duration()).grace(grace).budget(budget)
                .forceReturnProbes(returnProbes).way(way).waits(waits)
                .costToOthers(costToOthers).conditions(conditions()).splits(splits()).children(children).measures(measures);
    }

    private CallConditions conditions() {
        conditions.forEach(this::parsed);
        return parsed(String.join("; ", conditions));
    }

    private CallSplits splits() {
        splits.forEach(this::parsedSplits);
        return parsedSplits(String.join("; ", splits));
    }

    private CallSplits parsedSplits(String text) {
        try {
            return CallSplits.parse(text);
        } catch (SyntaxException e) {
            throw new ParameterException(spec.commandLine(), "--by, column " + e.column() + ": " + e.getMessage());
        }
    }

    private CallConditions parsed(String text) {
        try {
            return CallConditions.parse(text);
        } catch (SyntaxException e) {
            throw new ParameterException(spec.commandLine(), "--when, column " + e.column() + ": " + e.getMessage());
        }
    }

    /** Whether children are measured, too. */
    boolean children() {
        return children;
    }

    Optional<Duration> duration() {
        return Optional.ofNullable(duration);
    }

    public Budget budget() {
        return budget;
    }

    /** Prints a warning for options that put the program at risk. */
    public void warn(Console console) {
        if (returnProbes) {
            console.say("return addresses are replaced also where nothing proves it harmless: if the program unwinds or"
                    + " switches stacks there, it ends");
        }
        if (way == ProbeWay.JUMP) {
            console.say("code is written into the process, and taken out at the end; if kview is killed meanwhile, 'kview"
                    + " clean' takes it out");
        }
    }
}
