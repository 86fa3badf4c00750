// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.HelpOption;
import org.kview.compare.Comparer;
import org.kview.compare.Comparison;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what differs between two sessions, or between two groups of them. */
@Command(name = "compare", sortOptions = false,
        header = "Tells what changed from one session, or group of sessions, to another.",
        customSynopsis = {"kview compare A.kview B.kview [OPTIONS]",
                "kview compare --a A.kview... --b B.kview... [OPTIONS]"},
        description = {"", "Two sessions show how these two differ. Three and more a side, recorded in turns (A B A B A B),"
                + " show whether the program changed: recordings of the same program differ, too.",
                "Without an option it prints a table, what changed most first.", ""},
        footer = {"", "Examples:", "  kview compare before.kview after.kview",
                "  kview compare --a old-1.kview old-2.kview old-3.kview --b new-1.kview new-2.kview new-3.kview",
                "  kview compare --a old-?.kview --b new-?.kview --html change.html",
                "  kview compare --a old-?.kview --b new-?.kview --fail-on-regression=10 || echo slower",
                "'kview compare-programs' records two programs in turns and compares them."})
public final class CompareCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Parameters(arity = "0..2", paramLabel = "A.kview B.kview",
            description = "One session before and one after: folders, or zips of them.")
    private List<Path> pair = List.of();
    @Option(names = "--a", paramLabel = "A.kview", arity = "1..*", description = "Sessions before, two or more.")
    private List<Path> before = List.of();
    @Option(names = "--b", paramLabel = "B.kview", arity = "1..*", description = "Sessions after, two or more.")
    private List<Path> after = List.of();
    @Mixin
    private Judgement judgement;
    @Option(names = "--single", description = "Lets --fail-on-regression judge by fewer sessions a side, by several of one process,"
            + " or by sessions not recorded in turns. That fails now and then where nothing changed.")
    private boolean single;

    public CompareCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        check();
        boolean isPair = !pair.isEmpty();
        Comparison comparison = Comparer.compare(Judgement.read("A", isPair ? pair.subList(0, 1) : before, console),
                Judgement.read("B", isPair ? pair.subList(1, 2) : after, console), judgement.minimumEffect(), () -> false);
        if (judgement.isGate() && !single && !comparison.isEnough()) {
            throw wrong(!comparison.isIndependent() ? "--fail-on-regression takes recordings of a process each, because processes"
                    + " of the same program differ, too, and of these several are of one; start the program anew for each (kview"
                    + " record ... -- CMD), or judge by them with --single"
                    : "--fail-on-regression takes recordings that were made in turns, A B A B A B, because what changes on the"
                            + " host meanwhile looks like a change of the program; kview"
                            + " compare-programs records so; or judge by these with --single");
        }
        return judgement.tell(console, comparison);
    }

    private void check() {
        judgement.check();
        boolean groups = !before.isEmpty() || !after.isEmpty();
        if (groups && !pair.isEmpty()) {
            throw wrong("Give two sessions, or groups of them with --a and --b, not both: " + pair.getFirst()
                    + " belongs to no group");
        }
        if (!groups && pair.size() != 2) {
            throw wrong("Which sessions? Give two, or several a side with --a and --b");
        }
        int a = groups ? before.size() : 1;
        int b = groups ? after.size() : 1;
        if (!Comparer.isComparable(a, b)) {
            throw wrong("There are " + a + " sessions of A and " + b + " of B: give one of each, or two and more of each;"
                    + " three and more can show a change");
        }
        if (judgement.isGate() && Math.min(a, b) < Comparer.ENOUGH_RECORDINGS && !single) {
            throw wrong("--fail-on-regression takes three sessions or more with each of --a and"
                    + " --b, because recordings of the same program differ, too; --single does it with fewer");
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
