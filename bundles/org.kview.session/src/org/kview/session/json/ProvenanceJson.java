// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import org.kview.model.Provenance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a recording was made with and on, as members of {@code session.json} and of the report. */
public final class ProvenanceJson {
    private ProvenanceJson() {
    }

    /** Adds nothing where nothing is known. */
    public static void write(ObjectNode root, Provenance provenance) {
        if (provenance.equals(Provenance.UNKNOWN)) {
            return;
        }
        ObjectNode node = root.putObject("provenance").put("workbench", provenance.workbench())
                .put("agent", provenance.agent());
        node.putObject("machine").put("architecture", provenance.architecture()).put("cpus", provenance.cpus())
                .put("cpu_model", provenance.cpuModel()).put("boot_id", provenance.bootId());
        provenance.origin().ifPresent(trace -> node.putObject("imported").put("trace", trace.path()).put("reader", trace.reader()));
        ArrayNode binaries = node.putArray("binaries");
        provenance.binaries().forEach(b -> binaries.addObject().put("path", b.path()).put("build_id", b.buildId()));
        ArrayNode subjects = root.putArray("subjects");
        provenance.processes().forEach(s -> subjects.addObject().put("id", s.id()).put("kind", s.kind())
                .put("pid", s.pid()).put("name", s.name()).put("executable", s.executable())
                .put("start_ns", s.startNanos()).put("cgroup", s.cgroup()));
    }
}
