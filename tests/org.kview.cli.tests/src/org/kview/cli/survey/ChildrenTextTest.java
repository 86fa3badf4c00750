// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.survey;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.recording.survey.ChildTimes;
import org.kview.targets.values.ProcessInfo;

/** Who surveys a server's first process learns that its workers do the work. */
class ChildrenTextTest {
    private static final long MS = 1_000_000;

    /** The start of the same process differs by some ns from list to list. */
    @Test
    void workersThatComputeMoreAreAWarning() {
        List<ChildTimes> children = ChildTimes.between(process(10, 1, 5, 0),
                List.of(process(10, 1, 5, 0), process(11, 10, 6, 100 * MS), process(12, 10, 6, 100 * MS), process(30, 1, 6, 0)),
                List.of(process(10, 1, 5, 0), process(11, 10, 7, 300 * MS), process(12, 10, 6, 1_100 * MS), process(30, 1, 6, 9 * MS)));
        assertThat(ChildrenText.of(children, 2_100 * MS, 20 * MS, "local")).isEqualTo("!! Not in these figures are processes"
                + " that it started: in"
                + " 2.10 s 2 computed, 1.20 s in all, the most by 12 (p12) 1.00 s, 11 (p11) 200 ms. It computed 20.0 ms itself.\n"
                + "To survey one of them: kview survey --pid 12\n");
        assertThat(ChildrenText.of(children, 2_100 * MS, 2_000 * MS, "web-1"))
                .startsWith("Not in").endsWith("survey --target web-1 --pid 12\n");
    }

    @Test
    void oneThatBeganMeanwhileCountsFromItsStart() {
        List<ChildTimes> children = ChildTimes.between(process(10, 1, 5, 0), List.of(process(11, 1, 6, 5 * MS)),
                List.of(process(10, 1, 5, 0), process(11, 10, 900 * MS, 30 * MS), process(13, 11, 900 * MS, 10 * MS)));
        assertThat(children).extracting(ChildTimes::cpuNanos).containsExactly(30 * MS, 10 * MS);
        assertThat(ChildrenText.of(children.subList(0, 1), 999 * MS, 50 * MS, "local")).isEqualTo("Not in these figures are processes that it"
                + " started: in 999 ms one computed, 11 (p11) 30.0 ms.\nTo survey that one: kview survey --pid 11\n");
    }

    @Test
    void aHostThatMakesARingOfItsProcessesIsToldOnce() {
        List<ProcessInfo> ring = List.of(process(10, 12, 5, 0), process(11, 10, 5, 7 * MS), process(12, 11, 5, 8 * MS));
        assertThat(ChildTimes.between(process(10, 12, 5, 0), List.of(), ring)).extracting(child -> child.process().pid())
                .containsExactly(12L, 11L);
    }

    @Test
    void nothingIsSaidOfChildrenThatOnlyWaited() {
        List<ProcessInfo> processes = List.of(process(10, 1, 5, 0), process(11, 10, 6, 100 * MS));
        assertThat(ChildrenText.of(ChildTimes.between(processes.getFirst(), processes, processes), 999 * MS, 0, "local")).isEmpty();
    }

    private static ProcessInfo process(long pid, long parent, long startNanos, long cpuNanos) {
        return new ProcessInfo(pid, parent, new ProcessInfo.User(0, "root"), "p" + pid, new ProcessInfo.Program("", List.of()), 1,
                cpuNanos, startNanos, "", false);
    }
}
