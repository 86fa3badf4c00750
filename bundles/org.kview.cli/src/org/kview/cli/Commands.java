// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import java.util.Map;
import java.util.function.Function;

/** The commands that write to a console, and how they are made. */
final class Commands {
    private static final Map<Class<?>, Function<Console, Object>> CREATORS = Map.of(
            DemoCommand.class, DemoCommand::new,
            DoctorCommand.class, DoctorCommand::new,
            RecordCommand.class, RecordCommand::new,
            ReportCommand.class, ReportCommand::new,
            CompareCommand.class, CompareCommand::new,
            CompareProgramsCommand.class, CompareProgramsCommand::new,
            CallsCommand.class, CallsCommand::new,
            ExportCommand.class, ExportCommand::new,
            FunctionsCommand.class, FunctionsCommand::new,
            OpenCommand.class, OpenCommand::new);

    private Commands() {
    }

    static boolean isOne(Class<?> type) {
        return CREATORS.containsKey(type);
    }

    static Object create(Class<?> type, Console console) {
        return CREATORS.get(type).apply(console);
    }
}
