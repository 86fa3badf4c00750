// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.LatencyFormat;
import org.kview.recording.flow.FlowOutput;
import org.kview.recording.flow.FlowReport;
import org.kview.recording.flow.FlowText;
import org.kview.recording.flow.FlowTree;
import org.kview.targets.values.Flow;
import org.kview.ui.text.Sentence;

/**
 * What was found.
 *
 * @param trees of its calls, in their order: a call can have millions of steps, so they are made where the user doesn't wait for it
 */
record FollowedFlow(FlowJob.Question question, Flow flow, List<FlowTree> trees) {

    FollowedFlow(FlowJob.Question question, Flow flow) {
        this(question, flow, flow.calls().stream().map(call -> FlowTree.of(flow, call)).toList());
    }

    private String systemCall() {
        return question.wish().systemCall();
    }

    /** What was seen: a sentence. */
    String summary() {
        return question.who() + " on " + question.host() + ", " + LatencyFormat.nanos(flow.stretch().nanos()) + ": " + Sentence.of(FlowText.seen(flow, systemCall()));
    }

    /** The calls, one line each. */
    List<String> calls() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < flow.calls().size(); i++) {
            lines.add(FlowText.call(flow, i));
        }
        return lines;
    }

    /** What is not told or may be wrong, and what it cost, one sentence each. */
    List<String> caveats() {
        List<String> sentences = new ArrayList<>(FlowText.caveats(flow, systemCall()));
        sentences.addAll(FlowText.cost(flow));
        return sentences;
    }

    /** Likewise, with what is said of one call first. */
    List<String> caveats(int call) {
        List<String> sentences = new ArrayList<>(FlowText.caveats(flow.calls().get(call), trees.get(call).hiddenWaits()));
        sentences.addAll(caveats());
        return sentences;
    }

    /** A call as {@code kview flow} prints it. */
    String text(int call, boolean all) {
        StringBuilder text = new StringBuilder();
        FlowOutput output = new FlowOutput(part -> text.append(part) != null);
        new FlowReport(systemCall(), flow, all).call(output, call);
        output.finish();
        return text.toString();
    }

    /** A call as a table for spreadsheets. */
    String csv(int call) {
        return FlowCsv.of(flow.calls().get(call), trees.get(call));
    }
}
