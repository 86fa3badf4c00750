/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;

/**
 * A session on disk, {@code NAME.kview/} or {@code NAME.kview.zip}, opened for reading. Nothing in it
 * is changed. Immutable once open, and safe for use by several threads.
 *
 * <p>What is damaged is named in {@link LatencySnapshot#problems()}, and the rest opens.
 */
public final class SessionReader implements AutoCloseable {
    /** A session of ten thousand functions takes less than half of that. */
    static final long MAX_JSON_BYTES = 64L << 20;

    private final Path session;
    private final Optional<Path> unpacked;
    private final List<HostReader> hosts;
    private final LatencySnapshot snapshot;

    private SessionReader(Path session, Path folder, Optional<Path> unpacked) throws SessionException {
        this.session = session;
        this.unpacked = unpacked;
        byte[] json = bytes(folder.resolve(SessionFiles.SESSION_JSON));
        Optional<List<HostsJson.Entry>> entries = HostsJson.read(json);
        if (entries.isEmpty()) {
            hosts = List.of(HostReader.open(folder, json));
            snapshot = hosts.getFirst().snapshot();
        } else {
            List<String> problems = new ArrayList<>();
            hosts = open(folder, entries.get(), problems);
            LatencySnapshot merged = MergedHosts.of(hosts.stream().map(HostReader::snapshot).toList());
            for (String problem : problems) {
                merged = merged.withProblem(problem);
            }
            snapshot = merged;
        }
    }

    /** @throws SessionException if no host's part opens */
    private static List<HostReader> open(Path folder, List<HostsJson.Entry> entries, List<String> problems)
            throws SessionException {
        List<HostReader> hosts = new ArrayList<>();
        SessionException first = null;
        for (HostsJson.Entry entry : entries) {
            Path part = folder.resolve(entry.folder());
            try {
                if (!Files.isDirectory(part, LinkOption.NOFOLLOW_LINKS)) {
                    throw new SessionException(part + " is missing");
                }
                hosts.add(HostReader.open(part, bytes(part.resolve(SessionFiles.SESSION_JSON))));
            } catch (SessionException e) {
                problems.add("The part of " + entry.target() + " can't be read: " + e.getMessage() + ".");
                first = first == null ? e : first;
            }
        }
        if (hosts.isEmpty()) {
            throw first;
        }
        return hosts;
    }

    /**
     * Opens a session.
     *
     * @param session a session's folder, or a zip of one
     * @throws SessionException if it is no session, is from a newer version, or if its
     *                          {@code session.json} can't be read; {@link SalvagedSession} may then
     *                          still tell something
     */
    public static SessionReader open(Path session) throws SessionException {
        if (Files.isDirectory(session)) {
            return new SessionReader(session, session, Optional.empty());
        }
        if (!Files.exists(session)) {
            throw new SessionException(session + " does not exist");
        }
        Path unpacked = SessionZip.unpack(session);
        try {
            return new SessionReader(session, unpacked, Optional.of(unpacked));
        } catch (SessionException | RuntimeException e) {
            TemporaryFolders.remove(unpacked);
            throw e;
        }
    }

    /** The figures, exact up to the last checkpoint; of several hosts their sum, and theirs within. */
    public LatencySnapshot snapshot() {
        return snapshot;
    }

    /**
     * Tells what each interval of the recording counted, in the order of time; after damage, those that
     * can be read. The sums are those of {@link #snapshot()} for every distribution that has its buckets.
     *
     * @param visitors gives the one that hears of a host's intervals, host by host; ids of functions are
     *                 those of {@link #snapshot()}
     * @throws SessionException if a latency.hlog can't be read
     */
    public void intervals(Supplier<IntervalVisitor> visitors) throws SessionException {
        for (HostReader host : hosts) {
            Map<Integer, Integer> ids = new HashMap<>();
            host.snapshot().functions().forEach(own -> snapshot.functions().stream().map(FunctionLatency::function)
                    .filter(all -> hosts.size() == 1 ? all.id() == own.function().id()
                            : MergedHosts.isSame(all, own.function()))
                    .findFirst().ifPresent(all -> ids.put(own.function().id(), all.id())));
            IntervalVisitor visitor = visitors.get();
            host.intervals(new IntervalVisitor() {
                @Override
                public void interval(int id, Metric metric, long beginNanos, Distribution buckets) {
                    if (ids.containsKey(id)) {
                        visitor.interval(ids.get(id), metric, beginNanos, buckets);
                    }
                }

                @Override
                public void calls(int id, long endNanos, CallCounts calls) {
                    if (ids.containsKey(id)) {
                        visitor.calls(ids.get(id), endNanos, calls);
                    }
                }

                @Override
                public void losses(long endNanos, Losses losses) {
                    visitor.losses(endNanos, losses);
                }
            });
        }
    }

    /**
     * A trace that opens.
     *
     * @param target the host it was recorded on, as the user named it
     * @param folder of a CTF trace: the session's own, or where a stream file of it is damaged, a copy
     *               of its whole packets that lives until {@link SessionReader#close()}
     */
    public record HostTrace(String target, Path folder) {
    }

    /** The traces of the hosts that have one: of those recorded with events whose trace is not beyond use. */
    public List<HostTrace> traces() {
        return hosts.stream().flatMap(host -> host.trace().stream()
                .map(trace -> new HostTrace(host.checkpoint().info().target(), trace.folder()))).toList();
    }

    /** The first of {@link #traces()}, which is the only one in a session of one host. */
    public Optional<Path> trace() {
        return traces().stream().findFirst().map(HostTrace::folder);
    }

    /**
     * Copies the trace, whole packets only, into a folder that is new or empty; of several hosts each
     * into a folder of its own below.
     *
     * @throws SessionException if there is no trace, or the folder holds something or can't be written
     */
    public void exportCtf(Path target) throws SessionException {
        if (snapshot.hosts().isEmpty()) {
            hosts.getFirst().exportCtf(session, target);
            return;
        }
        for (HostReader host : hosts) {
            host.exportCtf(session, target.resolve(host.folder().getFileName().toString()));
        }
    }

    /**
     * Copies the HdrHistogram interval log, up to the last checkpoint, into a new file.
     *
     * @throws SessionException if there is none or there are several, or the file exists or can't be
     *                          written
     */
    public void exportHlog(Path file) throws SessionException {
        if (!snapshot.hosts().isEmpty()) {
            throw new SessionException(session + " holds an interval log for each of its hosts: export one of them,"
                    + " such as " + session.resolve(HostsJson.FOLDER).resolve(hosts.getFirst().folder().getFileName()));
        }
        hosts.getFirst().exportHlog(session, file);
    }

    /** Removes what {@link #traces()} and a zip needed in the temporary folder. */
    @Override
    public void close() {
        hosts.forEach(HostReader::close);
        unpacked.ifPresent(TemporaryFolders::remove);
    }

    private static byte[] bytes(Path file) throws SessionException {
        try {
            if (!Files.isRegularFile(file)) {
                throw new SessionException(file + (Files.exists(file) ? " is no file"
                        : " is missing: this is no session of Kview Workbench, or a damaged one"));
            }
            if (Files.size(file) > MAX_JSON_BYTES) {
                throw new SessionException(file + " is damaged: it is far too large");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw SessionException.of(file + " can't be read", e);
        }
    }
}
