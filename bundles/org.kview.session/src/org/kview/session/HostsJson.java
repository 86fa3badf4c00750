/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The {@code session.json} of a session of several hosts. It only lists them: each host's part is a
 * session of its own below {@code hosts/}, so that one that breaks off or is damaged costs no other.
 */
public final class HostsJson {
    static final String FOLDER = "hosts";
    private static final int MOST_HOSTS = 1000;
    private static final int LONGEST_NAME = 60;
    static final String MEMBER = "hosts";

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

    /**
     * Turns a new session's folder into one of several hosts.
     *
     * @param session the folder, which exists and is empty
     * @param targets the hosts, each once
     * @return the folder of each host's part, in that order; they don't exist yet
     */
    public static Map<String, Path> create(Path session, List<String> targets) throws SessionException {
        ObjectNode root = ValuesJson.MAPPER.createObjectNode()
                .put("schema", SessionJsonWriter.SCHEMA_PREFIX + SessionKind.HOSTS.version())
                .put("kind", SessionKind.HOSTS.id());
        ArrayNode hosts = root.putArray(MEMBER);
        Map<String, Path> folders = new LinkedHashMap<>();
        for (String target : targets) {
            String name = FOLDER + "/" + folderName(target, folders.size());
            hosts.addObject().put("target", target).put("folder", name);
            folders.put(target, session.resolve(name));
        }
        try {
            Files.createDirectory(session.resolve(FOLDER));
            Disk.REAL.replace(session.resolve(SessionFiles.SESSION_JSON), SessionJsonWriter.sign(root));
        } catch (IOException e) {
            throw SessionException.of("The session " + session + " can't be created", e);
        }
        return folders;
    }

    /** "1-root_web-3.example_22": numbered, as two targets may differ only in what a file name can't hold. */
    private static String folderName(String target, int index) {
        String safe = target.replaceAll("[^A-Za-z0-9.-]", "_");
        return index + 1 + "-" + safe.substring(0, Math.min(LONGEST_NAME, safe.length()));
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
