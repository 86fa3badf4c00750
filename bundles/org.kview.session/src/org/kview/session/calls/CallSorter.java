// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.Predicate;

import org.kview.session.SessionException;

/**
 * Sorts any number of calls in little memory: what does not fit is sorted in pieces, which go to a temporary file. Once that
 * file is open, its name is removed, so the system deletes it however this process ends.
 */
final class CallSorter implements AutoCloseable {
    static final int PIECE_ROWS = 100_000;

    private static final int MOST_BUFFER_BYTES = 64 << 10;
    private static final int LEAST_BUFFER_BYTES = 4 << 10;
    private static final int BUFFERS_BYTES = 64 << 20;

    private final Comparator<CallRow> comparator;
    private final RowCodec codec;
    private final int pieceRows;
    private final Path folder;
    private final List<CallRow> rows = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private FileChannel file;

    /** A sorted part of the file. */
    private record Piece(long begin, long end) {
    }

    /** @param folder where the temporary file is made */
    CallSorter(Comparator<CallRow> comparator, List<CallHost> hosts, int pieceRows, Path folder) {
        this.comparator = comparator;
        codec = new RowCodec(hosts);
        this.pieceRows = pieceRows;
        this.folder = folder;
    }

    void add(CallRow row) throws SessionException {
        rows.add(row);
        if (rows.size() >= pieceRows) {
            spill();
        }
    }

    private void spill() throws SessionException {
        try {
            if (file == null) {
                file = FileChannel.open(folder.resolve("kview-calls-" + UUID.randomUUID()),
                        EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
                                StandardOpenOption.DELETE_ON_CLOSE),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            rows.sort(comparator);
            long begin = file.position();
            // Not closed: that would close the file.
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file), MOST_BUFFER_BYTES));
            for (CallRow row : rows) {
                RowCodec.write(row, out);
            }
            out.flush();
            pieces.add(new Piece(begin, file.position()));
            rows.clear();
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    private SessionException noRoom(IOException e) {
        return new SessionException("So many calls can't be sorted in memory, nor in " + folder + " (" + SessionException.reason(e)
                + "): make room there, ask for --top N, or take fewer by --where", e);
    }

    /**
     * Gives all calls in order, for as long as they are wanted.
     *
     * @param sink says whether it wants another one
     */
    void drain(Predicate<CallRow> sink) throws SessionException {
        rows.sort(comparator);
        if (pieces.isEmpty()) {
            for (CallRow row : rows) {
                if (!sink.test(row)) {
                    return;
                }
            }
            return;
        }
        try {
            merge(sink);
        } catch (IOException e) {
            throw SessionException.of("The calls that were sorted can't be read again from " + folder, e);
        }
    }

    private void merge(Predicate<CallRow> sink) throws IOException {
        int buffer = Math.clamp(BUFFERS_BYTES / pieces.size(), LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES);
        PriorityQueue<Head> heads = new PriorityQueue<>((a, b) -> comparator.compare(a.row, b.row));
        for (Piece piece : pieces) {
            heads.add(new Head(new PieceStream(file, piece), buffer));
        }
        if (!rows.isEmpty()) {
            heads.add(new Head(rows));
        }
        while (!heads.isEmpty()) {
            Head head = heads.poll();
            if (!sink.test(head.row)) {
                return;
            }
            if (head.next()) {
                heads.add(head);
            }
        }
    }

    /** A piece that is read: its first call that was not returned yet, and access to those behind it. */
    private final class Head {
        private final PieceStream piece;
        private final DataInputStream in;
        private final List<CallRow> kept;
        private int at;
        private CallRow row;

        Head(PieceStream piece, int bufferBytes) throws IOException {
            this.piece = piece;
            in = new DataInputStream(new BufferedInputStream(piece, bufferBytes));
            kept = List.of();
            next();
        }

        Head(List<CallRow> kept) throws IOException {
            piece = null;
            in = null;
            this.kept = kept;
            next();
        }

        boolean next() throws IOException {
            if (in == null) {
                row = at < kept.size() ? kept.get(at++) : null;
            } else {
                row = piece.rest() > 0 || in.available() > 0 ? codec.read(in) : null;
            }
            return row != null;
        }
    }

    /** A piece of the file, read at its own place. */
    private static final class PieceStream extends InputStream {
        private final FileChannel file;
        private final long end;
        private long at;

        PieceStream(FileChannel file, Piece piece) {
            this.file = file;
            at = piece.begin();
            end = piece.end();
        }

        long rest() {
            return end - at;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (at == end) {
                return -1;
            }
            int read = file.read(ByteBuffer.wrap(bytes, offset, (int) Math.min(length, end - at)), at);
            at += Math.max(0, read);
            return read;
        }
    }

    @Override
    public void close() throws SessionException {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            throw SessionException.of("The temporary file in " + folder + " can't be closed", e);
        }
    }
}
