// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.kview.cli.compare.CompareCommand;
import org.kview.cli.compare.CompareProgramsCommand;
import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.flow.FlowCommand;
import org.kview.cli.functions.FunctionsCommand;
import org.kview.cli.recording.DemoCommand;
import org.kview.cli.recording.ImportCommand;
import org.kview.cli.recording.RecordCommand;
import org.kview.cli.sessions.CallsCommand;
import org.kview.cli.sessions.ExportCommand;
import org.kview.cli.sessions.OpenCommand;
import org.kview.cli.sessions.ReportCommand;
import org.kview.cli.survey.SurveyCommand;
import org.kview.cli.targets.CleanCommand;
import org.kview.cli.targets.CountCommand;
import org.kview.cli.targets.DoctorCommand;
import org.kview.cli.targets.Rights;
import org.kview.cli.targets.ViewsCommand;
import org.kview.session.SessionException;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The whole command line: hands on to a command, and turns what it throws into an exit code. */
@Command(name = "kview", synopsisSubcommandLabel = "COMMAND", mixinStandardHelpOptions = true,
        header = "Measures functions of running programs, and where their time goes.",
        description = {"", "Without a command the workbench opens.", ""},
        subcommands = {DemoCommand.class, DoctorCommand.class, SurveyCommand.class, FunctionsCommand.class,
                RecordCommand.class, ReportCommand.class, CallsCommand.class, CompareCommand.class,
                CompareProgramsCommand.class, ExportCommand.class, ImportCommand.class, OpenCommand.class, FlowCommand.class,
                ViewsCommand.class, CountCommand.class, CleanCommand.class},
        footer = {"", "Exit codes: 0 done; 1 failed; 2 wrong arguments; 3 target not reached;",
                "4 the target can't do it.", "",
                "'kview COMMAND --help' explains a command and gives examples."})
public final class KviewCommand implements Runnable {
    private static final int USAGE_COLUMNS = 100;

    private final Console console;
    private final CommandLine line;

    @Spec
    private CommandSpec spec;

    /** @param version asked for only when somebody wants to know it */
    public KviewCommand(Console console, Supplier<String> version) {
        this.console = console;
        this.line = new CommandLine(this, new CommandFactory(console));
        line.getCommandSpec().versionProvider(() -> new String[] {"Kview Workbench " + version.get()});
        line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        line.setParameterExceptionHandler((e, arguments) -> wrongArguments(e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, parsed));
        line.setUsageHelpWidth(Math.min(USAGE_COLUMNS, console.tableStyle().width()));
    }

    /** The parser of the arguments. */
    public CommandLine line() {
        return line;
    }

    /** @return an {@link ExitCode} */
    public int run(List<String> arguments) {
        int code = line.execute(arguments.toArray(String[]::new));
        Optional<String> failure = console.failure();
        if (failure.isEmpty()) {
            return code;
        }
        console.say("The result could not be written to standard output (" + failure.get()
                + "); make room there, or write it elsewhere");
        return code == ExitCode.DONE ? ExitCode.FAILED : code;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing");
    }

    private int wrongArguments(ParameterException e) {
        console.say(e instanceof UnmatchedArgumentException unmatched ? notUnderstood(unmatched)
                : e.getMessage().replaceFirst("^Error: ", "").replaceFirst(" is not an? (int|long)$", " is no whole number"));
        if (e instanceof CallsCommand.WrongFilter wrong) {
            console.point(wrong.text(), wrong.column());
        }
        console.say("'" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help' tells what is understood");
        return ExitCode.WRONG_ARGUMENTS;
    }

    private static String notUnderstood(UnmatchedArgumentException e) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        String first = e.getUnmatched().getFirst();
        if (!e.isUnknownOption()) {
            return command.subcommands().isEmpty() ? "Unexpected argument '" + first + "'"
                    : "Unknown command '" + first + "'; " + instead(first, e.getSuggestions(), command.subcommands().keySet());
        }
        boolean startsOne = command.userObject() instanceof RecordCommand record && record.startsProgram();
        return "Unknown option: '" + first + "'" + (startsOne
                ? "; options of a program that is started go behind --, as in -- ls -l" : "");
    }

    /** Own suggestions: picocli calls words similar that have any two letters in common. */
    private static String instead(String word, List<String> similar, Set<String> all) {
        List<String> near = similar.stream().filter(name -> name.regionMatches(0, word, 0, 1)).toList();
        return near.isEmpty() ? "the commands are " + String.join(", ", all)
                : "did you mean " + String.join(" or ", near) + "?";
    }

    private int failed(Exception exception, ParseResult parsed) throws Exception {
        switch (exception) {
            case ParameterException e -> {
                return wrongArguments(e);
            }
            case TargetException e -> {
                console.say(e.getMessage() + (e.kind() == Kind.NO_PERMISSION ? Rights.advice(e.getMessage(), parsed) : ""));
                return ExitCode.of(e.kind());
            }
            case SessionException e -> {
                console.say(e.getMessage());
                return ExitCode.FAILED;
            }
            case InterruptedException e -> {
                console.say("interrupted");
                return ExitCode.FAILED;
            }
            default -> {
                console.say("a mistake in this program, please report it: " + exception);
                console.stackOf(exception);
                return ExitCode.FAILED;
            }
        }
    }
}
