// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.template;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.kview.model.Budget;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.targets.values.FunctionInfo;

/**
 * Functions and options of a recording, for any process that has them.
 *
 * @param name     for the user; not blank
 * @param probes   at least one
 * @param events   whether each call and each switch is kept as an event too
 * @param filter   how other processes are told apart
 * @param duration after which the recording ends by itself; empty: when it is stopped
 * @param budget   how much of the process's CPU time the probes may take
 */
public record RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter,
        Optional<Duration> duration, Budget budget) {

    /** One with the default budget. */
    public RecordingTemplate(String name, List<Probe> probes, boolean events, Filter filter, Optional<Duration> duration) {
        this(name, probes, events, filter, duration, Budget.DEFAULT);
    }

    /**
     * A function, wherever it is found.
     *
     * @param kind     {@link ProbePoint#kind()}; others than functions of programs and libraries are kept, and not looked up
     * @param binary   base name of a library or program; empty for the program of whatever process it is
     * @param symbol   as in its symbol table
     * @param function the name as people read it
     */
    public record Probe(String kind, String binary, String symbol, String function) {
        public Probe {
            Objects.requireNonNull(kind);
            Objects.requireNonNull(binary);
            Objects.requireNonNull(function);
            if (symbol.isBlank()) {
                throw new IllegalArgumentException("A probe needs the symbol of its function");
            }
        }

        /** A function of a program or library. */
        public Probe(String binary, String symbol, String function) {
            this(ProbePoint.UserFunction.KIND, binary, symbol, function);
        }

        /** Whether it can be looked up. */
        public boolean isFunction() {
            return kind.equals(ProbePoint.UserFunction.KIND);
        }

        /** @param executable the path of the process's own program, whose name on other hosts does not matter */
        static Probe of(FunctionInfo function, String executable) {
            String path = function.point().binary();
            return new Probe(path.equals(executable) ? "" : path.substring(path.lastIndexOf('/') + 1),
                    function.point().symbol(), function.name());
        }

        /** "libz.so.1: deflate", or the function alone where it is the program's. */
        @Override
        public String toString() {
            return binary.isEmpty() ? function : binary + ": " + function;
        }
    }

    public RecordingTemplate {
        probes = List.copyOf(probes);
        Objects.requireNonNull(filter);
        Objects.requireNonNull(budget);
        if (name.isBlank() || probes.isEmpty() || duration.filter(d -> !d.isPositive()).isPresent()) {
            throw new IllegalArgumentException("A template needs a name, a function, and a duration above zero if any");
        }
    }

    /**
     * What was chosen for one process, for others.
     *
     * @param executable the path of that process's program
     */
    public static RecordingTemplate of(String name, List<FunctionInfo> functions, String executable, boolean events,
            Filter filter, Optional<Duration> duration, Budget budget) {
        return new RecordingTemplate(name, functions.stream().map(f -> Probe.of(f, executable)).distinct().toList(),
                events, filter, duration, budget);
    }
}
