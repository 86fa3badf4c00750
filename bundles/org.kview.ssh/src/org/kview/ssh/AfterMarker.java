// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The part of a stream after a marker line: login scripts may print something before it. */
final class AfterMarker extends FilterInputStream {
    /** A limit, because a host could send without end and never send the marker. */
    private static final int MAX_SKIPPED_BYTES = 256 << 10;

    private final byte[] marker;
    private boolean begun;

    /** @param marker the line, without its line end */
    AfterMarker(InputStream in, String marker) {
        super(in);
        this.marker = (marker + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private void begin() throws IOException {
        byte[] last = new byte[marker.length];
        for (int count = 0; !begun; count++) {
            int next = in.read();
            if (next < 0) {
                begun = true; // the stream has ended: the caller sees that
                return;
            }
            System.arraycopy(last, 1, last, 0, last.length - 1);
            last[last.length - 1] = (byte) next;
            begun = java.util.Arrays.equals(last, marker);
            if (count > MAX_SKIPPED_BYTES) {
                throw new IOException("the login scripts of that host say too much");
            }
        }
    }

    @Override
    public int read() throws IOException {
        begin();
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        begin();
        return in.read(bytes, offset, length);
    }
}
