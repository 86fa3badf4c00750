// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A graph of components, through which messages go to one {@link MessageIterator}. It owns these, and all native memory; of one
 * thread. After an exception of the library it can only be closed.
 *
 * <p>Plugins are loaded from the library's own folder only, not from where {@code BABELTRACE_PLUGIN_PATH} or the user's folder
 * would have them: whoever opens a trace runs no code but the library's.
 */
public final class Graph implements AutoCloseable {
    /**
     * The newest version of what components tell each other that is known here: from 1 on there are blobs. The library's own
     * components know all versions that it does; its component for CTF 2 ends the process where a trace needs more than it was given.
     */
    private static final long MESSAGE_INTERFACE = 1;
    private static final String READING = "The trace can't be read any further";

    private final Arena arena = Arena.ofConfined();
    private final Map<String, Long> plugins = new HashMap<>();
    private final Thread owner = Thread.currentThread();
    private final long address;
    private final long out;
    private Optional<MessageIterator> iterator = Optional.empty();
    private Optional<BabeltraceException> left = Optional.empty();
    private boolean usable = true;
    private boolean closed;

    Graph() throws BabeltraceException {
        out = arena.allocate(Long.BYTES, Long.BYTES).address();
        try {
            address = (long) Native.GRAPH_CREATE.invokeExact(Math.min(MESSAGE_INTERFACE, (long) Native.NEWEST_INTERFACE.invokeExact()));
        } catch (Throwable e) {
            throw Native.broken(e);
        }
        if (address == 0) {
            arena.close();
            throw BabeltraceException.taken("A graph of Babeltrace could not be made");
        }
    }

    /**
     * Adds a source.
     *
     * @param plugin         such as "ctf"
     * @param componentClass such as "fs"
     * @param name           of its own within the graph
     * @throws BabeltraceException if there is none of that kind, or it can't work with its parameters
     */
    public Component.Source source(String plugin, String componentClass, String name, Parameters parameters)
            throws BabeltraceException {
        return new Component.Source(name, add(true, plugin, componentClass, name, parameters));
    }

    /** Adds a filter, likewise. */
    public Component.Filter filter(String plugin, String componentClass, String name, Parameters parameters)
            throws BabeltraceException {
        return new Component.Filter(name, add(false, plugin, componentClass, name, parameters));
    }

