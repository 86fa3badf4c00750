// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.DurationConverter;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.targets.TargetOption;
import org.kview.model.ProbeSpec;
import org.kview.recording.ConnectedHosts;
import org.kview.recording.RecordingRequest;
import org.kview.recording.RecordingResult;
import org.kview.recording.ScopeSpec;
import org.kview.targets.local.LocalTarget;
import org.kview.targets.values.SurveySpec;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Records a process into a session. */
@Command(name = "record", sortOptions = false,
        header = "Measures functions or system calls of a process and writes a session.",
        customSynopsis = {"kview record [--target TARGET]...",
                "             (--pid N... | --process NAME | --cgroup PATH | -- CMD...)",
                "             (--probe BIN:FUNC... | --suggested[=TIME])",
                "             [--follow] [--duration TIME] [--filter FILTER] [--events]",
                "             [--grace TIME] [--budget PERCENT|none] [--return-probes]",
                "             [--probe-way auto|trap|jump]",
                "             [--no-trial] [--verbose] [--all] [--repeat N] -o SESSION.kview"},
        description = {"",
                "Ends when the process ends, after --duration, or at Ctrl-C, and keeps the session each time."
                + " With a command the probes are in place before the first instruction of its main, its output"
                + " is passed through, and it is sent SIGTERM if it still runs when the recording ends.", "",
                "'kview functions' lists what --probe can be given.", "", "With several targets the same functions are measured on all of them, into one session.", ""},
        footer = {"", "Examples:",
                "  kview record --pid 4242 --probe libc.so.6:malloc --duration 10s -o malloc.kview",
                "  kview record --probe 'shop:price_*' --events -o shop.kview -- ./shop --port 8080",
                "  kview record --pid 4242 --probe 'shop:Basket::total' -o basket.kview",
                "  kview record --pid 4242 --probe syscall:fsync --probe syscall:fdatasync -o sync.kview",
                "  kview record --suggested --pid 4242 --duration 10s -o slow.kview",
                "  kview record --cgroup nginx.service --probe nginx:ngx_http_process_request --duration 10s -o nginx.kview",
                "  kview record --target web-1 --target web-2 --process shop --probe shop:pay -o web.kview"})
