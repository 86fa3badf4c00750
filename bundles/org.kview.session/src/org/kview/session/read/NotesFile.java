// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;

import org.kview.model.SessionNotes;
import org.kview.session.SessionException;
import org.kview.session.files.AtomicFile;
import org.kview.session.format.NotesJson;
import org.kview.session.format.SessionFiles;

/**
 * The notes of one session as they were read, and the way to replace them. Two workbenches may have
 * the same session open: neither overwrites what it has not seen.
 *
 * @param session  its folder or zip
 * @param notes    what was read; none if the session has no {@code notes.json}
 * @param readOnly one sentence why they can't be changed; empty if they can
 * @param bytes    the file's, to tell whether someone else changed it; none if there was no file
 */
public record NotesFile(Path session, SessionNotes notes, String readOnly, byte[] bytes) {
    private static final int MAX_BYTES = 16 << 20;

    /** Someone else has changed the notes since they were read. */
    public static final class ChangedException extends IOException {
        private static final long serialVersionUID = 1;

        ChangedException(Path file) {
            super(file + " was changed by another program since it was read: load its notes, or keep yours");
        }
    }

    /**
     * Reads a session's notes.
     *
     * @throws SessionException if they are damaged, of a newer version, or can't be read
     */
    public static NotesFile read(Path session) throws SessionException {
        boolean zip = !Files.isDirectory(session);
        byte[] bytes = zip ? SessionZip.read(session, SessionFiles.NOTES_JSON, MAX_BYTES).orElse(new byte[0])
                : bytes(session.resolve(SessionFiles.NOTES_JSON));
        String readOnly = zip ? "The notes of a zip can't be changed: unzip it first."
                : Files.isWritable(session) ? "" : "The notes can't be changed: there is no permission to write to "
                        + session + ".";
        return new NotesFile(session, bytes.length == 0 ? SessionNotes.NONE : NotesJson.decode(bytes), readOnly, bytes);
    }

    /**
     * Replaces the notes, as a whole or not at all.
     *
     * @return what is there now
     * @throws ChangedException if the file is no longer as it was read
     * @throws SessionException if it can't be written
     */
    public NotesFile write(SessionNotes changed) throws SessionException, ChangedException {
        if (!readOnly.isEmpty()) {
            throw new SessionException(readOnly);
        }
        Path file = session.resolve(SessionFiles.NOTES_JSON);
        if (!Files.isDirectory(session)) {
            throw new SessionException("The notes can't be written: " + session + " is no longer there");
        }
        if (!Arrays.equals(bytes(file), bytes)) {
            throw new ChangedException(file);
        }
        return overwrite(changed);
    }

    /**
     * Replaces the notes whatever they have become, even damaged ones.
     *
     * @throws SessionException if they can't be written
     */
    public NotesFile overwrite(SessionNotes changed) throws SessionException {
        byte[] next = NotesJson.encode(changed);
        try {
            AtomicFile.replace(session.resolve(SessionFiles.NOTES_JSON), next);
        } catch (IOException e) {
            throw SessionException.of("The notes could not be written to " + session, e);
        }
        return new NotesFile(session, changed, readOnly, next);
    }

    private static byte[] bytes(Path file) throws SessionException {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return new byte[0];
            }
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new SessionException(file + " is no file");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new SessionException(file + " is damaged: it is far too large");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw SessionException.of(file + " can't be read", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NotesFile o && session.equals(o.session) && Arrays.equals(bytes, o.bytes)
                && readOnly.equals(o.readOnly);
    }

    @Override
    public int hashCode() {
        return 31 * session.hashCode() + Arrays.hashCode(bytes);
    }
}
