// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.targets.values.Calibration;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.HostInfo.Capability;
import org.kview.targets.values.InstructionCost;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a target can do and what probes cost there, for people and for programs.
 *
 * @param target      its name
 * @param host        what its agent says
 * @param costs       empty where they could not be measured
 * @param notMeasured one sentence then; else empty
 */
record DoctorReport(String target, HostInfo host, Optional<Calibration> costs, String notMeasured) {

    /** The names of what a recording lacks, as one text; empty if nothing. */
    String missing() {
        return host.capabilities().stream().filter(c -> c.required() && !c.available()).map(Capability::name)
                .collect(Collectors.joining(", "));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%s: host %s, Linux %s, %s, %d CPUs; agent %s running as uid %d%n", target,
                host.hostname(), host.kernel(), host.machine(), host.cpus(), host.agentVersion(), host.uid()));
        text.append(host.canRecord() ? "Functions can be recorded here.\n" : "Nothing can be recorded here.\n");
        text.append('\n');
        int width = host.capabilities().stream().mapToInt(c -> c.name().length()).max().orElse(0);
        for (Capability c : host.capabilities()) {
            text.append(String.format(Locale.ROOT, "  %-13s %-" + Math.max(1, width) + "s  %s%n",
                    c.available() ? "yes" : c.required() ? "no, required" : "no", c.name(), c.detail()).stripTrailing());
            text.append('\n');
        }
        text.append('\n');
        costs.ifPresentOrElse(c -> appendCosts(text, c),
                () -> text.append("What probes cost was not measured: ").append(notMeasured).append('\n'));
        return text.toString();
    }

    private static void appendCosts(StringBuilder text, Calibration costs) {
        text.append("What a probed call costs, by the instructions at the function's entry and exit:\n");
        text.append(String.format("  %-14s %-36s %10s %22s%n", "entry", "exit", "a call", "of that, subtracted"));
        costs.probes().stream().sorted(Comparator.comparingLong(Calibration.ProbeCost::callNanos))
                .forEach(c -> text.append(String.format("  %-14s %-36s %10s %22s%n", word(c.entry()),
                        c.exit() == ExitKind.URETPROBE ? "return address replaced"
                                : "probe on each return, " + word(c.exitCost()),
                        LatencyFormat.nanos(c.callNanos()), LatencyFormat.nanos(c.innerNanos()))));
        text.append("While a recording runs, a context switch of any other process takes ")
                .append(LatencyFormat.nanos(costs.switchNanos())).append(" longer.\n");
        if (!costs.note().isEmpty()) {
            text.append(costs.note()).append('\n');
        }
        if (!costs.ways().isEmpty()) {
            text.append("\nWhat other ways to measure cost, a call and other processes:\n");
            costs.ways().forEach(way -> text.append("  ").append(way.name()).append(": ").append(cost(way)).append('\n'));
        }
    }

    private static String cost(Calibration.WayCost way) {
        return !way.missing().isEmpty() ? "not here. " + way.missing()
                : (way.callNanos() == 0 ? "a call's cost is not known" : LatencyFormat.nanos(way.callNanos()) + " a call") + ". " + way.others();
    }

    private static String word(InstructionCost cost) {
        return switch (cost) {
            case EMULATED -> "emulated";
            case SINGLE_STEPPED -> "single-stepped";
            case UNKNOWN -> "unknown";
        };
    }

    String json() {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("schema", "kview-doctor/1").put("target", target).put("host", host.hostname())
                .put("kernel", host.kernel()).put("machine", host.machine()).put("cpus", host.cpus());
        root.putObject("agent").put("version", host.agentVersion()).put("uid", host.uid());
        root.put("can_record", host.canRecord());
        ArrayNode capabilities = root.putArray("capabilities");
        host.capabilities().forEach(c -> capabilities.addObject().put("name", c.name())
                .put("available", c.available()).put("required", c.required()).put("detail", c.detail()));
        costs.ifPresentOrElse(c -> putCosts(root.putObject("costs"), c),
                () -> root.putNull("costs").put("costs_missing", notMeasured));
        return root.toPrettyString();
    }

    private static void putCosts(ObjectNode node, Calibration costs) {
        ArrayNode probes = node.putArray("probes");
        costs.probes().forEach(c -> probes.addObject().put("entry", id(c.entry())).put("exit_kind", id(c.exit()))
                .put("exit", id(c.exitCost())).put("inner_ns", c.innerNanos()).put("call_ns", c.callNanos()));
        node.put("switch_ns", costs.switchNanos());
        if (!costs.note().isEmpty()) {
            node.put("note", costs.note());
        }
        ArrayNode ways = node.putArray("ways");
        costs.ways().forEach(way -> ways.addObject().put("name", way.name()).put("call_ns", way.callNanos())
                .put("others", way.others()).put("missing", way.missing()));
    }

    private static String id(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
