/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is on disk of a trace: how much of each stream file is whole packets. Looks at packet headers
 * only, so a large trace takes no longer to check than it has packets.
 *
 * @param folder  {@code trace/}
 * @param streams by CPU
 */
public record TraceFiles(Path folder, List<StreamFile> streams) {

    public TraceFiles {
        streams = List.copyOf(streams);
    }

    /**
     * A stream file.
     *
     * @param file       its path
     * @param cpu        whose events it holds
     * @param validBytes whole packets from its beginning
     * @param totalBytes its length
     * @param packets    whole ones
     */
    public record StreamFile(Path file, int cpu, long validBytes, long totalBytes, long packets) {
        /** Whether readers of CTF take it as it is; an empty file they don't. */
        public boolean isWhole() {
            return validBytes == totalBytes && packets > 0;
        }
    }

    /** @throws IOException if the folder can't be read */
    public static TraceFiles scan(Path folder) throws IOException {
        List<StreamFile> streams = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder,
                path -> SessionFiles.isStream(path.getFileName().toString()) && Files.isRegularFile(path))) {
            for (Path file : files) {
                streams.add(scanStream(file));
            }
        }
        streams.sort(Comparator.comparingInt(StreamFile::cpu));
        return new TraceFiles(folder, streams);
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
    void copyTo(Path target) throws IOException {
        Files.copy(folder.resolve(SessionFiles.METADATA), target.resolve(SessionFiles.METADATA));
        for (StreamFile stream : streams) {
            if (stream.packets() > 0) {
                copyBegin(stream.file(), stream.validBytes(), target.resolve(stream.file().getFileName()));
            }
        }
    }

    /** Copies the first bytes of a file to a new file. */
    static void copyBegin(Path from, long bytes, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long done = 0;
            while (done < bytes) {
                long copied = in.transferTo(done, bytes - done, out);
                if (copied <= 0) {
                    throw new IOException(from + " ended while it was copied");
                }
                done += copied;
            }
        }
    }

    private static StreamFile scanStream(Path file) throws IOException {
        int cpu = Integer.parseInt(file.getFileName().toString().substring(SessionFiles.STREAM_PREFIX.length()));
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer header = ByteBuffer.allocate(CtfPacket.HEADER_BYTES);
            long total = in.size();
            long valid = 0;
            long packets = 0;
            while (total - valid >= CtfPacket.HEADER_BYTES) {
                Optional<CtfPacket> packet = readHeader(in, valid, header);
                if (packet.isEmpty() || packet.get().packetBytes() > total - valid) {
                    break;
                }
                valid += packet.get().packetBytes();
                packets++;
            }
            return new StreamFile(file, cpu, valid, total, packets);
        }
    }

    private static Optional<CtfPacket> readHeader(FileChannel in, long at, ByteBuffer header) throws IOException {
        header.clear();
        while (header.hasRemaining()) {
            if (in.read(header, at + header.position()) < 0) {
                return Optional.empty();
            }
        }
        return CtfPacket.parse(header.flip());
    }
}
