// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.kview.session.SessionException;
import org.kview.session.files.Disk;
import org.kview.session.format.HostsJson;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.format.SessionKind;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Makes the folder of a session of several hosts, before any of them is recorded. */
public final class HostsFolder {
    private HostsFolder() {
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
        ArrayNode hosts = root.putArray(HostsJson.MEMBER);
        Map<String, Path> folders = new LinkedHashMap<>();
        for (String target : targets) {
            String name = HostsJson.FOLDER + "/" + folderName(target, folders.size());
            hosts.addObject().put("target", target).put("folder", name);
            folders.put(target, session.resolve(name));
        }
        try {
            Files.createDirectory(session.resolve(HostsJson.FOLDER));
            Disk.REAL.replace(session.resolve(SessionFiles.SESSION_JSON), SessionJsonWriter.sign(root));
        } catch (IOException e) {
            throw SessionException.of("The session " + session + " can't be created", e);
        }
        return folders;
    }

    /** "1-root_web-3.example_22": numbered, as two targets may differ only in what a file name can't hold. */
    private static String folderName(String target, int index) {
        String safe = target.replaceAll("[^A-Za-z0-9.-]", "_");
        return index + 1 + "-" + safe.substring(0, Math.min(HostsJson.LONGEST_NAME, safe.length()));
    }
}
