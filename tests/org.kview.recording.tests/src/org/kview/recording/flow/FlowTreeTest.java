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
    private static final List<String> NAMES = List.of("read", "vfs_read", "pipe_read", "copy");

    /** @param onCpu of the call; the rest of its time it waited */
    private static FlowTree tree(long wall, long onCpu, long cut, Flow.Step... steps) {
        Flow.Call call = new Flow.Call(7, "t", 0, wall, onCpu, 0, List.of(steps), cut, 0);
        FlowTree tree = FlowTree.of(new Flow(new ProcessInfo(7, 1, new ProcessInfo.User(0, "root"), "t",
                new ProcessInfo.Program("/t", List.of()), 1, 0, 0, "/", false),
                new Stretch(0, wall, 0), "read", NAMES, List.of(call), new Flow.Seen(1, wall), new Flow.View(0, 0, 0, 0, 0),
                new Flow.Losses(0, 0, 0, 0, 0, 0, 0), "", List.of()), call);
        TreeSums.check(tree, call);
        return tree;
    }

    private static Function called(Function function, int part) {
        return (Function) function.parts().get(part);
    }

    @Test
    void aWaitStandsInTheFunctionInWhichItWas() {
        FlowTree tree = tree(100, 40, 0, new Flow.Enter(0, 0), new Flow.Enter(5, 1), new Flow.Enter(7, 2),
                new Flow.Wait(20, 60, Metric.NETWORK, 12, true), new Flow.Leave(90, true), new Flow.Enter(92, 3), new Flow.Leave(95, true),
                new Flow.Leave(97, true), new Flow.Leave(100, true));
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
        FlowTree tree = tree(1000, 300, 77, new Flow.Enter(0, 0), new Flow.Enter(5, 1), new Flow.Wait(10, 20, Metric.LOCK, 0, true),
                new Flow.Enter(35, 2), new Flow.Leave(40, true));
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
        FlowTree tree = tree(1000, 30, 5, new Flow.Enter(0, 0), new Flow.Wait(10, 0, Metric.SLEEP, 0, false));
        assertThat(tree.root().parts()).containsExactly(new Absence(Metric.SLEEP, 10, 0, 0, false));
        assertThat(tree.root().wallNanos()).isEqualTo(10);
        assertThat(tree.notToldWaited()).isEqualTo(970);
    }

    @Test
    void theLastThatIsToldMayBeAWait() {
        assertThat(tree(1000, 30, 5, new Flow.Enter(0, 0), new Flow.Wait(10, 90, Metric.SLEEP, 0, true)).root().wallNanos()).isEqualTo(100);
    }

    /** They are known of the call alone. */
    @Test
    void waitsThatNoStepTellsAreCounted() {
        assertThat(tree(100, 40, 0, new Flow.Enter(0, 0), new Flow.Leave(100, true)).hiddenWaits()).isEqualTo(60);
        assertThat(tree(100, 40, 3, new Flow.Enter(0, 0), new Flow.Enter(90, 0)).hiddenWaits()).as("not all fits the rest").isEqualTo(50);
    }

    @Test
    void aFunctionMayNotBeSeenToReturn() {
        FlowTree tree = tree(100, 100, 0, new Flow.Enter(0, 0), new Flow.Enter(10, 1), new Flow.Enter(20, 2), new Flow.Leave(60, false),
                new Flow.Leave(60, true), new Flow.Leave(100, true));
        assertThat(called(tree.root(), 0).end()).isEqualTo(End.RETURNED);
        assertThat(called(called(tree.root(), 0), 0)).extracting(Function::name, Function::wallNanos, Function::end)
                .containsExactly("pipe_read", 40L, End.NOT_SEEN);
    }

    @Test
    void aTreeIsNoDeeperThanCanBeShown() {
        int depth = 100_000;
        List<Flow.Step> steps = new ArrayList<>(List.of(new Flow.Enter(0, 0)));
        for (int i = 1; i < depth; i++) {
            steps.add(new Flow.Enter(i, i % 2 + 1));
        }
        steps.add(new Flow.Wait(depth, 10, Metric.LOCK, 0, true));
        for (int i = depth - 1; i >= 0; i--) {
            steps.add(new Flow.Leave(3L * depth - i, true));
        }
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
}
