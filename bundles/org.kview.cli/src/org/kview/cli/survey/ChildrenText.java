// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.survey;

import java.util.List;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.recording.survey.ChildTimes;
import org.kview.session.report.TerminalText;

/** What a survey's reader should know of processes that the surveyed one started. */
final class ChildrenText {
    private static final int MOST_NAMED = 3;

    private ChildrenText() {
    }

    /**
     * A few lines, or "" where they computed nothing.
     *
     * @param betweenNanos the time in which they did
     * @param own          CPU time of the surveyed process; where they have more, the first line has the mark of a warning
     */
    static String of(List<ChildTimes> children, long betweenNanos, long own, String target) {
        if (children.isEmpty()) {
            return "";
        }
        long all = children.stream().mapToLong(ChildTimes::cpuNanos).sum();
        String named = children.stream().limit(MOST_NAMED).map(child -> child.process().pid() + " ("
                + TerminalText.printable(child.process().name()) + ") " + LatencyFormat.nanos(child.cpuNanos()))
                .collect(Collectors.joining(", "));
        return (all > own ? "!! " : "") + "Not in these figures are processes that it started: in "
                + LatencyFormat.nanos(betweenNanos) + " " + (children.size() == 1 ? "one computed, " : LatencyFormat.count(children.size()) + " computed, "
                        + LatencyFormat.nanos(all) + " in all, the most by ") + named
                + (all > own ? ". It computed " + LatencyFormat.nanos(own) + " itself" : "") + ".\nTo survey "
                + (children.size() == 1 ? "that one" : "one of them") + ": kview survey "
                + (target.equals("local") ? "" : "--target " + target + " ") + "--pid "
                + children.getFirst().process().pid() + "\n";
    }
}
