// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.core.runtime.ILog;
import org.eclipse.ui.WorkbenchException;
import org.eclipse.ui.XMLMemento;
import org.kview.model.SessionInfo;
import org.kview.session.files.AtomicFile;

/**
 * Stores what was open with each session, in one file for each recording, in the workspace. It is not stored in the
 * session itself: others may read the session, it may be read-only, and the way one user looks at it is not part of it.
 */
final class MemoryStore {
    static final int AT_MOST = 500;
    static final String ROOT = "session";

    private static final long MAX_BYTES = 1 << 20;

    private final Path folder;

    MemoryStore(Path folder) {
        this.folder = folder;
    }

    /** A key that stays the same if the session is renamed, moved or zipped. */
    static String key(SessionInfo info) {
        String identity = String.join("\n", info.start().toString(), info.host(), Long.toString(info.pid()),
                info.command());
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    /** Empty if nothing is stored, or if it can't be read: then nothing is restored. */
    Optional<XMLMemento> load(String key) {
        Path file = file(key);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
                return Optional.empty();
            }
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return Optional.of(parse(Files.readString(file)));
        } catch (IOException | WorkbenchException e) {
            ILog.of(getClass()).warn("What was open with a session is not known any more: " + file, e);
            return Optional.empty();
        }
    }

    void save(String key, String xml) {
        try {
            Files.createDirectories(folder);
            // What someone looked at is nobody else's business.
            AtomicFile.replacePrivate(file(key), xml.getBytes(StandardCharsets.UTF_8));
            forgetOldest();
        } catch (IOException e) {
            ILog.of(getClass()).warn("What is open with a session could not be kept.", e);
        }
    }

    private Path file(String key) {
        return folder.resolve(key + ".xml");
    }

    private void forgetOldest() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(f -> f.toString().endsWith(".xml")).toList();
        }
        if (files.size() > AT_MOST) {
            for (Path file : files.stream().sorted(Comparator.comparing(f -> f.toFile().lastModified()))
                    .limit(files.size() - AT_MOST).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    static XMLMemento parse(String xml) throws WorkbenchException {
        try (Reader in = new StringReader(xml)) {
            return XMLMemento.createReadRoot(in);
        } catch (IOException e) {
            throw new IllegalStateException("A text can always be read", e);
        }
    }

    static String print(XMLMemento memento) {
        StringWriter out = new StringWriter();
        try {
            memento.save(out);
        } catch (IOException e) {
            throw new IllegalStateException("A text can always be written", e);
        }
        return out.toString();
    }
}
