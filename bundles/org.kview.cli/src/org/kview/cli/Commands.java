// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.util.Map;
import java.util.function.Function;

/** The commands that write to a console, and how they are made. */
final class Commands {
    private static final Map<Class<?>, Function<Console, Object>> CREATORS = Map.ofEntries(
            made(DemoCommand.class, DemoCommand::new),
            made(DoctorCommand.class, DoctorCommand::new),
            made(RecordCommand.class, RecordCommand::new),
            made(ReportCommand.class, ReportCommand::new),
            made(CompareCommand.class, CompareCommand::new),
            made(CompareProgramsCommand.class, CompareProgramsCommand::new),
            made(CallsCommand.class, CallsCommand::new),
            made(ExportCommand.class, ExportCommand::new),
            made(FunctionsCommand.class, FunctionsCommand::new),
            made(OpenCommand.class, OpenCommand::new),
            made(SurveyCommand.class, SurveyCommand::new),
            made(CleanCommand.class, CleanCommand::new));

    private Commands() {
    }

    private static Map.Entry<Class<?>, Function<Console, Object>> made(Class<?> type, Function<Console, Object> creator) {
        return Map.entry(type, creator);
    }

    static boolean isOne(Class<?> type) {
        return CREATORS.containsKey(type);
    }

    static Object create(Class<?> type, Console console) {
        return CREATORS.get(type).apply(console);
    }
}