    private long add(boolean source, String plugin, String componentClass, String name, Parameters parameters)
            throws BabeltraceException {
        requireUsable();
        String kind = (source ? "source." : "filter.") + plugin + "." + componentClass;
        try (Arena texts = Arena.ofConfined()) {
            long found = plugin(texts, plugin);
            long className = texts.allocateFrom(componentClass).address();
            long type = source ? (long) Native.PLUGIN_SOURCE.invokeExact(found, className)
                    : (long) Native.PLUGIN_FILTER.invokeExact(found, className);
            if (type == 0) {
                throw failed("The installed libbabeltrace2 has no component " + kind);
            }
            long map = parameters.create();
            long text = texts.allocateFrom(name).address();
            int status = source
                    ? (int) Native.GRAPH_SOURCE.invokeExact(address, type, text, map, Native.LOG_NOTHING, out)
                    : (int) Native.GRAPH_FILTER.invokeExact(address, type, text, map, Native.LOG_NOTHING, out);
            BabeltraceException failure = status == Native.OK ? null : failed(kind + " could not be made");
            Native.VALUE_PUT.invokeExact(map);
            if (failure != null) {
                throw failure;
            }
            return Native.longAt(out);
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    private long plugin(Arena texts, String name) throws Throwable {
        Long known = plugins.get(name);
        if (known != null) {
            return known;
        }
        // Not from the environment, nor from the user's folder: see above.
        int status = (int) Native.PLUGIN_FIND.invokeExact(texts.allocateFrom(name).address(), 0, 0, 1, 1, 0, out);
        if (status != Native.OK) {
            throw failed("The plugin '" + name + "' of libbabeltrace2 can't be loaded; install libbabeltrace2-0 anew");
        }
        plugins.put(name, Native.longAt(out));
        return Native.longAt(out);
    }

    /** Lets all that a source tells go to a filter. */
    public void connect(Component.Source from, Component.Filter to) throws BabeltraceException {
        requireUsable();
        try {
            long outputs = (long) Native.SOURCE_OUTPUTS.invokeExact(from.address);
            for (long i = 0; i < outputs; i++) {
                // A muxer always has one more input than is used.
                long input = (long) Native.FILTER_INPUTS.invokeExact(to.address) - 1;
                connect((long) Native.SOURCE_OUTPUT.invokeExact(from.address, i),
                        (long) Native.FILTER_INPUT.invokeExact(to.address, input));
            }
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** Lets what a filter tells go to another one. */
    public void connect(Component.Filter from, Component.Filter to) throws BabeltraceException {
        requireUsable();
        try {
            long input = (long) Native.FILTER_INPUTS.invokeExact(to.address) - 1;
            connect((long) Native.FILTER_OUTPUT.invokeExact(from.address, 0L),
                    (long) Native.FILTER_INPUT.invokeExact(to.address, input));
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    private void connect(long output, long input) throws Throwable {
        if ((int) Native.GRAPH_CONNECT.invokeExact(address, output, input, 0L) != Native.OK) {
            throw failed("What a trace tells could not be connected");
        }
    }

    /**
     * Reads the messages that a filter tells. Once for each graph.
     *
     * @return what the graph owns
     */
    public MessageIterator iterate(Component.Filter filter) throws BabeltraceException {
        requireUsable();
        if (iterator.isPresent()) {
            throw new IllegalStateException("A graph is iterated once");
        }
        MessageIterator messages = new MessageIterator(this, arena);
        iterator = Optional.of(messages);
        try (Arena texts = Arena.ofConfined()) {
            if ((int) Native.GRAPH_SINK.invokeExact(address, texts.allocateFrom("reader").address(), messages.beginning(),
                    messages.consuming(), 0L, 0L, out) != Native.OK) {
                throw failed("A reader could not be made");
            }
            connect((long) Native.FILTER_OUTPUT.invokeExact(filter.address, 0L),
                    (long) Native.SINK_INPUT.invokeExact(Native.longAt(out), 0L));
        } catch (BabeltraceException e) {
            throw e;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
        return messages;
    }

    /**
     * Lets the messages come that the reader takes next: {@link Native#OK}, END or AGAIN. Where a trace is damaged, the library
     * tells the messages before that first, says that all is well, and leaves the error to its thread.
     */
    int run() throws BabeltraceException {
        requireUsable();
        if (left.isPresent()) {
            usable = false;
            throw left.get();
        }
        int status;
        try {
            status = (int) Native.GRAPH_RUN_ONCE.invokeExact(address);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
        if (status != Native.OK && status != Native.END && status != Native.AGAIN) {
            throw failed(READING);
        }
        left = BabeltraceException.left(READING);
        return left.isPresent() ? Native.OK : status;
    }

    /** The library aborts if a graph that failed is used again. */
    private BabeltraceException failed(String sentence) {
        usable = false;
        return BabeltraceException.taken(sentence);
    }

    private void requireUsable() {
        if (Thread.currentThread() != owner) {
            throw new WrongThreadException("A graph is of the thread that made it: " + owner);
        }
        if (closed || !usable) {
            throw new IllegalStateException(closed ? "The graph is closed" : "The graph failed before");
        }
    }

    /** Frees all that it owns. Closing twice does no harm. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (Thread.currentThread() != owner) {
            throw new WrongThreadException("A graph is closed by the thread that made it: " + owner);
        }
        closed = true;
        iterator.ifPresent(MessageIterator::release);
        try {
            Native.GRAPH_PUT.invokeExact(address);
            for (long plugin : plugins.values()) {
                Native.PLUGIN_PUT.invokeExact(plugin);
            }
        } catch (Throwable e) {
            throw Native.broken(e);
        } finally {
            // The graph calls what is in it until it is gone.
            arena.close();
        }
    }
}
