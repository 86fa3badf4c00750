// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.Arrays;

import org.kview.session.SessionException;

import com.fasterxml.jackson.databind.JsonNode;

/** What a {@code session.json} describes. Each kind has its own version numbers. */
public enum SessionKind {
    /**
     * One host's figures. In version 2 a metric may also be absent because it was not measured; in version 3 there may be
     * tracepoints, whose hits are no calls.
     */
    RECORDING("recording", 3),
    /**
     * A list of hosts, each with its own session. Its first version has the number 2, so that older readers refuse it.
     */
    HOSTS("hosts", 2);

    private static final int MOST_DIGITS = 6;

    private final String id;
    private final int version;

    SessionKind(String id, int version) {
        this.id = id;
        this.version = version;
    }

    /** The name in the file; never changes. */
    public String id() {
        return id;
    }

    /** The newest that is known. */
    public int version() {
        return version;
    }

    /** @throws SessionException if it is no session.json, or one of a newer version or of a kind that is not known */
    static SessionKind of(JsonNode root) throws SessionException {
        String prefix = SessionJsonWriter.SCHEMA_PREFIX;
        String schema = new JsonFields(SessionFiles.SESSION_JSON, root, "").text("schema");
        if (!schema.startsWith(prefix) || !schema.substring(prefix.length()).matches("[1-9][0-9]{0," + (MOST_DIGITS - 1) + "}")) {
            throw new SessionException(SessionFiles.SESSION_JSON + " is damaged: it is no session of Kview Workbench");
        }
        JsonNode named = root.path("kind");
        // Older ones had no name.
        String id = named.isTextual() ? named.textValue() : root.has(HostsJson.MEMBER) ? HOSTS.id : RECORDING.id;
        SessionKind kind = Arrays.stream(values()).filter(known -> known.id.equals(id)).findFirst()
                .orElseThrow(() -> new SessionException("This session was made by a newer Kview Workbench (it is of the kind \""
                        + id + "\", which this one does not know): update to open it"));
        if (Integer.parseInt(schema.substring(prefix.length())) > kind.version) {
            throw new SessionException("This session was recorded by a newer Kview Workbench (its format is " + schema
                    + ", this one reads up to " + prefix + kind.version + "): update to open it");
        }
        return kind;
    }

    /** Whether it is a session's, of a version or a kind that is not known. */
    static boolean isNewer(JsonNode root) {
        try {
            of(root);
            return false;
        } catch (SessionException e) {
            return e.getMessage().startsWith("This session was");
        }
    }
}
