// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.util.List;
import java.util.Locale;

import org.kview.model.LatencyFormat;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.recording.FunctionSearch.FileCount;
import org.kview.recording.FunctionSearch.Found;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.InstructionCost;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The functions of a program or file, for people and for programs.
 *
 * @param target   where it is
 * @param pid      of the process; 0 for a file
 * @param pattern  what was looked for
 * @param found    what was found of it
 * @param names    of its files
 * @param costNote one sentence where what probes cost is uncertain or could not be measured; otherwise empty
 */
record FunctionsReport(String target, long pid, String pattern, Found found, BinaryNames names, String costNote) {
    private static final int MOST_NAME = 60;
    private static final int MOST_ALIASES = 4;
    private static final String COST = "  Adds to a call";

    String text() {
        StringBuilder text = new StringBuilder();
        List<String> probes = found.functions().stream().map(f -> TerminalText.printable(names.probe(f))).toList();
        int width = Math.min(MOST_NAME, probes.stream().mapToInt(String::length).max().orElse(0));
        boolean priced = found.functions().stream().anyMatch(f -> f.price().nanos() > 0);
        text.append(TerminalText.left("BIN:FUNC", width)).append("       Size").append(priced ? COST : "")
                .append("  Its end is seen by\n");
        for (int i = 0; i < probes.size(); i++) {
            FunctionInfo function = found.functions().get(i);
            String name = probes.get(i);
            if (name.length() > width) {
                text.append(name).append('\n');
                name = "";
            }
            text.append(TerminalText.left(name, width)).append(TerminalText.right(function.point().sizeBytes() == 0 ? "?"
                    : LatencyFormat.count(function.point().sizeBytes()) + " B", 11))
                    .append(priced ? TerminalText.right(cost(function), COST.length()) : "")
                    .append("  ").append(end(function)).append('\n');
            if (!function.aliases().isEmpty()) {
                text.append("    also ").append(aliases(function.aliases())).append('\n');
            }
        }
        return text.toString();
    }

    private static String cost(FunctionInfo function) {
        return !function.probeable() ? "" : function.price().nanos() == 0 ? "?"
                : LatencyFormat.nanos(function.price().nanos());
    }

    private static String aliases(List<String> names) {
        return TerminalText.printable(String.join(", ", names.stream().limit(MOST_ALIASES).toList()))
                + (names.size() > MOST_ALIASES ? " and " + (names.size() - MOST_ALIASES) + " more" : "");
    }

    /** In the same words as {@link DoctorReport}, whose table shows what each kind costs. */
    private static String end(FunctionInfo function) {
        if (!function.probeable()) {
            return "can't be probed: " + TerminalText.printable(function.reason());
        }
        StringBuilder text = new StringBuilder(function.ends().kind() == ExitKind.URETPROBE ? "return address replaced"
                : function.ends().sites() == 0 ? "nothing: it has no return"
                        : "probe on each return (" + function.ends().sites() + "), " + word(function.price().exit()));
        text.append("; entry ").append(word(function.price().entry()));
        if (!function.ends().goesOnTo().isEmpty()) {
            text.append("; until it goes on to ").append(TerminalText.printable(String.join(" or ", function.ends().goesOnTo())));
        }
        return text.toString();
    }

    private static String word(InstructionCost cost) {
        return cost.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String json() {
        ObjectNode root = new ObjectMapper().createObjectNode().put("schema", "kview-functions/1").put("target", target);
        if (pid != 0) {
            root.put("pid", pid);
        }
        root.put("pattern", pattern).put("total", found.total()).put("shown", found.functions().size());
        if (!costNote.isEmpty()) {
            root.put("cost_note", costNote);
        }
        add(root.putArray("files"), found.files().stream().map(FileCount::path).toList());
        ArrayNode binaries = root.putArray("binaries");
        found.files().forEach(file -> binaries.addObject().put("bin", names.of(file.path())).put("binary", file.path())
                .put("total", file.total()).put("examined", file.examined()).put("probeable", file.probeable()));
        add(root.putArray("not_searched"), found.unsearched());
        ArrayNode functions = root.putArray("functions");
        for (FunctionInfo f : found.functions()) {
            ObjectNode node = functions.addObject().put("probe", names.probe(f)).put("name", f.name())
                    .put("symbol", f.point().symbol()).put("binary", f.point().binary())
                    .put("size_bytes", f.point().sizeBytes()).put("language", id(f.language())).put("probeable", f.probeable());
            if (f.probeable()) {
                node.put("entry", id(f.price().entry())).put("exit_kind", id(f.ends().kind())).put("exit", id(f.price().exit()))
                        .put("exit_sites", f.ends().sites());
            } else {
                node.put("reason", f.reason());
            }
            if (f.price().nanos() > 0) {
                node.put("predicted_cost_ns", f.price().nanos());
            }
            add(node.putArray("aliases"), f.aliases());
            add(node.putArray("goes_on_to"), f.ends().goesOnTo());
            if (f.inlinedPlaces() > 0) {
                node.put("inlined_places", f.inlinedPlaces());
            }
        }
        return root.toPrettyString();
    }

    private static void add(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    /** As JSON and CSV name it. */
    static String id(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Writes a figure whose value 0 means that it is not known. */
    static String known(long figure) {
        return figure == 0 ? "" : Long.toString(figure);
    }
}
