// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** The version of the Common Trace Format, by the first bytes of a trace's metadata. */
final class TraceFormat {
    /** Before each fragment of a metadata of CTF 2 that is not in packets. */
    private static final byte RECORD_SEPARATOR = 0x1e;
    private static final String PACKET_MAGIC = "75d11d57", PACKET_MAGIC_LITTLE = "571dd175";
    private static final int MAGIC_BYTES = 4;
    /** In the head of a packet, whichever version it is of. */
    private static final int MAJOR_AT = 35;

    private TraceFormat() {
    }

    static boolean isCtf2(Path metadata) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(metadata)) {
            head = in.readNBytes(MAJOR_AT + 1);
        }
        if (head.length > 0 && head[0] == RECORD_SEPARATOR) {
            return true;
        }
        String magic = HexFormat.of().formatHex(head, 0, Math.min(MAGIC_BYTES, head.length));
        return (magic.equals(PACKET_MAGIC) || magic.equals(PACKET_MAGIC_LITTLE)) && head.length > MAJOR_AT && head[MAJOR_AT] == 2;
    }
}