public final class RecordCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Option(names = "--target", paramLabel = "TARGET", defaultValue = LocalTarget.NAME,
            description = {"The host: local, which is this machine and the default, or [user@]host[:port], which is"
                    + " reached as ssh would reach it. May be given several times."})
    private List<String> targets = List.of();
    @Option(names = "--pid", paramLabel = "N",
            description = "The process to measure; with several targets one for each, in their order.")
    private List<Integer> pids = List.of();
    @Option(names = "--process", paramLabel = "NAME",
            description = "The process to measure, by the name of which there is one on each target.")
    private String process;
    @Option(names = "--cgroup", paramLabel = "PATH",
            description = {"All processes that are in a cgroup (version 2) or in one below it, now and later: its path, as in"
                    + " /system.slice/nginx.service, or one part of the path if no other cgroup has it, as in nginx.service or a"
                    + " container's id. For root. BIN of a probe is a program or library of any of them. Processes outside that run"
                    + " the same files pay for the probes as well."})
    private String cgroup;
    @ArgGroup(multiplicity = "1")
    private What what;
    @Mixin
    private RecordingSettings settings;
    @Option(names = "--no-trial",
            description = {"Without the second before the recording in which the calls of a process that runs already are"
                    + " counted, and what their probes will cost it is told."})
    private boolean withoutTrial;
    @Option(names = {"-v", "--verbose"}, description = "Tells what the trial found of each function, the most expensive"
                    + " first.")
    private boolean verbose;
    @Option(names = "--all", description = "Lists functions that were never called, too.")
    private boolean all;
    @Option(names = "--repeat", paramLabel = "N", defaultValue = "1",
            description = "Records N times, into SESSION-1.kview and so on, for kview compare --a and --b. A command is"
                    + " started anew each time; a process is recorded for --duration N times.")
    private int repeat;
    @Option(names = {"-o", "--output"}, paramLabel = "SESSION.kview", required = true,
            description = "The session's folder, which must not exist.")
    private Path output;
    @Parameters(paramLabel = "CMD", arity = "0..*", description = "A program to start and measure, and its arguments.")
    private List<String> command = new ArrayList<>();

    private static final class What {
        @Option(names = "--probe", paramLabel = "BIN:FUNC", converter = ProbeConverter.class,
                description = {"A function: BIN is a path, or the base name of a program or library that the process maps;"
                        + " FUNC an exact name, a demangled name or a glob. Or syscall:NAME, system calls, for root and"
                        + " whom root allows it; kernel:FUNC, functions of the kernel, for root, where it lets them be"
                        + " probed; tracepoint:SYSTEM:NAME, hits of the kernel's tracepoints, or usdt:BIN:PROVIDER:NAME, hits of static probes (USDT) of a"
                        + " program or library, both for root; each by name or glob. usdt:BIN:PROVIDER:BEGIN..END, calls from one static probe"
                        + " to another. Points of several of these kinds together have no --events. May be given several times."})
        private List<ProbeSpec> probes = List.of();
        @Option(names = "--suggested", paramLabel = "TIME", arity = "0..1", fallbackValue = "5s", converter = DurationConverter.class,
                description = "Instead of --probe: surveys the process for TIME, 5s if not given, and measures the functions that"
                        + " 'kview survey' would suggest, as far as their probes fit the budget. Of one process that runs already.")
        private Duration suggested;
    }

    public RecordCommand(Console console) {
        this.console = console;
    }

    /** Also where not all arguments were understood. */
    public boolean startsProgram() {
        return !command.isEmpty();
    }

    @Override
    public Integer call() throws Exception {
        List<ScopeSpec> scopes = scopes();
        List<ConnectedHosts.Host> hosts = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            hosts.add(new ConnectedHosts.Host(TargetOption.target(targets.get(i), console), scopes.get(i)));
        }
        settings.warn(console);
        List<Path> outputs = Repetition.outputs(output, repeat);
        if (repeat > 1) {
            Repetition.existing(outputs).ifPresent(path -> {
                throw wrong(path + " exists already; nothing was recorded");
            });
        }
        Path parent = output.toAbsolutePath().normalize().getParent();
        if (parent != null && !Files.exists(parent)) {
            console.say("the folder " + parent + " does not exist and is created");
        }
        return Repetition.run(console, outputs, one -> record(hosts, one));
    }

    private Optional<Integer> record(List<ConnectedHosts.Host> hosts, Path one) throws Exception {
        RecordingRun run = new RecordingRun(console, new RecordingTeller(console, settings.budget(), verbose));
        RecordingResult result = run.run(hosts, new RecordingRequest(what.probes, List.of(), one,
                settings.options().trial(!withoutTrial).survey(Optional.ofNullable(what.suggested)).build()));
        withoutTrial = true; // of several recordings, only the first one says it
        int code = RecordedSession.print(console, result, all);
        return run.isSignalled() && code == ExitCode.DONE ? Optional.empty() : Optional.of(code);
    }

    /** Whom to measure on each of the targets. */
    private List<ScopeSpec> scopes() {
        if (targets.stream().distinct().count() < targets.size()) {
            throw wrong("Each target once: " + String.join(", ", targets));
        }
        if (repeat < 1) {
            throw wrong("--repeat takes a number from 1 on, not " + repeat);
        }
        checkSuggested();
        if (repeat > 1 && settings.duration().isEmpty() && command.isEmpty()) {
            throw wrong("--repeat takes --duration with a process that runs already: a recording without it ends with the"
                    + " process, and there is none left to repeat it");
        }
        int ways = (pids.isEmpty() ? 0 : 1) + (process == null ? 0 : 1) + (cgroup == null ? 0 : 1) + (command.isEmpty() ? 0 : 1);
        if (ways != 1) {
            throw wrong(ways == 0 ? "Which process? Give --pid N, or --process NAME, or --cgroup PATH, or -- and a command to start"
                    : "Give one of --pid N, --process NAME, --cgroup PATH or a command to start");
        }
        if (settings.children() && (cgroup != null || what.suggested != null)) {
            throw wrong(cgroup != null ? "--follow is of a process: children of a cgroup's processes are in it, and measured anyway"
                    : "--follow is of system calls, functions of the kernel and tracepoints, and --suggested finds functions of the program:"
                    + " record one without the other");
        }
        if (cgroup != null) {
            if (cgroup.isBlank()) {
                throw wrong("No cgroup has an empty name");
            }
            return Collections.nCopies(targets.size(), new ScopeSpec.Cgroup(cgroup));
        }
        if (process != null) {
            if (process.isBlank()) {
                throw wrong("No process has an empty name");
            }
            return Collections.nCopies(targets.size(), new ScopeSpec.Named(process));
        }
        if (pids.isEmpty()) {
            return targets.stream().<ScopeSpec>map(target -> new ScopeSpec.Launch(TargetOption.program(target, command))).toList();
        }
        if (pids.size() != targets.size()) {
            throw wrong("Give --pid once for each target, or --process NAME: there are " + targets.size()
                    + " targets and " + pids.size() + " numbers");
        }
        pids.stream().filter(pid -> pid <= 0).findFirst().ifPresent(pid -> {
            throw wrong("No process has the number " + pid);
        });
        return pids.stream().<ScopeSpec>map(pid -> new ScopeSpec.Attach(pid)).toList();
    }

    private void checkSuggested() {
        Duration suggested = what.suggested;
        if (suggested == null) {
            return;
        }
        if (suggested.compareTo(SurveySpec.LONGEST) > 0 || suggested.toMillis() == 0) {
            throw wrong("A survey lasts from 1ms to 10m");
        }
        if (!command.isEmpty() || cgroup != null || targets.size() > 1 || repeat > 1) {
            throw wrong("--suggested surveys one process that runs already, for one recording: give --pid N or --process NAME, of"
                    + " one target and without --repeat");
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
