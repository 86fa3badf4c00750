// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.End;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.targets.values.Flow;

/** A line of a call's way, as people read it. What is below a line is made as it is asked for: there can be hundreds of thousands. */
public sealed interface FlowLine {
    /** What it tells of, in words; names in it are the host's. */
    String text();

    long wallNanos();

    /** Empty where the line is of a wait. */
    OptionalLong onCpuNanos();

    /** Neither waiting nor in what has a line of its own; empty where nothing has. */
    default OptionalLong selfNanos() {
        return OptionalLong.empty();
    }

    /** Why the thread waited, where the line is of a wait. */
    default Optional<Metric> cause() {
        return Optional.empty();
    }

    /** In order. */
    default List<FlowLine> below() {
        return List.of();
    }

    /**
     * The outermost lines of a call.
     *
     * @param tree of that call
     * @param all  whether each function has a line of its own, however short it was
     */
    static List<FlowLine> of(Flow.Call call, FlowTree tree, boolean all) {
        List<FlowLine> lines = new ArrayList<>(List.of(new Called(tree.root(), all ? 0 : call.wallNanos() / Together.SHORT)));
        if (tree.notToldNanos() > 0 || call.cutSteps() > 0) {
            lines.add(new NotTold(tree, call.cutSteps()));
        }
        return lines;
    }

    /**
     * A function.
     *
     * @param shortNanos what takes less may share a line below it
     */
    record Called(Function function, long shortNanos) implements FlowLine {
        @Override
        public String text() {
            String end = switch (function.end()) {
                case RETURNED -> "";
                case NOT_SEEN -> "  (not seen to return, perhaps earlier)";
                case GOES_ON -> "  (goes on in what is not told)";
            };
            return function.name() + end + (function.tooDeep() == 0 ? "" : "  (" + LatencyFormat.count(function.tooDeep())
                    + (function.tooDeep() == 1 ? " call" : " calls") + " below it not shown: nested too deeply)");
        }

        @Override
        public long wallNanos() {
            return function.wallNanos();
        }

        @Override
        public OptionalLong onCpuNanos() {
            return OptionalLong.of(function.onCpuNanos());
        }

        @Override
        public OptionalLong selfNanos() {
            return OptionalLong.of(function.selfNanos());
        }

        @Override
        public List<FlowLine> below() {
            List<FlowPart> parts = function.parts();
            List<FlowLine> lines = new ArrayList<>();
            int at = 0;
            while (at < parts.size()) {
                int row = Together.row(parts, at, shortNanos);
                if (row >= Together.IN_A_ROW) {
                    lines.add(new Together(parts.subList(at, at + row).stream().map(Function.class::cast).toList()));
                    at += row;
                } else {
                    lines.add(switch (parts.get(at)) {
                        case Function called -> new Called(called, shortNanos);
                        case Absence absence -> new Waited(absence);
                    });
                    at++;
                }
            }
            return lines;
        }
    }

    /** Short functions in a row, none of which waited. */
    record Together(List<Function> functions) implements FlowLine {
        /** Functions that took a smaller part of the call share a line, if so many are in a row. */
        private static final long SHORT = 1000;
        private static final int IN_A_ROW = 3;
        private static final int MOST_NAMED = 3;

        /** How many from there on are short, and hide nothing that one would miss. */
        private static int row(List<FlowPart> parts, int from, long shortNanos) {
            int at = from;
            while (at < parts.size() && parts.get(at) instanceof Function f && f.wallNanos() < shortNanos && f.waitedNanos() == 0
                    && f.end() == End.RETURNED) {
                at++;
            }
            return at - from;
        }

        @Override
        public String text() {
            Map<String, Long> calls = new LinkedHashMap<>();
            functions.forEach(function -> calls.merge(function.name(), 1L, Long::sum));
            return "(" + LatencyFormat.count(functions.size()) + " short calls: " + calls.entrySet().stream()
                    .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())).limit(MOST_NAMED)
                    .map(e -> e.getKey() + (e.getValue() == 1 ? "" : " " + LatencyFormat.count(e.getValue())))
                    .collect(Collectors.joining(", ")) + (calls.size() > MOST_NAMED ? ", ..." : "") + ")";
        }

        @Override
        public long wallNanos() {
            return functions.stream().mapToLong(FlowPart::wallNanos).sum();
        }

        @Override
        public OptionalLong onCpuNanos() {
            return OptionalLong.of(wallNanos());
        }
    }

    /** A wait. */
    record Waited(Absence absence) implements FlowLine {
        @Override
        public String text() {
            return "[" + absence.cause().label() + "]" + (absence.runQueueNanos() == 0 ? ""
                    : absence.runQueueNanos() == absence.wallNanos() ? " all of it in the run queue"
                            : " " + LatencyFormat.nanos(absence.runQueueNanos()) + " of it in the run queue")
                    + (absence.ended() ? "" : " (goes on in what is not told)");
        }

        @Override
        public long wallNanos() {
            return absence.wallNanos();
        }

        @Override
        public OptionalLong onCpuNanos() {
            return OptionalLong.empty();
        }

        @Override
        public Optional<Metric> cause() {
            return Optional.of(absence.cause());
        }
    }

    /** The rest of a call. */
    record NotTold(FlowTree tree, long steps) implements FlowLine {
        @Override
        public String text() {
            return "[not told] the rest of the call: no room for " + (steps == 1 ? "1 step" : LatencyFormat.count(steps) + " steps");
        }

        @Override
        public long wallNanos() {
            return tree.notToldNanos();
        }

        @Override
        public OptionalLong onCpuNanos() {
            return OptionalLong.of(tree.notToldNanos() - tree.notToldWaited());
        }
    }
}
