// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import org.kview.model.ComparedWays;
import org.kview.model.CostToOthers.Interval;
import org.kview.session.json.WaysJson;
import org.kview.session.report.WaysText;
import org.kview.targets.values.HostInfo;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What ways to record cost on a target, for people and for programs.
 *
 * @param host           what its agent says
 * @param callsPerSecond of the machine for which it is reckoned what others pay
 */
record WaysReport(HostInfo host, ComparedWays compared, long callsPerSecond) {

    String text() {
        WaysText words = new WaysText(compared, callsPerSecond);
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%s: host %s, Linux %s, %s, %d CPUs%n%n", compared.target(),
                host.hostname(), host.kernel(), host.machine(), host.cpus()));
        List<List<String>> lines = words.lines();
        List<String> headings = words.headings();
        int[] widths = IntStream.range(0, headings.size()).map(column -> Math.max(headings.get(column).length(),
                lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0))).toArray();
        append(text, headings, widths);
        lines.forEach(line -> append(text, line, widths));
        words.sentences().forEach(sentence -> text.append('\n').append(sentence).append('\n'));
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> line, int[] widths) {
        StringBuilder cells = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            cells.append("  ").append(String.format("%-" + widths[i] + "s", line.get(i)));
        }
        text.append(cells.toString().stripTrailing()).append('\n');
    }

    String json() {
        ObjectNode root = WaysJson.write(compared);
        root.put("host", host.hostname()).put("calls_per_second", callsPerSecond);
        for (int i = 0; i < compared.ways().size(); i++) {
            ObjectNode node = (ObjectNode) root.path("ways").get(i);
            compared.ways().get(i).costs().stream().findFirst().flatMap(ComparedWays.Cost::others).filter(Interval::isToldApart).ifPresent(
                    others -> node.put("others_cpus", ComparedWays.cpus(others.nanos(), callsPerSecond)));
        }
        return root.toPrettyString();
    }
}
