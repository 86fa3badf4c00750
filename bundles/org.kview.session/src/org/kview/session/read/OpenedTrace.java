// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.kview.ctf.EventTrace;
import org.kview.ctf.KnownPackets;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.Checkpoint.StreamSummary;
import org.kview.session.format.Checkpoint.TraceSummary;
import org.kview.session.format.PacketSums;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.read.TraceFiles.StreamFile;

/**
 * A trace that readers of CTF open: the session's own, or a copy without what is broken.
 *
 * @param files    what is on disk
 * @param repaired the copy, if one was needed
 * @param readable that, or the session's own; empty if a copy was needed and would be too large
 */
record OpenedTrace(TraceFiles files, Optional<Path> repaired, Optional<Path> readable) implements AutoCloseable {
    /** What the agent writes has 8 KB. */
    private static final long MAX_METADATA_BYTES = 16L << 20;
    /** Further damage is only counted. */
    private static final int MOST_SENTENCES = 1000;

    /**
     * Checks a trace. What is wrong with it is added to {@code problems}, with the names of the files. Empty if the trace
     * can't be used at all.
     */
    static Optional<OpenedTrace> open(Path folder, TraceSummary summary, List<String> problems,
            Allowance allowance) {
        try {
            Path metadata = folder.resolve(SessionFiles.METADATA);
            if (!Files.isRegularFile(metadata)) {
                problems.add("trace/metadata is missing: the trace can't be read.");
                return Optional.empty();
            }
            if (Files.size(metadata) != summary.metadataBytes() || summary.metadataBytes() > MAX_METADATA_BYTES
                    || SessionJsonWriter.checksum(Files.readAllBytes(metadata)) != summary.metadataChecksum()) {
                problems.add("trace/metadata is damaged: the trace can't be read.");
                return Optional.empty();
            }
            TraceFiles files = TraceFiles.scan(folder, sums(folder, summary, problems, allowance), allowance);
            report(files, summary, problems);
            if (files.streams().stream().noneMatch(stream -> stream.packets() > 0)) {
                return Optional.empty();
            }
            if (files.isWhole()) {
                return Optional.of(new OpenedTrace(files, Optional.empty(), Optional.of(folder)));
            }
            long copied = files.streams().stream().filter(s -> !s.isWhole()).mapToLong(StreamFile::validBytes).sum();
            if (!allowance.take(Allowance.Of.COPIED_TRACE, copied)) {
                problems.add("The trace is damaged, and too large to be copied without the damage each time it is opened:"
                        + " export it.");
                return Optional.of(new OpenedTrace(files, Optional.empty(), Optional.empty()));
            }
            Optional<Path> repaired = Optional.of(repair(files));
            return Optional.of(new OpenedTrace(files, repaired, repaired));
        } catch (IOException e) {
            problems.add("The trace can't be read: " + SessionException.reason(e) + ".");
            return Optional.empty();
        }
    }

