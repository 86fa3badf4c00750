// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.recording.ProbeConverter;
import org.kview.cli.recording.RecordingSettings;
import org.kview.cli.targets.TargetOption;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;
import org.kview.model.ProbeSpec;
import org.kview.recording.ConnectedHosts;
import org.kview.recording.ScopeSpec;
import org.kview.session.SessionException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Records two programs in turns and tells what changed from one to the other. */
@Command(name = "compare-programs", sortOptions = false,
        header = "Records two programs in turns, and tells what changed from one to the other.",
        customSynopsis = {"kview compare-programs --a CMD --b CMD --probe BIN:FUNC... -o FOLDER",
                "             [--recordings N] [--duration TIME] [--seed N] [--probe-a BIN:FUNC]...",
                "             [--probe-b BIN:FUNC]... [--target TARGET] [--filter FILTER] [--events]",
                "             [--grace TIME] [--budget PERCENT|none] [--return-probes]",
                "             [--show-output] [--ignore-failure] [--min-effect PERCENT]",
                "             [--json | --html FILE] [--fail-on-regression[=PERCENT]]"},
        description = {"", "Starts A and B alternately, each several times, and writes a session each time. In each pair"
                + " of recordings either A or B comes first, at random. Then it prints what 'kview compare' says of the"
                + " two groups.", "",
                "Stops at the first recording or program that fails. Ctrl-C ends the present recording, no other follows,"
                + " and those before it are compared. All sessions are kept.", ""},
        footer = {"", "Examples:",
                "  kview compare-programs --a 'old/shop --port 80' --b 'new/shop --port 80' --probe 'shop:price_*' \\",
                "        --duration 20s -o change",
                "  kview compare-programs --a './sort-old data' --b './sort-new data' --probe-a sort-old:merge \\",
                "        --probe-b sort-new:merge -n 8 -o change --fail-on-regression=5"})
public final class CompareProgramsCommand implements Callable<Integer> {
    private static final String USUAL_RECORDINGS = "5";
    private static final int MOST_RECORDINGS = 1000;
    private static final int SEEDS = 1_000_000;

    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Option(names = "--a", paramLabel = "CMD", required = true, converter = CommandWords.Converter.class,
            description = "The program before the change and its arguments, as one argument that is quoted. It is cut into"
                    + " words as by a shell, but no shell runs it.")
    private CommandWords before;
    @Option(names = "--b", paramLabel = "CMD", required = true, converter = CommandWords.Converter.class,
            description = "The program after the change, likewise.")
    private CommandWords after;
    @Option(names = "--probe", paramLabel = "BIN:FUNC", converter = ProbeConverter.class,
            description = "A function of both programs, as with 'kview record'. May be given several times.")
    private List<ProbeSpec> probes = List.of();
    @Option(names = "--probe-a", paramLabel = "BIN:FUNC", converter = ProbeConverter.class,
            description = "A function of A only: if the two files have different names, for example.")
    private List<ProbeSpec> probesA = List.of();
    @Option(names = "--probe-b", paramLabel = "BIN:FUNC", converter = ProbeConverter.class,
            description = "A function of B only.")
    private List<ProbeSpec> probesB = List.of();
    @Option(names = {"-n", "--recordings"}, paramLabel = "N", defaultValue = USUAL_RECORDINGS,
            description = "How many recordings of each program: " + USUAL_RECORDINGS + " if not given, at least 3.")
    private int recordings;
    @Option(names = "--seed", paramLabel = "N", description = "Gives the random order of an earlier comparison again.")
    private Long seed;
    @Mixin
    private TargetOption host;
    @Mixin
    private RecordingSettings settings;
    @Option(names = "--show-output", description = "Shows what the programs print, on standard error.")
    private boolean showOutput;
    @Option(names = "--ignore-failure", description = "Goes on if a program ends with a status other than 0.")
    private boolean ignoreFailure;
    @Option(names = {"-o", "--output"}, paramLabel = "FOLDER", required = true,
            description = "A new folder for the sessions: a-1.kview, b-1.kview and so on.")
    private Path folder;
    @Mixin
    private Judgement judgement;

    public CompareProgramsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        check();
        settings.warn(console);
        long used = seed == null ? new Random().nextInt(SEEDS) : seed;
        List<Turn> order = Turn.order(recordings, used);
        console.say(order.size() + " recordings in the order " + Turn.text(order) + " (--seed " + used + ")");
        ProgramTurns turns = new ProgramTurns(console, folder, settings, showOutput, ignoreFailure,
                side(before, probes, probesA), side(after, probes, probesB));
        boolean failed = turns.record(order);
        if (failed) {
            console.say(kept(turns.made()));
            return ExitCode.FAILED;
        }
        return compare(turns, order.size());
    }

    private ProgramTurns.Side side(CommandWords command, List<ProbeSpec> both, List<ProbeSpec> own) throws Exception {
        List<ProbeSpec> all = new ArrayList<>(both);
        all.addAll(own);
        return new ProgramTurns.Side(command, all, List.of(new ConnectedHosts.Host(host.target(console),
                new ScopeSpec.Launch(TargetOption.program(host.name(), command.words())))));
    }

    private int compare(ProgramTurns turns, int wanted) throws SessionException {
        List<Path> a = turns.sessions(true);
        List<Path> b = turns.sessions(false);
        boolean whole = a.size() + b.size() == wanted;
        if (!whole) {
            console.say("ended after " + (a.size() + b.size()) + " of " + wanted + " recordings");
        }
        if (!Comparer.isComparable(a.size(), b.size()) || a.size() == 1) {
            console.say("that is too few to compare: there must be two of each program at least");
            return ExitCode.FAILED;
        }
        Comparison comparison = Comparer.compare(Judgement.read("A", a, console), Judgement.read("B", b, console),
                judgement.minimumEffect(), () -> false);
        int code = judgement.tell(console, comparison);
        console.say("kview compare --a " + folder.resolve("a-*.kview") + " --b " + folder.resolve("b-*.kview")
                + " compares these recordings again");
        if (judgement.isGate() && !(whole && comparison.isEnough())) {
            console.say(whole ? "these recordings can't show a change: see the warnings"
                    : "a comparison that was ended early can't show that nothing became slower");
            return ExitCode.FAILED;
        }
        return code;
    }

    private String kept(int made) {
        return made == 0 ? "nothing was recorded" : made == 1 ? "the recording before it is kept in " + folder
                : "the " + made + " recordings before it are kept in " + folder;
    }

    private void check() throws IOException {
        judgement.check();
        if (recordings < Comparer.ENOUGH_RECORDINGS || recordings > MOST_RECORDINGS) {
            throw wrong("--recordings takes a number from " + Comparer.ENOUGH_RECORDINGS + " to " + MOST_RECORDINGS + ", not "
                    + recordings + ": fewer can't show that a program changed");
        }
        if (probes.isEmpty() && (probesA.isEmpty() || probesB.isEmpty())) {
            throw wrong("Which functions? Give --probe, or both of --probe-a and --probe-b");
        }
        if (!isFree(folder)) {
            throw wrong(folder + " exists already, and is no empty folder; nothing was recorded");
        }
    }

    private static boolean isFree(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
