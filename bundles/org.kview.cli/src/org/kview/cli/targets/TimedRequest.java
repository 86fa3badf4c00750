// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.time.Duration;

import org.kview.cli.console.Console;
import org.kview.cli.console.Signals;
import org.kview.targets.values.TargetException;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What an agent is asked to do for some time, and Ctrl-C ends early, with what was found so far. */
public final class TimedRequest {

    /** Asks the agent to end it. */
    @FunctionalInterface
    public interface End {
        void ask() throws TargetException, InterruptedException;
    }

    private TimedRequest() {
    }

    /** @param sentence says which times there are */
    public static void check(CommandSpec spec, Duration duration, Duration longest, String sentence) {
        if (duration.compareTo(longest) > 0 || duration.toMillis() == 0) {
            throw new ParameterException(spec.commandLine(), sentence);
        }
    }

    /** As long as what this returns is open. If it has ended by itself meanwhile, there is nothing left to do. */
    public static Signals endedBySignals(Console console, End end) {
        return new Signals(() -> {
            try {
                end.ask();
            } catch (TargetException e) {
                if (e.kind() != TargetException.Kind.BAD_REQUEST) {
                    console.say(e.getMessage());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
