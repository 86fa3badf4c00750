// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.Provenance;
import org.kview.model.Scope;
import org.kview.session.SessionException;

/** Reads who was measured. */
final class ScopesReader {
    private ScopesReader() {
    }

    /** A session of an older version has no scopes: it is of the process that it names by its number. */
    static List<Scope> read(JsonFields session, Provenance provenance) throws SessionException {
        long pid = session.count("pid");
        if (!session.node().has("scopes")) {
            return pid == 0 ? List.of() : List.of(new Scope.Process(pid, startNanos(provenance, pid)));
        }
        List<Scope> scopes = new ArrayList<>();
        for (JsonFields scope : session.objects("scopes")) {
            scopes.add(scope(scope));
        }
        return scopes;
    }

    private static Scope scope(JsonFields fields) throws SessionException {
        String kind = fields.optionalText("kind").orElse("");
        return switch (kind) {
            case Scope.Process.KIND -> fields.value(() -> new Scope.Process(fields.count("pid"), fields.optionalCount("start_ns")));
            case Scope.Cgroup.KIND -> {
                List<Scope.Member> members = members(fields);
                yield fields.value(() -> new Scope.Cgroup(fields.text("path"), fields.optionalCount("leader"), members, more(fields)));
            }
            case Scope.Tree.KIND -> {
                List<Scope.Member> members = members(fields);
                yield fields.value(() -> new Scope.Tree(fields.count("pid"), fields.optionalCount("start_ns"), members, more(fields)));
            }
            default -> new Scope.Unknown(kind, fields.optionalCount("pid"));
        };
    }

    private static List<Scope.Member> members(JsonFields fields) throws SessionException {
        List<Scope.Member> members = new ArrayList<>();
        for (JsonFields member : fields.objects("processes")) {
            members.add(member.value(() -> new Scope.Member(member.count("pid"), member.text("name"))));
        }
        return members;
    }

    private static boolean more(JsonFields fields) {
        return fields.node().path("more_processes").asBoolean();
    }

    private static long startNanos(Provenance provenance, long pid) {
        return provenance.processes().stream().filter(p -> p.pid() == pid).findFirst()
                .map(Provenance.TracedProcess::startNanos).orElse(0L);
    }
}
