// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.kview.session.format.SessionFiles;
import org.kview.session.read.TraceFiles.Piece;
import org.kview.session.read.TraceFiles.StreamFile;

/**
 * Tells traces apart: two traces with the same identity hold the same events, and the same events are missing in both. A
 * copy of a trace has the identity of the original. The exception is a large trace of which not all packets were compared
 * with checksums: once one of its files was written to, or replaced, it counts as another trace.
 */
final class TraceIdentity {
    private static final int HEX_DIGITS = 40;
    /** A stream without checksums that is not longer is read instead. */
    private static final long MOST_READ_BYTES = 64L << 20;

    private TraceIdentity() {
    }

    /**
     * Letters and digits that can be part of a file's name.
     *
     * @param whole whether nothing is known to be missing
     * @param ended whether its recording ended as it should
     */
    static String of(TraceFiles files, boolean whole, boolean ended) throws IOException {
        MessageDigest digest = digest();
        digest.update((byte) ((whole ? 1 : 0) + (ended ? 2 : 0)));
        add(digest, files.folder().resolve(SessionFiles.METADATA));
        Path sums = files.folder().resolveSibling(SessionFiles.PACKET_SUMS);
        boolean hasSums = Files.isRegularFile(sums);
        if (hasSums) {
            add(digest, sums);
        }
        for (StreamFile stream : files.streams()) {
            add(digest, stream.cpu(), stream.totalBytes(), stream.scannedBytes(), stream.packets(), stream.damaged(),
                    stream.pieces().size());
            for (Piece piece : stream.pieces()) {
                add(digest, piece.begin(), piece.end());
            }
            if (!hasSums || stream.uncheckedBytes() > 0) {
                addUnchecked(digest, stream);
            }
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, HEX_DIGITS);
    }

    private static void addUnchecked(MessageDigest digest, StreamFile stream) throws IOException {
        if (stream.totalBytes() <= MOST_READ_BYTES) {
            add(digest, stream.file());
        } else {
            digest.update((stream.file().toRealPath() + " " + Files.getLastModifiedTime(stream.file()) + " "
                    + Files.getAttribute(stream.file(), "unix:ino")).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Each Java has SHA-256", e);
        }
    }

    private static void add(MessageDigest digest, Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        add(digest, bytes.length);
        digest.update(bytes);
    }

    private static void add(MessageDigest digest, long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        bytes.asLongBuffer().put(numbers);
        digest.update(bytes);
    }
}
