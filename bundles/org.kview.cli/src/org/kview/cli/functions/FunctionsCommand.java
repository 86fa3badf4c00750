// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.targets.TargetOption;
import org.kview.model.LatencyFormat;
import org.kview.model.ProbeSpec;
import org.kview.recording.FunctionSearch;
import org.kview.recording.FunctionSearch.Found;
import org.kview.recording.ProcessLookup;
import org.kview.targets.Agent;
import org.kview.targets.StaticProbes;
import org.kview.targets.Target;
import org.kview.targets.local.LocalTarget;
import org.kview.targets.values.LaunchedProcess;
import org.kview.targets.values.ProcessListener;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists what could be probed. Attaches nothing to the process, and lets no program run. */
@Command(name = "functions", sortOptions = false,
        header = "Lists the functions of a process, program or file that can be probed.",
        customSynopsis = {"kview functions [--target TARGET] (--pid N | --process NAME) [--binary BIN] [NAME]",
                "                [--cost] [--limit N | --all] [--json | --csv]",
                "kview functions [--target TARGET] FILE [NAME] [--cost] [--limit N | --all] [--json | --csv]",
                "kview functions [--target TARGET] [--binary BIN] [NAME] [--cost] [--limit N | --all]",
                "                [--json | --csv] -- CMD...",
                "kview functions [--target TARGET] [--pid N | --process NAME] usdt:BIN:PROVIDER:NAME [--limit N | --all]",
                "                [--json | --csv] [-- CMD...]"},
        description = {"",
                "NAME is a name or a glob such as '*read*', which is looked for in all files that the process maps;"
                + " BIN:NAME looks in one of them. Each function is printed as 'kview record --probe' takes it, with how the"
                + " end of a call would be seen. Without NAME the functions of each file are counted, or those of BIN or FILE"
                + " are listed. Nothing is attached to the process. CMD is loaded with its libraries and ended before it"
                + " runs. usdt:BIN:PROVIDER:NAME lists static probes (USDT), by globs such as usdt:BIN:*:*.", ""},
        footer = {"", "Examples:", "  kview functions --pid 4242", "  kview functions --pid 4242 '*price*' --cost",
                "  kview functions --pid 4242 'libc:*read*'", "  kview functions /usr/bin/redis-server '*Command'",
                "  kview functions '*deflate*' -- python3 job.py", "  kview functions --pid 4242 'usdt:libstdc++:*:*'"})
public final class FunctionsCommand implements Callable<Integer> {
    private static final int SHOWN = 1000;
    private static final String ONE_OF = "Give one of --pid N, --process NAME or a command to start";
    /** A reply has to fit into a frame, whatever the names are. */
    static final int MOST = 20_000;

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
    @Option(names = "--binary", paramLabel = "BIN", description = "Only the functions of this file: a path, or the name of the"
            + " program or of a library, as before the colon of --probe.")
    private String binary;
    @Option(names = "--cost", description = "Measures first, for about a second, what probes cost there, with a process of the"
            + " agent's own, and prints what they would add to each call.")
    private boolean cost;
    @ArgGroup
    private Limit limit = new Limit();
    @ArgGroup
    private Form form = new Form();
    @Parameters(paramLabel = "NAME", arity = "0..*", description = "What to look for, a file, and behind -- a program to load.")
    private List<String> words = new ArrayList<>();

    private static final class Limit {
        @Option(names = "--limit", paramLabel = "N", description = "Lists the first N by file and name, 1,000 if not given and"
                + " 20,000 at most. Where functions are counted: looks of how many of a file whether they can be probed, all"
                + " 20,000 if not given.")
        private Integer number;
        @Option(names = "--all", description = "As --limit 20000.")
        private boolean all;
    }

    private static final class Form {
        @Option(names = "--json", description = "Prints JSON, times in ns.")
        private boolean json;
        @Option(names = "--csv", description = "Prints a table for spreadsheets, times in ns.")
        private boolean csv;
    }

