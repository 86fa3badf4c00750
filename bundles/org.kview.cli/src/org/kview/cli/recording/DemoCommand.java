// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.cli.console.HelpOption;
import org.kview.cli.sessions.Workbench;
import org.kview.cli.targets.TargetOption;
import org.kview.model.Budget;
import org.kview.model.ProbeSpec;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.RecordingResult;
import org.kview.recording.ScopeSpec;
import org.kview.session.SessionException;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.ReportFile;
import org.kview.targets.Target;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Records the bundled workload, whose functions are slow for known reasons, and shows the result. */
@Command(name = "demo", sortOptions = false,
        header = "Records the bundled workload on this machine and opens the result.",
        customSynopsis = "kview demo [--headless] [--seconds N]",
        description = {"", "The session and a report go to kview-workbench/sessions in the user's data folder",
                "(XDG_DATA_HOME, or ~/.local/share); where exactly is printed.", ""},
        footer = {"", "Examples:", "  kview demo", "  kview demo --headless --seconds 10"})
public final class DemoCommand implements Callable<Integer> {
    private static final String WORKLOADS_PROPERTY = "kview.workloads";
    private static final String PROGRAM = "kview-demo";

    private final Console console;

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    @Option(names = "--headless", description = "Prints the result only, and opens no workbench.")
    private boolean headless;
    @Option(names = "--seconds", paramLabel = "N", defaultValue = "5", description = "How long, 5 if not given.")
    private int seconds;

    public DemoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        if (seconds < 1 || seconds > 3600) {
            throw new ParameterException(spec.commandLine(), "--seconds is between 1 and 3600");
        }
        Target local = TargetOption.local();
        Path program = program();
        List<ProbeSpec> probes = functions(program).stream().map(f -> new ProbeSpec(program.toString(), f)).toList();
        Path session = sessionFolder();
        RecordingResult result = new RecordingRun(console, new RecordingTeller(console, Budget.DEFAULT, false)).run(local,
                new ScopeSpec.Launch(new LaunchSpec(List.of(program.toString(), "--seconds", "" + seconds),
                        System.getenv(), "")),
                new RecordingRequest(probes, List.of(), session,
                        new RecordingOptions.Builder().events(true).budget(Budget.NONE).build()));
        int exitCode = RecordedSession.print(console, result, false);
        Path html = session.resolveSibling(session.getFileName().toString().replaceFirst("\\.kview$", ".html"));
        ReportFile.write(html, HtmlReport.of(result.figures()));
        console.result("report  " + html);
        if (!headless && exitCode == ExitCode.DONE && Workbench.hasDisplay()) {
            Workbench.open(Optional.of(session));
        }
        return exitCode;
    }

    private static Path program() throws TargetException {
        String folder = System.getProperty(WORKLOADS_PROPERTY, "");
        Path program = Path.of(folder).resolve(PROGRAM).toAbsolutePath();
        if (folder.isEmpty() || !Files.isExecutable(program)) {
            throw new TargetException(Kind.UNSUPPORTED, folder.isEmpty()
                    ? "Where the demo's workload is, is not known; set KVIEW_WORKLOADS to the folder of " + PROGRAM
                    : "The demo's workload " + program + " is missing; build it with make -C kernel/workloads");
        }
        return program;
    }

    /** Asks the program itself which functions it has. */
    private static List<String> functions(Path program) throws TargetException {
        try {
            Process list = new ProcessBuilder(program.toString(), "--list")
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            list.getOutputStream().close();
            String text = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            List<String> names = text.lines().filter(l -> !l.isBlank()).map(l -> l.strip().split("\\s+")[0]).toList();
            if (!names.isEmpty()) {
                return names;
            }
        } catch (IOException e) {
            throw new TargetException(Kind.FAILED, "The demo's workload can't be started: " + e.getMessage());
        }
        throw new TargetException(Kind.FAILED, "The demo's workload " + program
                + " names no functions; build it anew with make -C kernel/workloads");
    }

    /** As the shell says; Java takes it from the list of users. */
    private static String home() {
        return Optional.ofNullable(System.getenv("HOME")).filter(home -> home.startsWith("/"))
                .orElse(System.getProperty("user.home"));
    }

    private static Path sessionFolder() throws SessionException {
        String data = Optional.ofNullable(System.getenv("XDG_DATA_HOME")).filter(d -> d.startsWith("/"))
                .orElse(home() + "/.local/share");
        Path folder = Path.of(data, "kview-workbench", "sessions");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new SessionException("The sessions' folder " + folder
                    + " can't be created; set XDG_DATA_HOME to a folder of your own", e);
        }
        String time = LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        return folder.resolve("demo-" + time + ".kview");
    }
}
