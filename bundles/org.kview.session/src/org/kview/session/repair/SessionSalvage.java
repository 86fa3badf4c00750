// SPDX-License-Identifier: EPL-2.0
package org.kview.session.repair;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.kview.model.FunctionLatency;
import org.kview.model.Losses;
import org.kview.model.Overhead;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.files.Disk;
import org.kview.session.format.Checkpoint;
import org.kview.session.format.SessionDocument;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonReader;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.format.SymbolsJson;
import org.kview.session.read.SessionCopy;
import org.kview.session.read.TraceFiles;

/** Makes a session that opens of one whose {@code session.json} is lost, from what its other files tell. */
public final class SessionSalvage {
    static final String NOTE = "Its session.json was lost; the figures come from latency.hlog alone.";
    static final String PROBLEM = "Salvaged from latency.hlog: counts and percentiles are those of its last whole line;"
            + " totals, means and maxima are estimates within 1/16; how many calls were abandoned, unfinished or lost,"
            + " and on which host, is not known.";
    private static final int MAX_FUNCTIONS = 100_000;
    private static final Pattern START = Pattern.compile("#\\[StartTime: ([0-9]{1,12}\\.[0-9]{1,9})");
    private static final Pattern INTERVAL = Pattern.compile("Tag=[^,]*,([0-9]{1,9}\\.[0-9]+),([0-9]{1,9}\\.[0-9]+),");

    private final Path folder;
    private final List<String> problems = new ArrayList<>(List.of(PROBLEM));

    private SessionSalvage(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes the salvaged session; the damaged one stays as it is.
     *
     * @param destination a folder that is there and empty
     * @throws SessionException if the session is of a newer version, if its recording goes on, or if
     *                          latency.hlog can't be read either
     */
    public static void salvage(Path damaged, Path destination, Progress progress) throws SessionException {
        SessionRepair.requireNotRecording(damaged);
        try {
            Path json = damaged.resolve(SessionFiles.SESSION_JSON);
            if (Files.isRegularFile(json) && Files.size(json) <= SessionDocument.MAX_BYTES
                    && SessionJsonReader.isNewer(Files.readAllBytes(json))) {
                SessionDocument.parse(Files.readAllBytes(json));
            }
            SessionCopy.toFolder(damaged, destination, progress);
            SessionSalvage salvage = new SessionSalvage(destination);
            Disk.REAL.replace(destination.resolve(SessionFiles.SESSION_JSON),
                    SessionJsonWriter.encode(salvage.checkpoint()));
        } catch (IOException e) {
            throw SessionException.of(damaged + " can't be salvaged", e);
        }
    }

    private Checkpoint checkpoint() throws IOException {
        Path log = folder.resolve(SessionFiles.LATENCY_LOG);
        if (!Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
            throw new SessionException(SessionFiles.LATENCY_LOG + " is missing: there is nothing to salvage");
        }
        cutToWholeLines(log);
        SalvagedSession salvaged = SalvagedSession.read(folder);
        byte[] symbolsBytes = bytes(SessionFiles.SYMBOLS_JSON);
        List<ProbedFunction> symbols = symbols(symbolsBytes);
        boolean calibrated = symbols.stream().anyMatch(f -> f.cost().innerNanos() > 0);
        long perCall = symbols.stream().mapToLong(f -> f.cost().callNanos()).max().orElse(0);
        return new Checkpoint(info(log), functions(salvaged, symbols), List.of(), Losses.NONE,
                new Overhead(perCall, calibrated, Optional.empty(), "", ProcessShare.UNKNOWN, Optional.empty(), ""),
                new Checkpoint.LogSummary(Files.size(log), OptionalLong.empty(), List.of()), trace(),
                SessionJsonWriter.checksum(symbolsBytes), problems);
    }

    /** The last line may be cut off: it was being written when the disk or the machine failed. */
    private static void cutToWholeLines(Path log) throws IOException {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long end = file.size();
            ByteBuffer block = ByteBuffer.allocate(1 << 16);
            while (end > 0) {
                long from = Math.max(0, end - block.capacity());
                block.clear().limit((int) (end - from));
                while (block.hasRemaining() && file.read(block, from + block.position()) >= 0) {
                    // Until the block is full.
                }
                int last = block.position();
                while (last > 0 && block.get(last - 1) != '\n') {
                    last--;
                }
                end = from + last;
                if (last > 0) {
                    break;
                }
            }
            file.truncate(end);
        }
    }

