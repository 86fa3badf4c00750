/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.kview.session.Checkpoint.StreamSummary;
import org.kview.session.Checkpoint.TraceSummary;
import org.kview.session.TraceFiles.StreamFile;

/**
 * A trace that readers of CTF open: the session's own, or a copy without what is broken.
 *
 * @param files    what is on disk
 * @param repaired the copy, if one was needed
 */
record OpenedTrace(TraceFiles files, Optional<Path> repaired) implements AutoCloseable {

    /** Checks a trace; what is wrong with it goes to {@code problems}, naming files. Empty if beyond use. */
    static Optional<OpenedTrace> open(Path folder, TraceSummary summary, List<String> problems) {
        try {
            Path metadata = folder.resolve(SessionFiles.METADATA);
            if (!Files.isRegularFile(metadata)) {
                problems.add("trace/metadata is missing: the trace can't be read.");
                return Optional.empty();
            }
            if (Files.size(metadata) != summary.metadataBytes() || summary.metadataBytes() > SessionReader.MAX_JSON_BYTES
                    || SessionJsonWriter.checksum(Files.readAllBytes(metadata)) != summary.metadataChecksum()) {
                problems.add("trace/metadata is damaged: the trace can't be read.");
                return Optional.empty();
            }
            TraceFiles files = TraceFiles.scan(folder, sums(folder, summary, problems));
            report(files, summary, problems);
            if (files.streams().stream().noneMatch(stream -> stream.packets() > 0)) {
                return Optional.empty();
            }
            return Optional.of(new OpenedTrace(files, files.isWhole() ? Optional.empty() : Optional.of(repair(files))));
        } catch (IOException e) {
            problems.add("The trace can't be read: " + SessionException.reason(e) + ".");
            return Optional.empty();
        }
    }

    /** The packets' checksums, if they are what was written themselves. */
    private static Optional<PacketSums> sums(Path folder, TraceSummary summary, List<String> problems)
            throws IOException {
        if (summary.packetSums().isEmpty()) {
            return Optional.empty();
        }
        long bytes = summary.packetSums().get().bytes();
        Path file = folder.resolveSibling(SessionFiles.PACKET_SUMS);
        if (Files.isRegularFile(file) && bytes <= PacketSums.MAX_FILE_BYTES) {
            try (InputStream in = Files.newInputStream(file)) {
                byte[] text = in.readNBytes((int) bytes);
                if (text.length == bytes
                        && SessionJsonWriter.checksum(text) == summary.packetSums().get().checksum()) {
                    return Optional.of(PacketSums.parse(text));
                }
            }
        }
        problems.add(SessionFiles.PACKET_SUMS + (Files.exists(file) ? " is damaged" : " is missing")
                + ": whether the bytes of the trace are those that were recorded can't be told.");
        return Optional.empty();
    }

    Path folder() {
        return repaired.orElse(files.folder());
    }

    @Override
    public void close() {
        repaired.ifPresent(TemporaryFolders::remove);
    }

    private static void report(TraceFiles files, TraceSummary summary, List<String> problems) {
        var byCpu = files.streams().stream().collect(Collectors.toMap(StreamFile::cpu, s -> s, (a, b) -> a));
        for (StreamSummary recorded : summary.streams()) {
            StreamFile found = byCpu.get(recorded.cpu());
            String name = SessionFiles.TRACE + "/" + recorded.fileName();
            if (found == null) {
                problems.add(name + " is missing: the events of CPU " + recorded.cpu() + " are lost.");
            } else if (found.validBytes() < recorded.bytes()) {
                problems.add(name + " is damaged: " + (recorded.packets() - found.packets()) + " of its "
                        + recorded.packets() + " packets are lost" + (found.damaged() == 0 ? ""
                        : found.damaged() == 1 ? "; the bytes of packet " + found.firstDamaged() + " have changed"
                        : "; the bytes of " + found.damaged() + " have changed, the first is packet "
                                + found.firstDamaged()) + ".");
            }
        }
        for (StreamFile found : files.streams()) {
            long broken = found.brokenEndBytes();
            boolean told = summary.streams().stream()
                    .anyMatch(s -> s.cpu() == found.cpu() && found.validBytes() < s.bytes());
            if (broken > 0 && !told) {
                problems.add("trace/" + found.file().getFileName() + " ends in a broken packet: its last " + broken
                        + " bytes are left out.");
            }
        }
    }

    /** Whole streams are linked to, not copied: a trace may hold gigabytes. */
    private static Path repair(TraceFiles files) throws IOException {
        Path copy = TemporaryFolders.create("trace");
        try {
            Files.copy(files.folder().resolve(SessionFiles.METADATA), copy.resolve(SessionFiles.METADATA));
            for (StreamFile stream : files.streams()) {
                Path target = copy.resolve(stream.file().getFileName());
                if (stream.isWhole()) {
                    Files.createSymbolicLink(target, stream.file().toAbsolutePath());
                } else if (stream.packets() > 0) {
                    TraceFiles.copy(stream.file(), stream.pieces(), target);
                }
            }
            return copy;
        } catch (IOException e) {
            TemporaryFolders.remove(copy);
            throw e;
        }
    }
}