    /** The packets' checksums, if they are what was written themselves. */
    private static Optional<PacketSums> sums(Path folder, TraceSummary summary, List<String> problems,
            Allowance allowance) throws IOException {
        if (summary.packetSums().isEmpty()) {
            return Optional.empty();
        }
        long bytes = summary.packetSums().get().bytes();
        Path file = folder.resolveSibling(SessionFiles.PACKET_SUMS);
        if (Files.isRegularFile(file) && bytes <= PacketSums.MAX_FILE_BYTES && bytes <= Files.size(file)
                && allowance.take(Allowance.Of.TEXT, bytes)) {
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

    /** The same with all packets compared with their checksums, however long that takes, and what is wrong with them. */
    TraceFiles checked(TraceSummary summary, List<String> problems) throws IOException {
        if (files.streams().stream().allMatch(stream -> stream.uncheckedBytes() == 0)) {
            return files;
        }
        Allowance allowance = Allowance.ofTime(Progress.NONE);
        TraceFiles checked = TraceFiles.scan(files.folder(), sums(files.folder(), summary, problems, allowance), allowance);
        report(checked, summary, problems);
        return checked;
    }

    /** Its events, each packet compared with its checksum as it is read. */
    EventTrace events(TraceSummary summary) throws IOException {
        // Whether the checksums are damaged was told when it was opened.
        Optional<PacketSums> sums = sums(files.folder(), summary, new ArrayList<>(), Allowance.usual());
        return EventTrace.open(files.folder(),
                cpu -> sums.flatMap(all -> all.of(cpu)).<KnownPackets>map(packets -> packets).orElse(KnownPackets.NONE));
    }

    /** Whether all packets that were recorded are there, as far as they were compared when it was opened. */
    boolean isWhole(TraceSummary summary) {
        return files.isWhole() && summary.streams().stream().allMatch(recorded -> files.streams().stream()
                .anyMatch(file -> file.cpu() == recorded.cpu() && file.validBytes() >= recorded.bytes()));
    }

    @Override
    public void close() {
        repaired.ifPresent(TemporaryFolders.ofThisProcess()::remove);
    }

    private static void report(TraceFiles files, TraceSummary summary, List<String> problems) {
        Map<Integer, StreamFile> byCpu = files.streams().stream()
                .collect(Collectors.toMap(StreamFile::cpu, s -> s, (a, _) -> a));
        Set<Integer> told = new HashSet<>();
        List<String> found = new ArrayList<>();
        for (StreamSummary recorded : summary.streams()) {
            StreamFile file = byCpu.get(recorded.cpu());
            if (file == null) {
                found.add(SessionFiles.TRACE + "/" + recorded.fileName() + " is missing: the events of CPU " + recorded.cpu()
                        + " are lost.");
            } else if (file.validBytes() < recorded.bytes()) {
                told.add(recorded.cpu());
                found.add(lost(file, recorded));
            }
        }
        for (StreamFile file : files.streams()) {
            if (file.brokenEndBytes() > 0 && !told.contains(file.cpu())) {
                found.add("trace/" + file.file().getFileName() + " ends in a broken packet: its last "
                        + file.brokenEndBytes() + " bytes are left out.");
            }
        }
        long unchecked = files.streams().stream().mapToLong(StreamFile::uncheckedBytes).sum();
        if (unchecked > 0) {
            found.add("The trace has " + unchecked + " bytes more than are read when a session is opened: whether those"
                    + " are the bytes that were recorded is checked when it is exported.");
        }
        problems.addAll(found.subList(0, Math.min(MOST_SENTENCES, found.size())));
        if (found.size() > MOST_SENTENCES) {
            problems.add("The trace is damaged in " + (found.size() - MOST_SENTENCES) + " places more.");
        }
    }

    private static String lost(StreamFile found, StreamSummary recorded) {
        String changed = found.damaged() == 0 ? ""
                : found.damaged() == 1 ? "; the bytes of packet " + found.firstDamaged() + " have changed"
                : "; the bytes of " + found.damaged() + " have changed, the first is packet " + found.firstDamaged();
        return SessionFiles.TRACE + "/" + recorded.fileName() + " is damaged: " + (recorded.packets() - found.packets())
                + " of its " + recorded.packets() + " packets are lost" + changed + ".";
    }

    /** Intact stream files are linked, not copied, because a trace may have gigabytes. */
    private static Path repair(TraceFiles files) throws IOException {
        Path copy = TemporaryFolders.ofThisProcess().create("trace");
        try {
            Files.copy(files.folder().resolve(SessionFiles.METADATA), copy.resolve(SessionFiles.METADATA));
            for (StreamFile stream : files.streams()) {
                Path destination = copy.resolve(stream.file().getFileName());
                if (stream.isWhole()) {
                    Files.createSymbolicLink(destination, stream.file().toAbsolutePath());
                } else if (stream.packets() > 0) {
                    TraceFiles.copy(stream.file(), stream.pieces(), destination);
                }
            }
            return copy;
        } catch (IOException e) {
            TemporaryFolders.ofThisProcess().remove(copy);
            throw e;
        }
    }
}
