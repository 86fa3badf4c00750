// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.PacketSums;
import org.kview.session.format.SessionFiles;

/**
 * What is on disk of a trace: which pieces of each stream file are packets as they were recorded. Where there are
 * checksums of the packets every byte of them is read, else their headers only.
 *
 * @param folder  {@code trace/}
 * @param streams by CPU
 */
public record TraceFiles(Path folder, List<StreamFile> streams) {

    public TraceFiles {
        streams = List.copyOf(streams);
    }

    /** Bytes of a file, from the first to before the end. */
    record Piece(long begin, long end) {
    }

    /**
     * A stream file.
     *
     * @param file         its path
     * @param cpu          whose events it holds
     * @param pieces       those that are whole packets which nobody changed, ascending and not adjacent
     * @param scannedBytes where the last packet ends, damaged or not
     * @param totalBytes   its length
     * @param packets      within those pieces
     * @param damaged      packets that don't match their checksums
     * @param firstDamaged which packet of the file the first of these is, from 0
     * @param uncheckedBytes of those pieces that have checksums, but were too long to be compared with them
     */
    public record StreamFile(Path file, int cpu, List<Piece> pieces, long scannedBytes, long totalBytes, long packets, long damaged,
            long firstDamaged, long uncheckedBytes) {
        public StreamFile {
            pieces = List.copyOf(pieces);
        }

        /** How much of it is of use. */
        public long validBytes() {
            return pieces.stream().mapToLong(piece -> piece.end() - piece.begin()).sum();
        }

        /** How many bytes after the last packet belong to no packet. */
        long brokenEndBytes() {
            return totalBytes - scannedBytes;
        }

        /** Whether readers of CTF accept it as it is. They refuse an empty file. */
        public boolean isWhole() {
            return packets > 0 && validBytes() == totalBytes;
        }
    }

    /** Looks at the headers of all packets. */
    public static TraceFiles scan(Path folder) throws IOException {
        return scan(folder, Optional.empty(), Allowance.ofTime(Progress.NONE));
    }

    /**
     * Looks at all stream files.
     *
     * @param sums      of the packets; beyond them, and without them, a packet is taken for whole if its header says so
     * @param allowance how many packets there may be, and how many bytes of them are compared with their checksums
     * @throws IOException if the folder can't be read
     */
    static TraceFiles scan(Path folder, Optional<PacketSums> sums, Allowance allowance) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder,
                path -> SessionFiles.isStream(path.getFileName().toString()) && Files.isRegularFile(path))) {
            for (Path file : files) {
                found.add(file);
                if (!allowance.take(Allowance.Of.STREAMS, 1)) {
                    throw new SessionException(folder + " holds more streams than hosts have CPUs");
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        // Sorted, so that the same files use up the allowance each time.
        found.sort(Comparator.comparingInt(TraceFiles::cpu));
        List<StreamFile> streams = new ArrayList<>();
        TraceBlock block = new TraceBlock(allowance);
        for (Path file : found) {
            int cpu = cpu(file);
            streams.add(new StreamScan(file, cpu, block, allowance).scan(sums.flatMap(all -> all.of(cpu))));
        }
        return new TraceFiles(folder, streams);
    }

    private static int cpu(Path stream) {
        return Integer.parseInt(stream.getFileName().toString().substring(SessionFiles.STREAM_PREFIX.length()));
    }

    /** Whether the folder can be handed to a reader of CTF as it is. */
    public boolean isWhole() {
        return streams.stream().allMatch(StreamFile::isWhole);
    }

    /**
     * Copies the metadata and all whole packets into an empty folder.
     *
     * @throws IOException if something could not be read or written
     */
    void copyTo(Path destination) throws IOException {
        Files.copy(folder.resolve(SessionFiles.METADATA), destination.resolve(SessionFiles.METADATA));
        for (StreamFile stream : streams) {
            if (stream.packets() > 0) {
                copy(stream.file(), stream.pieces(), destination.resolve(stream.file().getFileName()));
            }
        }
    }

    /** Copies the first bytes of a file to a new file. */
    static void copyBegin(Path from, long bytes, Path to) throws IOException {
        copy(from, List.of(new Piece(0, bytes)), to);
    }

    /** Copies pieces of a file, one behind the other, to a new file. */
    static void copy(Path from, List<Piece> pieces, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (Piece piece : pieces) {
                for (long done = piece.begin(); done < piece.end();) {
                    long copied = in.transferTo(done, piece.end() - done, out);
                    if (copied <= 0) {
                        throw new IOException(from + " ended while it was copied");
                    }
                    done += copied;
                }
            }
        }
    }
}
