/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The {@code session.json} of a session of several hosts. It only lists them: each host's part is a
 * session of its own below {@code hosts/}, so that one that breaks off or is damaged costs no other.
 */
final class HostsJson {
    static final String FOLDER = "hosts";
    static final String MEMBER = "hosts";
    static final int LONGEST_NAME = 60;
    private static final int MOST_HOSTS = 1000;

    private HostsJson() {
    }

    /**
     * A host's place in a session.
     *
     * @param target as the user named it
     * @param folder of its part, relative to the session's
     */
    record Entry(String target, String folder) {
    }

    /** Empty if it is the session.json of one host. */
    static Optional<List<Entry>> read(SessionDocument document) throws SessionException {
        if (document.kind() != SessionKind.HOSTS) {
            return Optional.empty();
        }
        JsonFields root = new JsonFields(SessionFiles.SESSION_JSON, document.root(), "");
        List<Entry> entries = new ArrayList<>();
        for (JsonFields host : root.objects(MEMBER)) {
            String folder = host.text("folder");
            if (!isFolder(folder) || entries.size() == MOST_HOSTS) {
                throw host.damaged("folder", "is no folder of a host");
            }
            entries.add(new Entry(host.text("target"), folder));
        }
        if (entries.isEmpty()) {
            throw root.damaged(MEMBER, "is empty");
        }
        return Optional.of(entries);
    }

    /** Whether a path, relative to a session, is that of a host's part; never one that leads elsewhere. */
    static boolean isFolder(String path) {
        return path.matches(FOLDER + "/[0-9]{1,4}-[A-Za-z0-9._-]{1," + LONGEST_NAME + "}");
    }
}
