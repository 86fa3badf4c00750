// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.util.Map;
import java.util.function.Function;

import org.kview.cli.compare.CompareCommand;
import org.kview.cli.compare.CompareProgramsCommand;
import org.kview.cli.console.Console;
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
import org.kview.cli.targets.ViewsCommand;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes the commands, which write to a console, and all else that a command line has. */
final class CommandFactory implements IFactory {
    private static final Map<Class<?>, Function<Console, Object>> CREATORS = Map.ofEntries(
            made(DemoCommand.class, DemoCommand::new),
            made(DoctorCommand.class, DoctorCommand::new),
            made(RecordCommand.class, RecordCommand::new),
            made(ReportCommand.class, ReportCommand::new),
            made(CompareCommand.class, CompareCommand::new),
            made(CompareProgramsCommand.class, CompareProgramsCommand::new),
            made(CallsCommand.class, CallsCommand::new),
            made(FlowCommand.class, FlowCommand::new),
            made(ExportCommand.class, ExportCommand::new),
            made(FunctionsCommand.class, FunctionsCommand::new),
            made(ImportCommand.class, ImportCommand::new),
            made(OpenCommand.class, OpenCommand::new),
            made(SurveyCommand.class, SurveyCommand::new),
            made(CleanCommand.class, CleanCommand::new),
            made(ViewsCommand.class, ViewsCommand::new),
            made(CountCommand.class, CountCommand::new));

    private final Console console;

    CommandFactory(Console console) {
        this.console = console;
    }

    private static Map.Entry<Class<?>, Function<Console, Object>> made(Class<?> type, Function<Console, Object> creator) {
        return Map.entry(type, creator);
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        return CREATORS.containsKey(type) ? type.cast(CREATORS.get(type).apply(console))
                : CommandLine.defaultFactory().create(type);
    }
}
