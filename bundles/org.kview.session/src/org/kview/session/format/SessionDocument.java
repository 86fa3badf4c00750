// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

import org.kview.session.SessionException;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * A {@code session.json} that was read and parsed, and whose kind and version are known.
 *
 * @param root   its members
 * @param kind   what it is of
 * @param intact whether its checksum is that of its bytes
 */
public record SessionDocument(JsonNode root, SessionKind kind, boolean intact) {
    /** A session of ten thousand functions takes less than half of that. */
    public static final long MAX_BYTES = 64L << 20;

    private static final String FILE = SessionFiles.SESSION_JSON;
    private static final int MAX_TAIL_BYTES = 4096;

    /** @throws SessionException if it is no session.json, one of a newer version, or larger than any is */
    public static SessionDocument read(Path file, Allowance allowance) throws SessionException {
        try {
            if (!Files.isRegularFile(file)) {
                throw new SessionException(file + (Files.exists(file) ? " is no file"
                        : " is missing: this is no session of Kview Workbench, or a damaged one"));
            }
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw new SessionException(file + " is damaged: it is far too large");
            }
            if (!allowance.take(Allowance.Of.TEXT, size)) {
                throw new SessionException(file + " is not read: the parts of this session are together larger than"
                        + " any session is; open this part by itself");
            }
            allowance.read(size);
            return parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw SessionException.of(file + " can't be read", e);
        }
    }

    /** Likewise of its bytes. */
    public static SessionDocument parse(byte[] bytes) throws SessionException {
        JsonNode root;
        try {
            root = ValuesJson.MAPPER.readTree(bytes);
        } catch (StreamConstraintsException e) {
            throw new SessionException(FILE + " is damaged: it holds more values, or deeper ones, than any session does", e);
        } catch (IOException e) {
            throw new SessionException(FILE + " is damaged: it is cut off or no JSON", e);
        }
        return new SessionDocument(root, SessionKind.of(root), isIntact(bytes));
    }

    private static boolean isIntact(byte[] bytes) {
        // The checksum is looked for at the end only, so that the rest need not be copied.
        int tail = Math.max(0, bytes.length - MAX_TAIL_BYTES);
        String text = new String(bytes, tail, bytes.length - tail, StandardCharsets.ISO_8859_1);
        int inTail = text.lastIndexOf(SessionJsonWriter.CHECKSUM_MARK);
        if (inTail < 0) {
            return false;
        }
        String stated = text.substring(inTail + SessionJsonWriter.CHECKSUM_MARK.length());
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, tail + inTail);
        return stated.strip().matches("[0-9a-f]{8}\"\\s*}") && Long.parseLong(stated.substring(0, 8), 16) == crc.getValue();
    }
}