    /** With the ids of the log, which count from 0; those that it lacks were never called. */
    private static List<FunctionLatency> functions(SalvagedSession salvaged, List<ProbedFunction> symbols)
            throws SessionException {
        Map<Integer, FunctionLatency> byId = salvaged.functions().stream()
                .collect(Collectors.toMap(f -> f.function().id(), Function.identity()));
        Map<Integer, ProbedFunction> symbolById = symbols.stream()
                .collect(Collectors.toMap(ProbedFunction::id, Function.identity(), (first, _) -> first));
        int last = Math.max(byId.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1),
                symbols.stream().mapToInt(ProbedFunction::id).max().orElse(-1));
        if (last >= MAX_FUNCTIONS) {
            throw new SessionException(SessionFiles.LATENCY_LOG + " is damaged: it has a function number " + last);
        }
        List<FunctionLatency> functions = new ArrayList<>();
        for (int id = 0; id <= last; id++) {
            int wanted = id;
            Optional<FunctionLatency> found = Optional.ofNullable(byId.get(id));
            Optional<ProbedFunction> symbol = Optional.ofNullable(symbolById.get(wanted))
                    .filter(s -> found.isEmpty() || found.get().function().name().equals(s.name()));
            ProbedFunction function = symbol.or(() -> found.map(FunctionLatency::function)).orElseGet(() ->
                    SalvagedSession.function(wanted, "(function " + wanted + ")", false));
            functions.add(found.map(f -> new FunctionLatency(function, f.calls(), 0, 0, f.distributions()))
                    .orElseGet(() -> new FunctionLatency(function, 0, 0, 0, Map.of())));
        }
        return functions;
    }

    private SessionInfo info(Path log) throws IOException {
        Instant start = Files.getLastModifiedTime(log).toInstant();
        double seconds = 0;
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher head = START.matcher(line);
                if (head.lookingAt()) {
                    start = Instant.ofEpochMilli(Math.round(Double.parseDouble(head.group(1)) * 1000));
                }
                Matcher interval = INTERVAL.matcher(line);
                if (interval.lookingAt()) {
                    seconds = Math.max(seconds,
                            Double.parseDouble(interval.group(1)) + Double.parseDouble(interval.group(2)));
                }
            }
        }
        return SessionInfo.unknown(start, Duration.ofMillis(Math.round(seconds * 1000)), SessionInfo.State.FAILED, NOTE);
    }

    private List<ProbedFunction> symbols(byte[] bytes) {
        try {
            return SymbolsJson.decode(bytes);
        } catch (SessionException e) {
            problems.add(e.getMessage() + "; the functions' addresses are not known.");
            return List.of();
        }
    }

    private Optional<Checkpoint.TraceSummary> trace() throws IOException {
        byte[] metadata = bytes(SessionFiles.TRACE + "/" + SessionFiles.METADATA);
        if (metadata.length == 0) {
            return Optional.empty();
        }
        return Optional.of(new Checkpoint.TraceSummary(metadata.length, SessionJsonWriter.checksum(metadata),
                Optional.empty(), TraceFiles.scan(folder.resolve(SessionFiles.TRACE)).streams().stream()
                        .map(s -> new Checkpoint.StreamSummary(s.cpu(), s.validBytes(), s.packets(),
                                OptionalLong.empty()))
                        .toList()));
    }

    private byte[] bytes(String name) throws IOException {
        Path file = folder.resolve(name);
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= SessionDocument.MAX_BYTES
                ? Files.readAllBytes(file) : new byte[0];
    }
}
