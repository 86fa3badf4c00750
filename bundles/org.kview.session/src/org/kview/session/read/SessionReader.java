// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.kview.ctf.EventTrace;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.session.CallCounts;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.HostsJson;
import org.kview.session.format.SessionDocument;
import org.kview.session.format.SessionFiles;

/**
 * A session on disk, {@code NAME.kview/} or {@code NAME.kview.zip}, opened for reading. Nothing in it
 * is changed. Immutable once open, and safe for use by several threads.
 *
 * <p>What is damaged is named in {@link LatencySnapshot#problems()}, and the rest opens.
 */
public final class SessionReader implements AutoCloseable {
    private final Path session;
    private final Optional<Path> unpacked;
    private final List<HostReader> hosts;
    private final LatencySnapshot snapshot;

    private SessionReader(Path session, Path folder, Optional<Path> unpacked, Allowance allowance) throws SessionException {
        this.session = session;
        this.unpacked = unpacked;
        SessionDocument document = SessionDocument.read(folder.resolve(SessionFiles.SESSION_JSON), allowance);
        Optional<List<HostsJson.Entry>> entries = HostsJson.read(document);
        if (entries.isEmpty()) {
            hosts = List.of(HostReader.open(folder, document, allowance));
            snapshot = hosts.getFirst().snapshot();
        } else {
            List<String> problems = new ArrayList<>();
            hosts = open(folder, entries.get(), problems, allowance);
            LatencySnapshot merged = MergedHosts.of(hosts.stream().map(HostReader::snapshot).toList());
            for (String problem : problems) {
                merged = merged.withProblem(problem);
            }
            snapshot = merged;
        }
    }

    /** @throws SessionException if no host's part opens */
    private static List<HostReader> open(Path folder, List<HostsJson.Entry> entries, List<String> problems,
            Allowance allowance) throws SessionException {
        List<HostReader> hosts = new ArrayList<>();
        SessionException first = null;
        try {
            for (HostsJson.Entry entry : entries) {
                try {
                    hosts.add(open(folder.resolve(entry.folder()), allowance));
                } catch (SessionException e) {
                    problems.add("The part of " + entry.target() + " can't be read: " + e.getMessage() + ".");
                    first = first == null ? e : first;
                }
            }
        } catch (RuntimeException e) {
            hosts.forEach(HostReader::close);
            throw e;
        }
        if (hosts.isEmpty()) {
            throw first;
        }
        return hosts;
    }

    private static HostReader open(Path part, Allowance allowance) throws SessionException {
        if (!Files.isDirectory(part, LinkOption.NOFOLLOW_LINKS)) {
            throw new SessionException(part + " is missing");
        }
        return HostReader.open(part, SessionDocument.read(part.resolve(SessionFiles.SESSION_JSON), allowance), allowance);
    }

    /**
     * Opens a session.
     *
     * @param session a session's folder, or a zip of one
     * @throws SessionException if it is no session, is from a newer version, or if its
     *                          {@code session.json} can't be read; {@code SalvagedSession} may then
     *                          still tell something
     */
    public static SessionReader open(Path session) throws SessionException {
        return open(session, Progress.NONE);
    }

    /**
     * Likewise. A session takes some seconds at most, however large it is: what would take longer is left out, and named
     * among the problems.
     *
     * @param progress hears how much was read
     * @throws java.util.concurrent.CancellationException if that is no longer wanted
     */
    public static SessionReader open(Path session, Progress progress) throws SessionException {
        Allowance allowance = Allowance.of(progress);
        if (progress != Progress.NONE) {
            allowance.expect(SessionCopy.sizeBytes(session));
        }
        return open(session, progress, allowance);
    }

    static SessionReader open(Path session, Progress progress, Allowance allowance) throws SessionException {
        if (Files.isDirectory(session)) {
            return new SessionReader(session, session, Optional.empty(), allowance);
        }
        if (!Files.exists(session)) {
            throw new SessionException(session + " does not exist");
        }
        Path unpacked = SessionZip.unpack(session, progress, allowance);
        try {
            allowance.expect(SessionCopy.sizeBytes(unpacked));
            return new SessionReader(session, unpacked, Optional.of(unpacked), allowance);
        } catch (SessionException | RuntimeException e) {
            TemporaryFolders.ofThisProcess().remove(unpacked);
            throw e;
        }
    }

    /** The figures, exact up to the last checkpoint; of several hosts their sum, and theirs within. */
    public LatencySnapshot snapshot() {
        return snapshot;
    }

    /** As {@link #intervals(Supplier, Progress)}, for as long as that takes. */
    public void intervals(Supplier<IntervalVisitor> visitors) throws SessionException {
        intervals(visitors, Progress.NONE);
    }

