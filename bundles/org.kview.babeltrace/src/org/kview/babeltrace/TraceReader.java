// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads traces in the Common Trace Format: {@code source.ctf.fs} for each, and {@code filter.utils.muxer}, which brings their
 * events into the order of their times. Of one thread; it owns what it tells.
 */
public final class TraceReader implements AutoCloseable {
    /** LTTng's folders of a session are 6 deep: trace/ust/uid/1000/64-bit/metadata. */
    private static final int MOST_DEPTH = 8;
    private static final int MOST_TRACES = 1000;
    private static final String METADATA = "metadata";

    private final Graph graph;
    private final MessageIterator messages;
    private final List<Path> traces;
    private long events;
    private long mostEvents;

    private TraceReader(Graph graph, MessageIterator messages, List<Path> traces) {
        this.graph = graph;
        this.messages = messages;
        this.traces = List.copyOf(traces);
    }

    static TraceReader open(Babeltrace library, List<Path> folders) throws BabeltraceException {
        List<Path> traces = new ArrayList<>();
        for (Path folder : folders) {
            traces.addAll(tracesIn(folder));
        }
        for (Path trace : traces) {
            requireKnown(library.version(), trace);
        }
        Graph graph = library.graph();
        try {
            Component.Filter muxer = graph.filter("utils", "muxer", "muxer", Parameters.NONE);
            for (int i = 0; i < traces.size(); i++) {
                Parameters inputs = Parameters.NONE.with("inputs", List.of(traces.get(i).toAbsolutePath().toString()));
                graph.connect(graph.source("ctf", "fs", "trace" + i, inputs), muxer);
            }
            return new TraceReader(graph, graph.iterate(muxer), traces);
        } catch (BabeltraceException e) {
            graph.close();
            throw new BabeltraceException("The trace in " + folders.getFirst() + " can't be opened"
                    + (e.causes().isEmpty() ? ": " + e.getMessage() : ": " + e.causes().getFirst().message()), e.causes());
        }
    }

    /** Older versions of the library would name a mistake in the first line of the metadata. */
    private static void requireKnown(Babeltrace.Version version, Path trace) throws BabeltraceException {
        try {
            if (!version.readsCtf2() && TraceFormat.isCtf2(trace.resolve(METADATA))) {
                throw new BabeltraceException("The trace in " + trace + " is in CTF 2, which libbabeltrace2 reads from version 2.1 on;"
                        + " the one that is installed is " + version + ": install a later one");
            }
        } catch (IOException e) {
            throw new BabeltraceException("The trace in " + trace + " can't be read: " + e.getMessage());
        }
    }

    /** The folders that hold a trace each: links are not followed. */
    private static List<Path> tracesIn(Path folder) throws BabeltraceException {
        try (Stream<Path> files = Files.find(folder, MOST_DEPTH, (path, attributes) -> attributes.isRegularFile()
                && path.getFileName().toString().equals(METADATA))) {
            List<Path> traces = files.map(Path::getParent).sorted().limit(MOST_TRACES + 1L).toList();
            if (traces.isEmpty()) {
                throw new BabeltraceException("There is no trace in " + folder
                        + ": a trace is a folder with a file named " + METADATA);
            }
            if (traces.size() > MOST_TRACES) {
                throw new BabeltraceException("There are more than " + MOST_TRACES + " traces in " + folder
                        + "; open fewer at once");
            }
            return traces;
        } catch (IOException | UncheckedIOException e) {
            throw new BabeltraceException("The folder " + folder + " can't be read: " + e.getMessage());
        }
    }

    /** The folders of the traces that are read. */
    public List<Path> traces() {
        return traces;
    }

    /**
     * Goes on to the next message, see {@link MessageIterator#next()}. Of an event that takes no bit in its packet the library tells
     * for ever: there it fails.
     */
    public boolean next() throws BabeltraceException {
        boolean more = messages.next();
        if (more && messages.message() instanceof Event && ++events > mostEvents) {
            // Again, as a trace may still grow.
            mostEvents = bits();
            if (events > mostEvents) {
                throw new BabeltraceException("The trace can't be read any further: it tells of more events than its files have bits");
            }
        }
        return more;
    }

    /** Of what the library reads: it passes over hidden files, which may be sparse and of any size. */
    private long bits() throws BabeltraceException {
        long bytes = 0;
        for (Path trace : traces) {
            try (Stream<Path> files = Files.list(trace)) {
                for (Path file : files.filter(TraceReader::isStream).toList()) {
                    bytes += Files.size(file);
                }
            } catch (IOException | UncheckedIOException e) {
                throw new BabeltraceException("The folder " + trace + " can't be read: " + e.getMessage());
            }
        }
        return bytes * Byte.SIZE;
    }

    private static boolean isStream(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && !name.equals(METADATA) && Files.isRegularFile(file);
    }

    /** The message that {@link #next()} went on to. */
    public Message message() {
        return messages.message();
    }

    @Override
    public void close() {
        graph.close();
    }
}
