// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.kview.model.ProbeSpec;
import org.kview.recording.RecordingRequest;
import org.kview.recording.RecordingResult;
import org.kview.recording.Subject;
import org.kview.target.Filter;
import org.kview.target.LaunchSpec;
import org.kview.target.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Records a process into a session. */
@Command(name = "record", sortOptions = false,
        header = "Measures functions of a process and writes a session.",
        customSynopsis = {"kview record [--target TARGET] (--pid N | -- CMD...) --probe BIN:FUNC...",
                "             [--duration TIME] [--filter FILTER] [--events] -o SESSION.kview"},
        description = {"",
                "Ends when the process ends, after --duration, or at Ctrl-C, and keeps the session each time.",
                "With a command the probes are in place before the first instruction of its main, its output",
                "is passed through, and it is sent SIGTERM if it still runs when the recording ends.", ""},
        footer = {"", "Examples:",
                "  kview record --pid 4242 --probe libc.so.6:malloc --duration 10s -o malloc.kview",
                "  kview record --probe 'shop:price_*' --events -o shop.kview -- ./shop --port 8080",
                "  kview record --pid 4242 --probe 'shop:Basket::total' -o basket.kview"})
final class RecordCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Mixin
    private TargetOption target;
    @Option(names = "--pid", paramLabel = "N", description = "The process to measure.")
    private Integer pid;
    @Option(names = "--probe", paramLabel = "BIN:FUNC", required = true, converter = ProbeConverter.class,
            description = {"A function: BIN is a path, or the base name of a program or library that the process maps;"
                    + " FUNC an exact name, a demangled name or a glob. May be given several times."})
    private List<ProbeSpec> probes = List.of();
    @Option(names = "--duration", paramLabel = "TIME", converter = DurationConverter.class,
            description = "How long to record, such as 500ms, 10s or 2m; else until the process ends.")
    private Duration duration;
    @Option(names = "--filter", paramLabel = "FILTER", defaultValue = "auto", converter = FilterConverter.class,
            description = {"How other processes are told apart: view (a kernel view of the process), in (in the eBPF"
                    + " program), post (afterwards), or auto, the default: the best that the host offers."})
    private Filter filter;
    @Option(names = "--events", description = "Keeps each call and each switch as an event too, as a CTF trace.")
    private boolean events;
    @Option(names = {"-o", "--output"}, paramLabel = "SESSION.kview", required = true,
            description = "The session's folder, which must not exist.")
    private Path output;
    @Parameters(paramLabel = "CMD", arity = "0..*", description = "A program to start and measure, and its arguments.")
    private List<String> command = new ArrayList<>();

    RecordCommand(Console console) {
        this.console = console;
    }

    static final class FilterConverter implements ITypeConverter<Filter> {
        @Override
        public Filter convert(String text) {
            return Filter.ofId(text).orElseThrow(() -> new TypeConversionException(
                    "'" + text + "' is none of auto, view, in, post"));
        }
    }

    @Override
    public Integer call() throws Exception {
        Target host = target.target(console);
        RecordingResult result = new RecordingRun(console).run(host, new RecordingRequest(subject(), probes, List.of(),
                events, filter, Optional.ofNullable(duration), Duration.ZERO, output));
        return RecordedSession.print(console, result);
    }

    private Subject subject() {
        if ((pid == null) == command.isEmpty()) {
            throw new ParameterException(spec.commandLine(), pid == null
                    ? "Which process? Give --pid N, or -- and a command to start"
                    : "Give either --pid N or a command to start, not both");
        }
        if (pid == null) {
            // Another host has its own folders, and no business with what this shell's environment holds.
            return new Subject.Launch(target.isLocal()
                    ? new LaunchSpec(command, System.getenv(), Path.of("").toAbsolutePath().toString())
                    : new LaunchSpec(command, Map.of(), ""));
        }
        if (pid <= 0) {
            throw new ParameterException(spec.commandLine(), "No process has the number " + pid);
        }
        return new Subject.Attach(pid);
    }
}
