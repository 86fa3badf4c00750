// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.session.SessionException;

/**
 * The {@code session.json} of a session of several hosts. It only lists them: each host's part is a
 * session of its own below {@code hosts/}, so that one that breaks off or is damaged costs no other.
 */
public final class HostsJson {
    public static final String FOLDER = "hosts";
    public static final String MEMBER = "hosts";
    public static final int LONGEST_NAME = 60;
    private static final int MOST_HOSTS = 1000;

    private HostsJson() {
    }

    /**
     * A host's place in a session.
     *
     * @param target as the user named it
     * @param folder of its part, relative to the session's
     */
    public record Entry(String target, String folder) {
    }

    /** Empty if it is the session.json of one host. */
    public static Optional<List<Entry>> read(SessionDocument document) throws SessionException {
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
    public static boolean isFolder(String path) {
        return path.matches(FOLDER + "/[0-9]{1,4}-[A-Za-z0-9._-]{1," + LONGEST_NAME + "}");
    }
}
