// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.model.Metric;
import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.End;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.targets.values.Flow;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.Stretch;

class FlowTreeTest {
    /** The same name may stand for two functions. */
    private static final List<String> NAMES = List.of("read", "vfs_read", "pipe_read", "schedule", "copy", "copy");

    /** @param onCpu of the call; the rest of its time it waited */
    private static FlowTree tree(long wall, long onCpu, long cut, Flow.Step... steps) {
        Flow.Call call = new Flow.Call(7, "t", 0, wall, onCpu, 0, List.of(steps), cut);
        FlowTree tree = FlowTree.of(new Flow(new ProcessInfo(7, 1, 0, "root", "t", List.of(), "/t", 1, 0, 0, "/", false),
                new Stretch(0, wall, 0), "read", NAMES, List.of(call), new Flow.Seen(1, wall), new Flow.View(0, 0, 0, 0, 0),
                new Flow.Losses(0, 0, 0, 0, 0), "", List.of()), call);
        TreeSums.check(tree, call);
        return tree;
    }

    private static Function called(Function function, int part) {
        return (Function) function.parts().get(part);
    }

    @Test
    void aWaitStandsInTheFunctionInWhichItWas() {
        FlowTree tree = tree(100, 40, 0, new Flow.Enter(0, 0), new Flow.Enter(5, 1), new Flow.Enter(7, 2), new Flow.Out(20, Metric.NETWORK),
                new Flow.In(80, 12), new Flow.Leave(90, 2), new Flow.Enter(92, 4), new Flow.Leave(95, 4), new Flow.Leave(97, 1),
                new Flow.Leave(100, 0));
        Function read = tree.root();
        assertThat(read).extracting(Function::name, Function::wallNanos, Function::onCpuNanos, Function::selfNanos, Function::end)
                .containsExactly("read", 100L, 40L, 8L, End.RETURNED);
        Function pipe = called(called(read, 0), 0);
        assertThat(pipe).isEqualTo(new Function("pipe_read", 7, 83, 60, 23, End.RETURNED, 0,
                List.of(new Absence(Metric.NETWORK, 20, 60, 12, true))));
        assertThat(called(called(read, 0), 1).name()).isEqualTo("copy");
        assertThat(called(read, 0).selfNanos()).isEqualTo(92 - 83 - 3);
        assertThat(tree).extracting(FlowTree::notToldNanos, FlowTree::notToldWaited, FlowTree::hiddenWaits).containsExactly(0L, 0L, 0L);
    }

    /** The rest of the call is that of no function: the one that was open last did not compute all that time. */
    @Test
    void whatIsNotToldIsInNoFunction() {
        FlowTree tree = tree(1000, 300, 77, new Flow.Enter(0, 0), new Flow.Enter(5, 1), new Flow.Out(10, Metric.LOCK), new Flow.In(30, 0),
                new Flow.Enter(35, 2), new Flow.Leave(40, 2));
        assertThat(tree.root()).extracting(Function::wallNanos, Function::waitedNanos, Function::end).containsExactly(40L, 20L, End.GOES_ON);
        assertThat(called(tree.root(), 0)).extracting(Function::wallNanos, Function::selfNanos, Function::end)
                .containsExactly(35L, 10L, End.GOES_ON);
        assertThat(called(called(tree.root(), 0), 1).end()).isEqualTo(End.RETURNED);
        assertThat(tree.notToldNanos()).isEqualTo(960);
        assertThat(tree.notToldWaited()).isEqualTo(680);
        assertThat(tree.hiddenWaits()).isZero();
    }

    @Test
    void aCallOfWhichOnlyTheFirstStepIsToldHasATree() {
        FlowTree tree = tree(1000, 1000, 5, new Flow.Enter(0, 0));
        assertThat(tree.root()).isEqualTo(new Function("read", 0, 0, 0, 0, End.GOES_ON, 0, List.of()));
        assertThat(tree.notToldNanos()).isEqualTo(1000);
    }

    @Test
    void aWaitGoesOnInWhatIsNotTold() {
        FlowTree tree = tree(1000, 30, 5, new Flow.Enter(0, 0), new Flow.Out(10, Metric.SLEEP), new Flow.Enter(12, 3));
        assertThat(tree.root().parts()).startsWith(new Absence(Metric.SLEEP, 10, 2, 0, false));
        assertThat(tree.notToldWaited()).isEqualTo(968);
    }

    /** They are known of the call alone. */
    @Test
    void waitsThatNoStepTellsAreCounted() {
        assertThat(tree(100, 40, 0, new Flow.Enter(0, 0), new Flow.Leave(100, 0)).hiddenWaits()).isEqualTo(60);
        assertThat(tree(100, 40, 3, new Flow.Enter(0, 0), new Flow.Enter(90, 0)).hiddenWaits()).as("not all fits the rest").isEqualTo(50);
    }

