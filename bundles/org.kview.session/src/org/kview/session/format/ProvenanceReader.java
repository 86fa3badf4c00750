// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.Provenance;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What {@code session.json} says of where a recording comes from. None of it is a figure: what is missing, or of another
 * kind than this version writes, is not known, and no damage.
 */
public final class ProvenanceReader {
    private ProvenanceReader() {
    }

    public static Provenance read(JsonNode root) {
        JsonNode node = root.path("provenance");
        JsonNode machine = node.path("machine");
        List<Provenance.Binary> binaries = new ArrayList<>();
        node.path("binaries").forEach(b -> binaries.add(new Provenance.Binary(text(b, "path"), text(b, "build_id"))));
        List<Provenance.TracedProcess> processes = new ArrayList<>();
        root.path("subjects").forEach(s -> processes.add(new Provenance.TracedProcess((int) count(s, "id", Integer.MAX_VALUE),
                text(s, "kind"), count(s, "pid", Long.MAX_VALUE), text(s, "name"), text(s, "executable"),
                count(s, "start_ns", Long.MAX_VALUE), text(s, "cgroup"))));
        return new Provenance(text(node, "workbench"), text(node, "agent"), text(machine, "architecture"),
                (int) count(machine, "cpus", Integer.MAX_VALUE), text(machine, "cpu_model"), text(machine, "boot_id"),
                processes, binaries, origin(node.path("imported")));
    }

    private static Optional<Provenance.Trace> origin(JsonNode node) {
        return node.isObject() ? Optional.of(new Provenance.Trace(text(node, "trace"), text(node, "reader"))) : Optional.empty();
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).isTextual() ? node.path(name).textValue() : "";
    }

    private static long count(JsonNode node, String name, long most) {
        JsonNode value = node.path(name);
        return value.canConvertToLong() && value.isIntegralNumber() && value.longValue() >= 0
                && value.longValue() <= most ? value.longValue() : 0;
    }
}