    /**
     * Tells what each interval of the recording counted, in the order of time; after damage, those that
     * can be read. The sums are those of {@link #snapshot()} for every distribution that has its buckets.
     *
     * @param visitors gives the one that hears of a host's intervals, host by host; ids of functions are
     *                 those of {@link #snapshot()}
     * @param progress hears how much of a host's log was read, and may end it
     * @throws SessionException if a latency.hlog can't be read
     */
    public void intervals(Supplier<IntervalVisitor> visitors, Progress progress) throws SessionException {
        Map<Object, Integer> merged = new HashMap<>();
        snapshot.functions().forEach(f -> merged.putIfAbsent(MergedHosts.identity(f.function()), f.function().id()));
        for (HostReader host : hosts) {
            Map<Integer, Integer> ids = new HashMap<>();
            host.snapshot().functions().stream().map(FunctionLatency::function).forEach(own -> ids.put(own.id(),
                    snapshot.hosts().isEmpty() ? own.id() : merged.get(MergedHosts.identity(own))));
            IntervalVisitor visitor = visitors.get();
            host.intervals(progress, new IntervalVisitor() {
                @Override
                public void interval(int id, Metric metric, long endNanos, Distribution buckets) {
                    if (ids.containsKey(id)) {
                        visitor.interval(ids.get(id), metric, endNanos, buckets);
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
        return hosts.stream().flatMap(host -> host.trace().flatMap(OpenedTrace::readable).stream()
                .map(folder -> new HostTrace(host.checkpoint().info().target(), folder))).toList();
    }

    /** The first of {@link #traces()}, which is the only one in a session of one host. */
    public Optional<Path> trace() {
        return traces().stream().findFirst().map(HostTrace::folder);
    }

    /**
     * The events of a host.
     *
     * @param target the host they were recorded on, as the user named it
     * @param trace  its trace, damaged or not: among the events it is told which packets could not be read. Of a stream file that
     *               is missing {@link LatencySnapshot#problems()} tells
     * @param figures what was counted of the same calls
     * @param whole  whether nothing is known to be missing of the trace
     * @param identity traces with the same one hold the same events, and the same is missing of them: letters and digits; empty if
     *               it is not known
     */
    public record HostEvents(String target, EventTrace trace, LatencySnapshot figures, boolean whole, String identity) {
    }

    /**
     * A host of which no events are left, or that was recorded without events.
     *
     * @param target   as the user named it
     * @param calls    how many ended there
     * @param recorded whether it was recorded with events
     */
    public record HostWithoutEvents(String target, long calls, boolean recorded) {
    }

    /** The hosts that {@link #events()} leaves out, of those whose figures are read. */
    public List<HostWithoutEvents> hostsWithoutEvents() {
        return hosts.stream().filter(host -> host.trace().isEmpty()).map(host -> new HostWithoutEvents(
                host.checkpoint().info().target(),
                host.snapshot().functions().stream().mapToLong(latency -> latency.wall().count()).sum(),
                host.checkpoint().trace().isPresent())).toList();
    }

    /**
     * Whether it was recorded with events on at least one of its hosts; even then there may be none, or none that can be
     * read.
     */
    public boolean hasEvents() {
        return hosts.stream().anyMatch(host -> host.checkpoint().trace().isPresent());
    }

    /**
     * The events of the hosts that have some, one by one and without Trace Compass. They can be read until
     * {@link #close()}.
     *
     * @throws SessionException if a trace is none that this version can read
     */
    public List<HostEvents> events() throws SessionException {
        List<HostEvents> events = new ArrayList<>();
        for (HostReader host : hosts) {
            host.events().ifPresent(trace -> events.add(new HostEvents(host.checkpoint().info().target(), trace,
                    host.snapshot(), host.hasWholeTrace(), host.traceIdentity())));
        }
        return events;
    }

    /**
     * Copies the trace, whole packets only, into a folder that is new or empty; of several hosts each
     * into a folder of its own below.
     *
     * @param problems hears one sentence each for what was found wrong with it that {@link #snapshot()} does not say
     * @throws SessionException if there is no trace, or the folder holds something or can't be written
     */
    public void exportCtf(Path destination, Consumer<String> problems) throws SessionException {
        if (snapshot.hosts().isEmpty()) {
            hosts.getFirst().exportCtf(session, destination).forEach(problems);
            return;
        }
        for (HostReader host : hosts) {
            host.exportCtf(session, destination.resolve(host.folder().getFileName().toString())).forEach(problems);
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
        unpacked.ifPresent(TemporaryFolders.ofThisProcess()::remove);
    }
}
