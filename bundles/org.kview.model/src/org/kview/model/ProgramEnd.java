// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Map;

/**
 * How a program ended that was started for a recording, or one that was killed by a signal while it was recorded.
 *
 * @param signalled whether by a signal
 * @param number    the signal's number, or the exit status
 */
public record ProgramEnd(boolean signalled, int number) {
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(Map.entry(1, "SIGHUP"), Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"), Map.entry(4, "SIGILL"), Map.entry(5, "SIGTRAP"), Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"), Map.entry(8, "SIGFPE"), Map.entry(9, "SIGKILL"), Map.entry(10, "SIGUSR1"),
            Map.entry(11, "SIGSEGV"), Map.entry(12, "SIGUSR2"), Map.entry(13, "SIGPIPE"), Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"), Map.entry(24, "SIGXCPU"), Map.entry(25, "SIGXFSZ"), Map.entry(31, "SIGSYS"));

    public ProgramEnd {
        if (number < 0 || number > 255) {
            throw new IllegalArgumentException("No exit status, and no signal: " + number);
        }
    }

    /** "SIGSEGV"; "signal 40" for one without a name of its own. */
    public String signalName() {
        return SIGNALS.getOrDefault(number, "signal " + number);
    }

    /** Whether it ended by itself, with a status of success. */
    public boolean isSuccess() {
        return !signalled && number == 0;
    }

    /** "ended with status 3", "was killed by SIGSEGV (signal 11)". */
    public String text() {
        return !signalled ? "ended with status " + number
                : "was killed by " + (SIGNALS.containsKey(number) ? signalName() + " (signal " + number + ")" : signalName());
    }

    /** What this end may mean for a program that was probed, and what to try; one or two sentences. */
    public String advice() {
        return "It was probed when it died, and the probes may be the cause: run it once without Kview Workbench; if it"
                + " ends well then, record fewer of its functions, leave out --return-probes, and report it.";
    }
}