    public FunctionsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        List<String> program = words.subList(words.size() - behindDashes(), words.size());
        List<String> before = words.subList(0, words.size() - program.size());
        Optional<ProbeSpec> staticProbes = before.size() == 1 && binary == null ? ProbeSpec.parse(before.getFirst())
                .filter(named -> named.kind() == ProbeSpec.Kind.USDT) : Optional.empty();
        if (staticProbes.isPresent()) {
            return listStaticProbes(staticProbes.get(), program);
        }
        FunctionsWanted wanted = wanted(program, before);
        int most = limit.number != null ? limit.number : limit.all || wanted.isCount() ? MOST : SHOWN;
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            long number = wanted.ofFile() ? 0 : number(agent, host, program);
            String costNote = cost ? measureCosts(agent) : "";
            console.progress("looking the functions up ...");
            Found found = wanted.ask(agent, number, most);
            FunctionsReport report = new FunctionsReport(target.name(), number, wanted.name().isEmpty() ? FunctionSearch.ALL
                    : before.getLast(), found, new BinaryNames(number == 0 ? List.of() : agent.mappedFiles(number), found),
                    costNote);
            new FunctionsTeller(console, report, wanted.isCount()).tell(form.json, form.csv);
            return ExitCode.DONE;
        }
    }

    private int listStaticProbes(ProbeSpec wanted, List<String> program) throws Exception {
        boolean ofFile = ways(program) == 0;
        if (ways(program) > 1) {
            throw wrong(ONE_OF);
        }
        if (cost) {
            throw wrong("--cost is of functions; what hits of static probes cost is measured when they are recorded");
        }
        checkNumbers();
        Target host = target.target(console);
        try (Agent agent = TargetOption.connect(host, console)) {
            long number = ofFile ? 0 : number(agent, host, program);
            String file = path(wanted.binary(), ofFile);
            console.progress("looking the static probes up ...");
            int most = limit.number != null ? limit.number : limit.all ? MOST : SHOWN;
            StaticProbesReport report = new StaticProbesReport(target.name(), number, wanted,
                    StaticProbes.find(agent, number, file, wanted.pattern(), most), most);
            report.tell(console, form.json, form.csv);
            return ExitCode.DONE;
        }
    }

    private int ways(List<String> program) {
        return (pid == null ? 0 : 1) + (process == null ? 0 : 1) + (program.isEmpty() ? 0 : 1);
    }

    private void checkNumbers() {
        if (pid != null && pid <= 0) {
            throw wrong("No process has the number " + pid);
        }
        if (limit.number != null && (limit.number < 1 || limit.number > MOST)) {
            throw wrong("--limit takes a number from 1 to " + LatencyFormat.count(MOST) + ", not " + limit.number);
        }
    }

    private FunctionsWanted wanted(List<String> program, List<String> before) {
        int ways = ways(program);
        boolean ofFile = ways == 0 && (binary != null || !before.isEmpty());
        if (ways > 1 || ways == 0 && !ofFile) {
            throw wrong(ways > 1 ? ONE_OF
                    : "Functions of what? Give --pid N, --process NAME, a file, or -- and a command");
        }
        boolean isFileFirst = ofFile && binary == null;
        if (before.size() > (isFileFirst ? 2 : 1)) {
            throw wrong("One name at a time; put a glob into quotes, and a command behind --");
        }
        if (binary != null && binary.isBlank() || before.stream().anyMatch(String::isBlank)) {
            throw wrong("No file and no function has an empty name");
        }
        checkNumbers();
        Optional<String> name = before.stream().skip(isFileFirst ? 1 : 0).findFirst();
        if (binary != null || isFileFirst) {
            return new FunctionsWanted(ofFile, path(isFileFirst ? before.getFirst() : binary, ofFile), name);
        }
        Optional<ProbeSpec> inOne = name.flatMap(ProbeSpec::parse);
        if (inOne.filter(named -> named.kind() == ProbeSpec.Kind.SYSTEM_CALL).isPresent()) {
            throw wrong("System calls are not listed here: man 2 syscalls names them, and --probe takes each as syscall:NAME");
        }
        if (inOne.filter(named -> named.kind() == ProbeSpec.Kind.KERNEL_FUNCTION).isPresent()) {
            throw wrong("Functions of the kernel are not listed here: --probe takes them as kernel:FUNC, by name or glob,"
                    + " and tells names like one that is wrong");
        }
        if (inOne.filter(named -> named.kind() == ProbeSpec.Kind.TRACEPOINT).isPresent()) {
            throw wrong("Tracepoints are not listed here: --probe takes them as tracepoint:SYSTEM:NAME, by name or glob, and tells"
                    + " names like one that is wrong");
        }
        FunctionsWanted wanted = inOne.map(named -> new FunctionsWanted(false, path(named.binary(), false),
                Optional.of(named.pattern()))).orElse(new FunctionsWanted(false, "", name));
        if (cost && wanted.isCount()) {
            throw wrong("--cost is of functions that are listed: give a name, a glob or --binary with it");
        }
        return wanted;
    }

    /**
     * Has the agent measure what probes cost, which it then tells of each function.
     *
     * @return one sentence where the costs are uncertain, or not known; otherwise empty
     */
    private String measureCosts(Agent agent) throws TargetException, InterruptedException {
        console.progress("measuring what probes cost ...");
        try {
            return agent.calibrate(false).note();
        } catch (TargetException e) {
            if (e.kind() == Kind.CONNECTION_LOST || e.kind() == Kind.NOT_REACHED) {
                throw e;
            }
            return "What probes cost could not be measured: " + e.getMessage();
        }
    }

    /** How many of the words stand behind "--", and so belong to a command. */
    private int behindDashes() {
        List<String> original = spec.root().commandLine().getParseResult().originalArgs();
        int dashes = original.indexOf("--");
        return dashes < 0 ? 0 : original.size() - dashes - 1;
    }

    /**
     * Makes a path absolute, unless it is a path on another host. A text without a slash counts as a path only if it can't
     * be anything else.
     */
    private String path(String file, boolean isPath) {
        return target.name().equals(LocalTarget.NAME) && (isPath || file.contains("/"))
                ? Path.of(file).toAbsolutePath().normalize().toString() : file;
    }

    private long number(Agent agent, Target host, List<String> program) throws TargetException, InterruptedException {
        ProcessLookup lookup = new ProcessLookup(agent, host.name());
        return pid != null ? lookup.byNumber(pid).pid() : process != null ? lookup.byName(process).pid()
                : loaded(agent, program);
    }

    private long loaded(Agent agent, List<String> program) throws TargetException, InterruptedException {
        LaunchedProcess loaded = agent.launch(TargetOption.program(target.name(), program), new ProcessListener() {
            @Override
            public void output(boolean errorStream, byte[] bytes) {
                // The program is loaded but never run.
            }

            @Override
            public void exited(boolean signalled, int status) {
                // Expected: it is ended without having run.
            }
        });
        if (isScript(agent, loaded, BinaryNames.fileName(program.getFirst()))) {
            console.say(program.getFirst() + " is a script that " + loaded.executable() + " runs, whose functions these are;"
                    + " of a program that it starts give the path, or its --pid");
        }
        return loaded.pid();
    }

    /**
     * Whether an interpreter runs a script: the kernel puts the script's path after the interpreter's name and its optional
     * argument.
     */
    private static boolean isScript(Agent agent, LaunchedProcess loaded, String name) throws TargetException,
            InterruptedException {
        return agent.processes().stream().filter(p -> p.pid() == loaded.pid()).anyMatch(p -> p.program().arguments().size() > 1
                && !BinaryNames.fileName(p.program().arguments().getFirst()).equals(name)
                && p.program().arguments().stream().skip(1).limit(2).anyMatch(argument -> BinaryNames.fileName(argument).equals(name)));
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
