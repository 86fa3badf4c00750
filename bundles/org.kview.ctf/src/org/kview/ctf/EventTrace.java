// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A recording's trace, {@code metadata} and a stream file for each CPU. Even a hostile trace is read in finite time and
 * limited memory: the memory depends on the number of streams, and not on any length that the trace claims.
 */
public final class EventTrace {
    public static final String METADATA = "metadata";
    public static final String STREAM_PREFIX = "cpu_";

    private static final Pattern STREAM = Pattern.compile(STREAM_PREFIX + "(0|[1-9][0-9]{0,4})");
    /** The greatest number of CPUs that Linux supports. */
    private static final int MOST_STREAMS = 8192;
    /** The metadata that our agent writes has about 8 KB. */
    private static final int MOST_METADATA_BYTES = 16 << 20;
    /** A packet that our agent writes fits into one window. */
    private static final int WINDOW_BYTES = 64 << 10;
    private static final int WINDOWS_BYTES = 64 << 20;

    private final String metadata;
    private final TraceLayout layout;
    private final List<Stream> streams;
    private final boolean ended;
    /** Of one that is being written. */
    private final Optional<Live> live;

    /** The file of a CPU. */
    record Stream(Path path, int cpu, KnownPackets known) {
    }

    private record Live(Path folder, LiveEnd end) {
    }

    private EventTrace(String metadata, TraceLayout layout, List<Stream> streams, boolean ended, Optional<Live> live) {
        this.metadata = metadata;
        this.layout = layout;
        this.streams = List.copyOf(streams);
        this.ended = ended;
        this.live = live;
    }

    /**
     * A trace that is being written: {@link #eventsAhead} tells its events as they come, and others in between wait; {@link #events} none.
     *
     * @param end ends that
     * @throws CtfException if it is no trace that this version can read
     */
    public static EventTrace live(Path folder, LiveEnd end) throws CtfException {
        try {
            String metadata = metadata(folder.resolve(METADATA));
            return new EventTrace(metadata, TraceLayout.parse(metadata), List.of(), false, Optional.of(new Live(folder, end)));
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /**
     * Reads a trace's metadata, and looks which streams there are.
     *
     * @param known what is known of each CPU's packets
     * @throws CtfException if it is no trace that this version can read
     */
    public static EventTrace open(Path folder, IntFunction<KnownPackets> known) throws CtfException {
        try {
            String metadata = metadata(folder.resolve(METADATA));
            TraceLayout layout = TraceLayout.parse(metadata);
            List<Stream> streams = new ArrayList<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    cpu(file).ifPresent(cpu -> streams.add(new Stream(file, cpu, known.apply(cpu))));
                    if (streams.size() > MOST_STREAMS) {
                        throw new CtfException("it has more streams than hosts have CPUs");
                    }
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            streams.sort(Comparator.comparingInt(Stream::cpu));
            return new EventTrace(metadata, layout, streams, true, Optional.empty());
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    private static CtfException unreadable(Path folder, IOException e) {
        return new CtfException("The trace in " + folder + " can't be read: " + e.getMessage(), e);
    }

    /** The CPU whose stream a file is; empty if it is something else. */
    static Optional<Integer> cpu(Path file) {
        Matcher name = STREAM.matcher(file.getFileName().toString());
        // A pipe or a device would never end.
        return name.matches() && Files.isRegularFile(file) ? Optional.of(Integer.valueOf(name.group(1))) : Optional.empty();
    }

    /** Likewise, for a trace without checksums: its packets are checked only by their own headers. */
    public static EventTrace open(Path folder) throws CtfException {
        return open(folder, _ -> KnownPackets.NONE);
    }

    private static String metadata(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new CtfException("it has no metadata");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MOST_METADATA_BYTES + 1);
            if (text.length > MOST_METADATA_BYTES) {
                throw new CtfException("its metadata is longer than any");
            }
            return new String(text, StandardCharsets.UTF_8);
        }
    }

    public TraceLayout layout() {
        return layout;
    }

    /** The same, of a recording that was broken off or still goes on: what came last on a CPU may not have been written. */
    public EventTrace withoutEnd() {
        return new EventTrace(metadata, layout, streams, false, live);
    }

    /** Whether all of its streams reach to its end, if nothing is missing. */
    public boolean isEnded() {
        return live.map(its -> its.end().isWhole()).orElse(ended);
    }

    /**
     * Whether another trace, of which {@link #live} told while it was written, has the same packets, and was told as this one is: all of its events,
     * in the same order. What is not known from elsewhere of this one's packets can't be compared.
     */
    public boolean isAsTold(EventTrace whileWritten) throws CtfException {
        if (whileWritten.live.isEmpty() || !whileWritten.live.get().end().isToldAlike() || !metadata.equals(whileWritten.metadata)) {
            return false;
        }
        Map<Integer, ReadPackets> read = whileWritten.live.get().end().packets();
        try {
            for (Stream stream : streams) {
                if (!read.getOrDefault(stream.cpu(), new ReadPackets()).isAllOf(stream.known(), Files.size(stream.path()))) {
                    return false;
                }
            }
        } catch (IOException e) {
            throw new CtfException("The trace can't be read any further: " + e.getMessage(), e);
        }
        return streams.stream().map(Stream::cpu).collect(Collectors.toSet()).containsAll(read.keySet());
    }

    /** Whether more may come. */
    public boolean isBeingWritten() {
        return live.isPresent();
    }

    /** Of one that is being written: it told something before all was there that would have told it otherwise. */
    public void isToldOtherwise() {
        live.ifPresent(its -> its.end().isToldOtherwise());
    }

    /**
     * Where events are missing, in the order in which that begins. Reads the headers of packets only.
     *
     * @throws CtfException if a file can't be read
     */
    public List<TraceGap> gaps() throws CtfException {
        List<TraceGap> gaps = new ArrayList<>();
        for (Stream stream : streams) {
            try {
                gaps.addAll(TraceGap.in(stream));
            } catch (IOException e) {
                throw new CtfException(stream.path() + " can't be read: " + e.getMessage(), e);
            }
        }
        gaps.sort(Comparator.comparingLong(TraceGap::sinceNanos));
        return gaps;
    }

    /**
     * Reads its events from the first one on.
     *
     * @throws CtfException if a file can't be read
     */
    public EventCursor events() throws CtfException {
        int window = Math.clamp(WINDOWS_BYTES / Math.max(1, streams.size()), 2 * StreamCursor.MOST_EVENT_BYTES, WINDOW_BYTES);
        return new EventCursor(streams, layout, window);
    }

    /**
     * Reads on from where another one has come to, or earlier, for who looks for something ahead. Of a trace that is being written there may be
     * more after an empty answer, and earlier ones.
     *
     * @param source one of this trace's
     * @throws CtfException if a file can't be read
     */
    public EventSource ahead(EventSource source) throws CtfException {
        return source instanceof LiveCursor cursor ? cursor.ahead() : events();
    }

    /** As {@link #eventsAhead(Runnable)}, for who does nothing while there are none. */
    public EventSource eventsAhead() throws CtfException {
        return eventsAhead(() -> { });
    }

    /**
     * Likewise, in a thread of its own that is ahead of the one that uses them: for who goes through all of them. That thread
     * ends at {@link EventSource#close}.
     *
     * @param idle of a trace that is being written, runs on the thread that uses them when there are none for a while
     * @throws CtfException if a file can't be read
     */
    public EventSource eventsAhead(Runnable idle) throws CtfException {
        return live.isPresent() ? new LiveCursor(live.get().folder(), layout, live.get().end(), idle) : new ReadAhead(events());
    }
}
