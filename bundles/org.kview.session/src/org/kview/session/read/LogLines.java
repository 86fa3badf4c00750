// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

import org.kview.session.format.Allowance;

/** The lines of a part of a log, one after the other, as bytes in one buffer; of a longer one only the beginning. */
final class LogLines implements AutoCloseable {
    /** The base64 text of the longest payload, with its tag, is shorter. */
    static final int MAX_LINE_BYTES = 64 * 1024;
    private static final int BUFFER_BYTES = 1 << 18;

    private final InputStream in;
    private final Allowance allowance;
    private final byte[] buffer;
    private final ByteBuffer behind;
    private long fileLeft;
    private int filled;
    private int next;
    private int begin;
    private int end;
    private boolean ended;

    /**
     * @param from  the first byte
     * @param limit the one behind the last
     */
    LogLines(Path file, long from, long limit, Allowance allowance) throws IOException {
        this(file, from, limit, new byte[0], allowance);
    }

    /**
     * Likewise, and of what comes behind them.
     *
     * @param behind lines that the file does not have
     */
    LogLines(Path file, long from, long limit, byte[] behind, Allowance allowance) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            channel.position(from);
            fileLeft = Math.max(0, Math.min(limit, channel.size()) - from);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        in = Channels.newInputStream(channel);
        this.behind = ByteBuffer.wrap(behind);
        // Most logs are short, and to clear a large buffer takes longer than to read such a one.
        buffer = new byte[(int) Math.min(BUFFER_BYTES, fileLeft + behind.length)];
        this.allowance = allowance;
    }

    /** Goes to the next line; false if there is none. */
    boolean next() throws IOException {
        begin = next;
        int scanned = next;
        while (true) {
            for (int i = scanned; i < filled; i++) {
                if (buffer[i] == '\n') {
                    end = i;
                    next = i + 1;
                    ended = end - begin <= MAX_LINE_BYTES;
                    return true;
                }
            }
            int kept = filled - begin;
            if (kept > MAX_LINE_BYTES) {
                return skip();
            }
            System.arraycopy(buffer, begin, buffer, 0, kept);
            begin = 0;
            filled = kept;
            scanned = kept;
            if (!fill()) {
                end = filled;
                next = filled;
                ended = false;
                return kept > 0;
            }
        }
    }

    /** Skips the rest of a line that is too long. */
    private boolean skip() throws IOException {
        System.arraycopy(buffer, begin, buffer, 0, MAX_LINE_BYTES);
        begin = 0;
        end = MAX_LINE_BYTES;
        ended = false;
        do {
            filled = MAX_LINE_BYTES;
            next = filled;
            if (!fill()) {
                return true;
            }
            while (next < filled && buffer[next] != '\n') {
                next++;
            }
        } while (next == filled);
        next++;
        return true;
    }

    /** Reads more, behind what is in the buffer. */
    private boolean fill() throws IOException {
        int read = fileLeft == 0 ? -1 : in.read(buffer, filled, (int) Math.min(fileLeft, buffer.length - filled));
        if (read > 0) {
            fileLeft -= read;
            allowance.read(read);
        } else {
            fileLeft = 0;
            read = Math.min(behind.remaining(), buffer.length - filled);
            behind.get(buffer, filled, read);
        }
        filled += read;
        return read > 0;
    }

    /** Where the line is. */
    byte[] bytes() {
        return buffer;
    }

    int begin() {
        return begin;
    }

    /** The index after its last byte; the end-of-line character is not part of it. */
    int end() {
        return end;
    }

    /** Whether all of it is here: false for one that is too long, or that the log breaks off in. */
    boolean isEnded() {
        return ended;
    }

    boolean startsWith(byte[] text) {
        return end - begin >= text.length
                && Arrays.equals(buffer, begin, begin + text.length, text, 0, text.length);
    }

    /** Where a byte first occurs in the line, from some index on; -1 if it does not occur. */
    int indexOf(char wanted, int from) {
        for (int i = from; i < end; i++) {
            if (buffer[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Whether readers of such logs pass over it: blank lines, comments and the legend. */
    boolean isComment() {
        return begin == end || buffer[begin] == '#' || buffer[begin] == '"' || buffer[begin] <= ' ' && text().isBlank();
    }

    String text() {
        return text(begin, end);
    }

    String text(int from, int to) {
        return new String(buffer, from, to - from, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
