// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.util.List;
import java.util.stream.Stream;

import org.kview.cli.console.Console;
import org.kview.model.LatencyFormat;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.model.SafeText;
import org.kview.session.report.CsvLine;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.PointNames;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The static probes of a file, for people and for programs.
 *
 * @param target where it is
 * @param pid    of the process; 0 for a file
 * @param wanted what was looked for
 * @param found  what was found of it
 * @param most   so many names were asked for
 */
record StaticProbesReport(String target, long pid, ProbeSpec wanted, PointNames found, int most) {
    private static final List<String> COLUMNS = List.of("probe", "provider", "name", "binary", "probeable", "reason");

    /** @param reason why it can't be measured; empty: it can */
    private record Line(ProbePoint.Usdt point, String reason) {
    }

    private Stream<Line> lines() {
        return Stream.concat(found.names().stream().map(name -> new Line(ProbePoint.Usdt.of(found.binary(), name), "")),
                found.refused().stream().map(refused -> new Line(ProbePoint.Usdt.of(found.binary(), refused.name()), refused.reason())));
    }

    /** As {@code record --probe} takes it, with the file as the user named it. */
    private String probe(Line line) {
        return line.point().labelIn(pid == 0 ? found.binary() : wanted.binary());
    }

    /** Prints a list if neither JSON nor CSV is wanted. */
    void tell(Console console, boolean json, boolean csv) {
        if (json) {
            console.json(json());
            return;
        }
        if (csv) {
            console.part(csv());
        } else {
            console.result(text());
        }
        if (found.notLoaded()) {
            console.say("the process has not loaded " + SafeText.line(found.binary()) + " so far");
        }
        if (found.total() > found.names().size()) {
            console.say(LatencyFormat.count(found.names().size()) + " of " + LatencyFormat.count(found.total()) + " shown; "
                    + (most < FunctionsCommand.MOST ? "--all shows more, " : "") + "a glob such as '*name*' fewer");
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        lines().forEach(line -> text.append(TerminalText.printable(probe(line))).append(line.reason().isEmpty() ? ""
                : "  can't be measured: " + TerminalText.printable(line.reason())).append('\n'));
        return text.toString();
    }

    String csv() {
        StringBuilder text = new StringBuilder(CsvLine.of(COLUMNS));
        lines().forEach(line -> text.append(CsvLine.of(Stream.of(probe(line), line.point().provider(), line.point().name(),
                line.point().binary(), Boolean.toString(line.reason().isEmpty()), line.reason()).map(SafeText::line).toList())));
        return text.toString();
    }

    String json() {
        ObjectNode root = new ObjectMapper().createObjectNode().put("schema", "kview-static-probes/1").put("target", target);
        if (pid != 0) {
            root.put("pid", pid);
        }
        root.put("pattern", wanted.pattern()).put("binary", found.binary()).put("not_loaded", found.notLoaded())
                .put("total", found.total() + found.refused().size());
        ArrayNode probes = root.putArray("probes");
        lines().forEach(line -> {
            ObjectNode node = probes.addObject().put("probe", probe(line)).put("provider", line.point().provider())
                    .put("name", line.point().name()).put("probeable", line.reason().isEmpty());
            if (!line.reason().isEmpty()) {
                node.put("reason", line.reason());
            }
        });
        return root.toPrettyString();
    }
}
