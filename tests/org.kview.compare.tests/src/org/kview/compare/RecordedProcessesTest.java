// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.kview.compare.Recordings.Shape;
import org.kview.compare.report.ComparisonText;
import org.kview.model.Provenance;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;

/** What is called a change takes recordings that tell something of their own. */
class RecordedProcessesTest {
    private static final Shape SHAPE = new Shape(12, 60, 1e6, 0.1, 0, 0);
    private static final double BETWEEN_PROCESSES = 0.1;

    private final Random random = new Random(11);
    private final Recordings recordings = new Recordings(11);
    private int sides;

    /**
     * Recordings of as many processes as there are numbers; where one stands twice it is recorded again. Those of every other
     * side are between those of the side before it.
     */
    private List<ComparedSession> side(double factor, int... processes) {
        List<ComparedSession> sessions = new ArrayList<>();
        int second = sides++ % 2;
        for (int process : processes) {
            double same = factor * Math.exp(BETWEEN_PROCESSES * new Random(process * 7919L).nextGaussian());
            sessions.add(Recordings.session("p" + process, Recordings.info(process, second), IntStream.range(0, 8)
                    .mapToObj(f -> recordings.slices(SHAPE.times(same * Math.exp(0.002 * random.nextGaussian())))).toList()));
            second += 2;
        }
        return sessions;
    }

    private static Comparison compare(List<ComparedSession> a, List<ComparedSession> b) {
        return Comparer.compare(a, b, Comparer.MINIMUM_EFFECT, () -> false);
    }

    /** Three recordings of one process and three of another differ as these two do, in whatever was the same program. */
    @Test
    void recordingsOfOneProcessShowNoChangeOfTheProgram() {
        Comparison comparison = compare(side(1, 1, 1, 1), side(1, 2, 2, 2));
        assertThat(comparison.changed()).as("the processes do differ").isPositive();
        assertThat(comparison.isEnough()).isFalse();
        assertThat(ComparisonText.summary(comparison)).endsWith("in these recordings of few processes.");
        assertThat(comparison.warnings()).anyMatch(w -> w.startsWith("A: 3 recordings of one process, "))
                .anyMatch(w -> w.startsWith("B: 3 recordings of one process, "));
        assertThat(ComparisonText.method(comparison)).anyMatch(s -> s.startsWith("Nothing is called changed, because"));
    }

    @Test
    void eachOfAProcessOfItsOwnMayShowIt() {
        Comparison comparison = compare(side(1, 1, 2, 3), side(2, 4, 5, 6));
        assertThat(comparison.isEnough()).isTrue();
        assertThat(ComparisonText.summary(comparison)).endsWith("changed.");
        assertThat(comparison.warnings()).noneMatch(w -> w.contains("process"));
    }

    @Test
    void oneProcessTwiceIsNotIndependent() {
        Comparison comparison = compare(side(1, 1, 2, 3, 3), side(1, 4, 5, 6));
        assertThat(comparison.isEnough()).isFalse();
        assertThat(comparison.warnings()).anyMatch(w -> w.startsWith("A: 4 recordings of 3 processes, "));
    }

    /** What was switched over within one process is between the sides, and nothing of other processes is. */
    @Test
    void oneProcessBeforeAndAfterIsComparedWithItself() {
        Comparison comparison = compare(side(1, 1, 1, 1), side(1.3, 1, 1, 1));
        assertThat(comparison.isEnough()).isTrue();
        assertThat(comparison.changed()).isEqualTo(8);
    }

    /** Nearly one process a side, though both sides have both. */
    @Test
    void processesOfBothSidesCountAsOftenAsTheyWereRecorded() {
        assertThat(compare(side(1, 1, 1, 1, 2), side(1, 2, 2, 2, 1)).isEnough()).isFalse();
        assertThat(compare(side(1, 1, 2, 1, 2), side(1, 2, 1, 1, 2)).isEnough()).isTrue();
    }

    /** A process may write over its command line, as servers do that show in it what they are at. */
    @Test
    void aProcessIsToldByItsStart() {
        assertThat(compare(started(1, 7, 100, 100, 100), started(1, 8, 200, 200, 200)).isEnough())
                .as("one process a side, whatever it calls itself").isFalse();
        assertThat(compare(started(1, 1, 100, 200, 300), started(1, 1, 400, 500, 600)).isEnough())
                .as("of containers, where each has the same number").isTrue();
    }

    /** Recordings of two processes together, each time of the same two, or of others. */
    private List<ComparedSession> together(boolean same) {
        List<ComparedSession> sessions = new ArrayList<>();
        int second = sides++ % 2;
        for (int i = 0; i < 3; i++) {
            second += 2;
            SessionInfo info = Recordings.info(1, second);
            List<Scope> scopes = List.of(new Scope.Process(100 + sides, 10_000_000), new Scope.Process(same ? 200 : 200 + second, 20_000_000));
            sessions.add(Recordings.session("p" + second, new SessionInfo(
                    info.measured(), scopes, info.command(),
                    new SessionInfo.Filtering(info.filter(), ""), info.start(), info.duration(),
                    new SessionInfo.Ending(info.state(), "", Optional.empty()), info.provenance()), List.of(recordings.slices(SHAPE))));
        }
        return sessions;
    }

    @Test
    void ofSeveralProcessesTogetherAllAreTold() {
        assertThat(compare(together(true), together(true)).isEnough()).as("the same processes each time").isFalse();
        assertThat(compare(together(false), together(false)).isEnough()).as("one of them is another one each time").isTrue();
    }

    /** Recordings of processes with the same number, by when they began; each calls itself otherwise. */
    private List<ComparedSession> started(double factor, int process, long... tenMillis) {
        List<ComparedSession> sessions = new ArrayList<>();
        int second = sides++ % 2;
        for (long start : tenMillis) {
            second += 2;
            SessionInfo info = Recordings.info(process, second);
            Scope scope = new Scope.Process(info.pid(), start * 10_000_000 + second % 4 * 100);
            SessionInfo named = new SessionInfo(info.measured(),
                    List.of(scope), "postgres: idle " + second, new SessionInfo.Filtering(info.filter(), ""), info.start(), info.duration(),
                    new SessionInfo.Ending(info.state(), "", Optional.empty()),
                    new Provenance("", "", "", 0, "", "boot", List.of(), List.of()));
            sessions.add(Recordings.session("p" + second, named, List.of(recordings.slices(SHAPE.times(factor)))));
        }
        return sessions;
    }

    @Test
    void oneRecordingManyTimesShowsNothing() {
        ComparedSession a = side(1, 1).getFirst();
        ComparedSession b = side(1, 2).getFirst();
        Comparison comparison = compare(List.of(a, a, a), List.of(b, b, b));
        assertThat(comparison.isEnough()).isFalse();
        assertThat(comparison.warnings()).anyMatch(w -> w.startsWith("One recording is given more than once"));
    }
}