    @Test
    void aFunctionThatWasNotSeenToReturnEndsWithItsCaller() {
        FlowTree tree = tree(100, 100, 0, new Flow.Enter(0, 0), new Flow.Enter(10, 1), new Flow.Enter(20, 2), new Flow.Enter(30, 4),
                new Flow.Leave(40, 4), new Flow.Leave(60, 1), new Flow.Leave(100, 0));
        Function vfs = called(tree.root(), 0);
        assertThat(vfs).extracting(Function::wallNanos, Function::end).containsExactly(50L, End.RETURNED);
        assertThat(called(vfs, 0)).extracting(Function::name, Function::wallNanos, Function::end)
                .containsExactly("pipe_read", 40L, End.NOT_SEEN);
        assertThat(called(called(vfs, 0), 0).end()).isEqualTo(End.RETURNED);
    }

    @Test
    void functionsOfTheSameNameAreNotTakenForEachOther() {
        FlowTree tree = tree(100, 100, 0, new Flow.Enter(0, 0), new Flow.Enter(10, 4), new Flow.Enter(20, 5), new Flow.Leave(60, 4),
                new Flow.Leave(100, 0));
        assertThat(called(tree.root(), 0)).extracting(Function::wallNanos, Function::end).containsExactly(50L, End.RETURNED);
        assertThat(called(called(tree.root(), 0), 0).end()).isEqualTo(End.NOT_SEEN);
    }

    /** Of the switch itself some functions run after the thread is said to have left its CPU. */
    @Test
    void functionsWithinAnAbsenceDivideIt() {
        FlowTree tree = tree(100, 40, 0, new Flow.Enter(0, 0), new Flow.Out(10, Metric.BLOCK_IO), new Flow.Enter(12, 3),
                new Flow.Leave(15, 3), new Flow.In(70, 57), new Flow.Leave(100, 0));
        assertThat(tree.root().parts()).containsExactly(new Absence(Metric.BLOCK_IO, 10, 2, 0, true),
                new Function("schedule", 12, 3, 3, 0, End.RETURNED, 0, List.of(new Absence(Metric.BLOCK_IO, 12, 3, 2, true))),
                new Absence(Metric.BLOCK_IO, 15, 55, 55, true));
        assertThat(tree.root().selfNanos()).isEqualTo(40);
    }

    @Test
    void aThreadThatIsSaidToLeaveTwiceWasAwayFromTheFirstTime() {
        FlowTree tree = tree(100, 20, 0, new Flow.Enter(0, 0), new Flow.In(5, 0), new Flow.Out(10, Metric.LOCK), new Flow.Out(50, Metric.SLEEP),
                new Flow.In(90, 0), new Flow.In(95, 0), new Flow.Leave(100, 0));
        assertThat(tree.root().parts()).containsExactly(new Absence(Metric.LOCK, 10, 40, 0, true), new Absence(Metric.LOCK, 50, 40, 0, true));
    }

    @Test
    void aTreeIsNoDeeperThanCanBeShown() {
        int depth = 100_000;
        List<Flow.Step> steps = new ArrayList<>(List.of(new Flow.Enter(0, 0)));
        for (int i = 1; i < depth; i++) {
            steps.add(new Flow.Enter(i, i % 2 + 1));
        }
        steps.add(new Flow.Out(depth, Metric.LOCK));
        steps.add(new Flow.In(depth + 10, 0));
        for (int i = depth - 1; i > 0; i--) {
            steps.add(new Flow.Leave(3L * depth - i, i % 2 + 1));
        }
        steps.add(new Flow.Leave(3L * depth, 0));
        Function at = tree(3L * depth, 3L * depth - 10, 0, steps.toArray(Flow.Step[]::new)).root();
        int levels = 1;
        while (at.parts().getFirst() instanceof Function below) {
            assertThat(at.end()).isEqualTo(End.RETURNED);
            at = below;
            levels++;
        }
        assertThat(levels).isEqualTo(FlowTree.MOST_DEPTH);
        assertThat(at.tooDeep()).isEqualTo(depth - levels);
        assertThat(at.parts()).containsExactly(new Absence(Metric.LOCK, depth, 10, 0, true));
    }

    /** What was too deep to be shown ends with one that is not. */
    @Test
    void callersOfWhatIsTooDeepReturn() {
        List<Flow.Step> steps = new ArrayList<>(List.of(new Flow.Enter(0, 0), new Flow.Enter(1, 1)));
        for (int i = 2; i < FlowTree.MOST_DEPTH + 5; i++) {
            steps.add(new Flow.Enter(i, 2));
        }
        steps.add(new Flow.Leave(900, 1));
        steps.add(new Flow.Enter(950, 4));
        steps.add(new Flow.Leave(960, 4));
        steps.add(new Flow.Leave(1000, 0));
        Function read = tree(1000, 1000, 0, steps.toArray(Flow.Step[]::new)).root();
        assertThat(read.parts()).extracting(part -> ((Function) part).name()).containsExactly("vfs_read", "copy");
        assertThat(called(read, 0).end()).isEqualTo(End.RETURNED);
        assertThat(called(called(read, 0), 0).end()).isEqualTo(End.NOT_SEEN);
    }
}
