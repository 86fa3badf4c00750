// SPDX-License-Identifier: EPL-2.0
package org.kview.session.repair;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.kview.model.SessionInfo;
import org.kview.session.SessionException;
import org.kview.session.files.Disk;
import org.kview.session.format.Allowance;
import org.kview.session.format.HostsJson;
import org.kview.session.format.SessionDocument;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonReader;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.format.SessionLock;
import org.kview.session.read.SessionSummary;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Brings a session whose recorder died to an end. */
public final class SessionRepair {
    static final String CUT_OFF_NOTE = "The program that recorded it ended in the middle.";

    private SessionRepair() {
    }

    /**
     * Finishes a session that was cut off, where it is: it is marked as broken off, and what its
     * recorder left lying about is removed. Its figures stay what they are.
     *
     * @throws SessionException if its recording goes on, or if its session.json can't be read or replaced
     */
    public static void finish(Path folder) throws SessionException {
        requireNotRecording(folder);
        for (Path host : hosts(folder)) {
            // One that can't be read is named when the session is opened; the others are finished.
            if (SessionSummary.read(host).info().isPresent()) {
                finish(host);
            }
        }
        Path json = folder.resolve(SessionFiles.SESSION_JSON);
        try {
            Allowance allowance = Allowance.usual();
            SessionDocument document = SessionDocument.read(json, allowance);
            // Writing it again would give a valid checksum to a file that somebody else has changed.
            if (HostsJson.read(document).isEmpty() && document.intact()
                    && SessionJsonReader.decode(document, allowance).info().state() == SessionInfo.State.RECORDING) {
                Disk.REAL.replace(json, SessionJsonWriter.sign(broken(document)));
            }
            removeLeftovers(folder);
        } catch (IOException e) {
            throw SessionException.of(folder + " can't be finished", e);
        }
    }

    /** Changes only these two members: others may come from a later version. */
    private static ObjectNode broken(SessionDocument document) {
        ObjectNode root = (ObjectNode) document.root();
        ((ObjectNode) root.get("session")).put("state", SessionInfo.State.FAILED.name().toLowerCase(Locale.ROOT))
                .put("state_note", CUT_OFF_NOTE);
        return root;
    }

    /** @throws SessionException if so, with what to do */
    public static void requireNotRecording(Path session) throws SessionException {
        boolean recording = Files.isDirectory(session) && SessionLock.isHeld(session);
        for (Path host : hosts(session)) {
            recording |= SessionLock.isHeld(host);
        }
        if (recording) {
            throw new SessionException(session + " is being recorded: stop the recording first");
        }
    }

    /** The folders of its hosts, if it is of several. */
    private static List<Path> hosts(Path session) throws SessionException {
        List<Path> folders = new ArrayList<>();
        Path parent = session.resolve(HostsJson.FOLDER);
        if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            return folders;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent,
                entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))) {
            entries.forEach(folders::add);
        } catch (IOException | DirectoryIteratorException e) {
            throw SessionException.of(parent + " can't be read",
                    e instanceof DirectoryIteratorException d ? d.getCause() : (IOException) e);
        }
        return folders;
    }

    static void removeLeftovers(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder,
                "{" + SessionFiles.RESERVE + "," + SessionFiles.LOCK + ",*" + SessionFiles.TEMPORARY_SUFFIX + "}")) {
            for (Path entry : entries) {
                Files.delete(entry);
            }
        }
    }
}
