// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.kview.recording.flow.FlowPart.Function;
import org.kview.targets.values.Flow;

/** What holds in each tree, to the ns. */
public final class TreeSums {
    private TreeSums() {
    }

    public static void check(FlowTree tree, Flow.Call call) {
        check(tree.root(), 1);
        assertThat(tree.root().wallNanos() + tree.notToldNanos()).as("all of the call").isEqualTo(call.wallNanos());
        assertThat(tree.root().waitedNanos() + tree.notToldWaited() + tree.hiddenWaits()).as("all waits")
                .isEqualTo(call.wallNanos() - call.onCpuNanos());
        assertThat(tree.notToldWaited()).isBetween(0L, tree.notToldNanos());
        assertThat(tree.hiddenWaits()).isNotNegative();
    }

    private static void check(Function function, int depth) {
        long parts = function.parts().stream().mapToLong(FlowPart::wallNanos).sum();
        long waited = 0;
        long end = function.beginNanos();
        for (FlowPart part : function.parts()) {
            assertThat(part.beginNanos()).as("one after the other").isGreaterThanOrEqualTo(end);
            end = part.beginNanos() + part.wallNanos();
            if (part instanceof Function called) {
                check(called, depth + 1);
                waited += called.waitedNanos();
            } else {
                waited += part.wallNanos();
            }
        }
        assertThat(end).as("within its caller").isLessThanOrEqualTo(function.beginNanos() + function.wallNanos());
        assertThat(function.selfNanos()).isNotNegative();
        assertThat(function.selfNanos() + parts).as(function.name()).isEqualTo(function.wallNanos());
        assertThat(function.waitedNanos()).as(function.name()).isEqualTo(waited);
        assertThat(function.onCpuNanos() + waited).as(function.name()).isEqualTo(function.wallNanos());
        assertThat(depth).isLessThanOrEqualTo(FlowTree.MOST_DEPTH);
    }
}
