// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.kview.model.LatencyFormat;
import org.kview.model.ProbeSpec;
import org.kview.recording.FunctionSearch;
import org.kview.recording.FunctionSearch.Found;
import org.kview.recording.ProcessLookup;
import org.kview.targets.Agent;
import org.kview.targets.Target;
import org.kview.targets.local.LocalTarget;
import org.kview.targets.values.LaunchedProcess;
import org.kview.targets.values.ProcessListener;
import org.kview.targets.values.TargetException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists what could be probed. Attaches nothing, and lets no program run. */
@Command(name = "functions", sortOptions = false,
        header = "Lists the functions of a process, program or file that can be probed.",
        customSynopsis = {"kview functions [--target TARGET] (--pid N | --process NAME) [NAME]",
                "                [--all] [--json]",
                "kview functions [--target TARGET] FILE [NAME] [--all] [--json]",
                "kview functions [--target TARGET] [NAME] [--all] [--json] -- CMD..."},
        description = {"",
                "NAME is a name or a glob such as '*read*', which is looked for in all files that the process maps;"
                + " BIN:NAME looks in one of them. Without it the functions of the program itself are listed."
                + " Each is printed as 'kview record --probe' takes it, with how the end of a call would be seen."
                + " Nothing is attached. CMD is loaded with its libraries and ended before it runs.", ""},
        footer = {"", "Examples:", "  kview functions --pid 4242 '*price*'", "  kview functions --pid 4242 'libc:*read*'",
                "  kview functions /usr/bin/redis-server '*Command'", "  kview functions '*deflate*' -- python3 job.py"})
final class FunctionsCommand implements Callable<Integer> {
    private static final int SHOWN = 1000;
    /** A reply has to fit into a frame, whatever the names are. */
    private static final int MOST = 20_000;
    private static final int FILES_NAMED = 8;

    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Mixin
    private TargetOption target;
    @Option(names = "--pid", paramLabel = "N", description = "A process that runs.")
    private Integer pid;
    @Option(names = "--process", paramLabel = "NAME", description = "A process that runs, by the name of which there is one.")
    private String process;
    @Option(names = "--all", description = "Lists up to 20,000 functions of a file; else 1,000 in all.")
    private boolean all;
    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;
    @Parameters(paramLabel = "NAME", arity = "0..*", description = "What to look for, a file, and behind -- a program to load.")
    private List<String> words = new ArrayList<>();

    FunctionsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        List<String> program = words.subList(words.size() - behindDashes(), words.size());
        List<String> before = words.subList(0, words.size() - program.size());
        int ways = (pid == null ? 0 : 1) + (process == null ? 0 : 1) + (program.isEmpty() ? 0 : 1);
        boolean file = ways == 0 && !before.isEmpty();
        if (ways > 1 || ways == 0 && !file) {
            throw wrong(ways > 1 ? "Give one of --pid N, --process NAME or a command to start"
                    : "Functions of what? Give --pid N, --process NAME, a file, or -- and a command");
        }
        if (before.size() > (file ? 2 : 1)) {
            throw wrong("One name at a time; put a glob into quotes, and a command behind --");
        }
        if (pid != null && pid <= 0) {
            throw wrong("No process has the number " + pid);
        }
        Optional<String> pattern = before.stream().skip(file ? 1 : 0).findFirst();
        if (pattern.flatMap(ProbeSpec::parse).filter(named -> named.kind() == ProbeSpec.Kind.SYSTEM_CALL).isPresent()) {
            throw wrong("System calls are not listed here: man 2 syscalls names them, and --probe takes each as syscall:NAME");
        }
        Target host = target.target(console);
        console.progress(RecordingRun.starting(host.name()));
        try (Agent agent = host.connect()) {
            console.progress("looking the functions up ...");
            if (file) {
                return tell(agent, 0, FunctionSearch.inFile(agent, 0, path(before.getFirst()), pattern.orElse(FunctionSearch.ALL),
                        limit()), pattern);
            }
            long number = number(agent, host, program);
            return tell(agent, number, inProcess(agent, number, pattern), pattern);
        }
    }

    /** How many of the words stand behind "--" and so are a command. */
    private int behindDashes() {
        List<String> original = spec.root().commandLine().getParseResult().originalArgs();
        int dashes = original.indexOf("--");
        return dashes < 0 ? 0 : original.size() - dashes - 1;
    }

    private int limit() {
        return all ? MOST : SHOWN;
    }

    /** Makes a path absolute, unless it is one of another host. */
    private String path(String file) {
        return target.name().equals(LocalTarget.NAME) ? Path.of(file).toAbsolutePath().normalize().toString() : file;
    }

    private long number(Agent agent, Target host, List<String> program) throws TargetException, InterruptedException {
        ProcessLookup lookup = new ProcessLookup(agent, host.name());
        return pid != null ? lookup.byNumber(pid).pid() : process != null ? lookup.byName(process).pid()
                : loaded(agent, program);
    }

    private long loaded(Agent agent, List<String> program) throws TargetException, InterruptedException {
        LaunchedProcess loaded = agent.launch(RecordCommand.program(target.name(), program), new ProcessListener() {
            @Override
            public void output(boolean errorStream, byte[] bytes) {
                // The program is loaded but never run.
            }

            @Override
            public void exited(boolean signalled, int status) {
                // Expected: it is ended without having run.
            }
        });
        if (isScript(agent, loaded, fileName(program.getFirst()))) {
            console.say(program.getFirst() + " is a script that " + loaded.executable() + " runs, whose functions these are;"
                    + " of a program that it starts give the path, or its --pid");
        }
        return loaded.pid();
    }

    /** Whether an interpreter runs a script: the kernel puts the script's path behind its name and optional argument. */
    private static boolean isScript(Agent agent, LaunchedProcess loaded, String name) throws TargetException,
            InterruptedException {
        return agent.processes().stream().filter(p -> p.pid() == loaded.pid()).anyMatch(p -> p.arguments().size() > 1
                && !fileName(p.arguments().getFirst()).equals(name)
                && p.arguments().stream().skip(1).limit(2).anyMatch(argument -> fileName(argument).equals(name)));
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private Found inProcess(Agent agent, long number, Optional<String> pattern) throws TargetException, InterruptedException {
        if (pattern.isEmpty()) {
            return FunctionSearch.inFile(agent, number, "", FunctionSearch.ALL, limit());
        }
        Optional<ProbeSpec> inOne = ProbeSpec.parse(pattern.get());
        return inOne.isPresent() ? FunctionSearch.inFile(agent, number, inOne.get().binary(), inOne.get().pattern(), limit())
                : FunctionSearch.inProcess(agent, number, pattern.get(), limit());
    }

    private int tell(Agent agent, long number, Found found, Optional<String> pattern) throws TargetException,
            InterruptedException {
        FunctionsReport report = new FunctionsReport(target.name(), number, pattern.orElse(FunctionSearch.ALL), found);
        if (json) {
            console.json(report.json());
            return ExitCode.DONE;
        }
        console.result(report.text());
        found.unsearched().forEach(why -> console.say("not searched: " + why));
        if (found.total() > found.functions().size()) {
            console.say(LatencyFormat.count(found.functions().size()) + " of " + LatencyFormat.count(found.total()) + " shown; "
                    + (all ? "" : "--all shows more, ") + "a glob such as '*name*' fewer");
        }
        if (number != 0 && pattern.isEmpty()) {
            others(agent.mappedFiles(number), found).ifPresent(console::say);
        }
        return ExitCode.DONE;
    }

    /** Where else functions are. */
    private static Optional<String> others(List<String> mapped, Found found) {
        List<String> names = mapped.stream().distinct().filter(path -> !found.searched().contains(path))
                .map(FunctionsCommand::fileName).toList();
        return names.isEmpty() ? Optional.empty() : Optional.of("these are the program's own functions; it also maps "
                + String.join(", ", names.stream().limit(FILES_NAMED).toList())
                + (names.size() > FILES_NAMED ? " and " + (names.size() - FILES_NAMED) + " more" : "") + ". '" + names.getFirst()
                + ":*' lists the functions of one, a name or glob without a file looks in all");
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
