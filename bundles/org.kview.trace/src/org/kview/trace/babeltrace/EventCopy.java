// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.model.SafeText;

/**
 * The events of a trace in a file, while they are written there and afterwards. A whole copy stays in its folder for the next time
 * that the same trace is opened. Safe for use by several threads.
 */
final class EventCopy implements AutoCloseable {
    static final String NAMES = "names", EVENTS = "events";

    private static final String WHOLE = "copy", TRACE = "trace", UNFINISHED = "unfinished-";
    private static final int WINDOW_BYTES = 1 << 16;
    /** What {@link FieldWriter} writes of an event is below it. */
    private static final int MOST_RECORD_BYTES = 1 << 24;
    private static final long RESERVE_BYTES = 1L << 30;

    private final Path home;
    private final Path folder;
    private final String identity;
    private final Optional<CopyProcess> process;
    /** No channels: these are closed where a thread that reads is interrupted, and Trace Compass interrupts. */
    private final RandomAccessFile events;
    private final RandomAccessFile namesFile;
    private final List<String> names = new ArrayList<>();
    private long namesRead;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowAt;
    private boolean closed;

    private EventCopy(Path home, Path folder, String identity, Optional<CopyProcess> process) throws IOException {
        this.home = home;
        this.folder = folder;
        this.identity = identity;
        this.process = process;
        events = new RandomAccessFile(folder.resolve(EVENTS).toFile(), "r");
        namesFile = new RandomAccessFile(folder.resolve(NAMES).toFile(), "r");
    }

    /**
     * Takes the copy that is in a folder, or begins one.
     *
     * @param home where copies of this trace are kept; is made
     */
    static EventCopy open(Path trace, Path home) throws IOException {
        return open(trace, home, RESERVE_BYTES);
    }

    /** @param reserveBytes what is to stay free on the disk */
    static EventCopy open(Path trace, Path home, long reserveBytes) throws IOException {
        Files.createDirectories(home);
        removeLeftovers(home);
        String identity = TraceFolder.identity(trace);
        Path whole = home.resolve(WHOLE);
        if (Files.isRegularFile(whole.resolve(TRACE)) && Files.readString(whole.resolve(TRACE)).equals(identity)) {
            return new EventCopy(home, whole, identity, Optional.empty());
        }
        Path folder = Files.createTempDirectory(home, UNFINISHED + ProcessHandle.current().pid() + "-");
        Files.createFile(folder.resolve(EVENTS));
        Files.createFile(folder.resolve(NAMES));
        CopyProcess process = CopyProcess.start(trace.toAbsolutePath().toString(), folder.toAbsolutePath().toString(), "" + reserveBytes);
        try {
            return new EventCopy(home, folder, identity, Optional.of(process));
        } catch (IOException e) {
            process.close();
            throw e;
        }
    }

    /** Of workbenches that died. */
    private static void removeLeftovers(Path home) throws IOException {
        try (Stream<Path> found = Files.list(home)) {
            for (Path folder : found.filter(path -> path.getFileName().toString().startsWith(UNFINISHED)).toList()) {
                String pid = folder.getFileName().toString().substring(UNFINISHED.length()).split("-")[0];
                if (!pid.matches("\\d{1,9}") || ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    remove(folder);
                }
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        for (String name : new String[] {EVENTS, NAMES, TRACE}) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }

    /** Whether nothing will be added. What is asked for after this is the last word. */
    boolean isFinished() {
        return process.isEmpty() || process.get().hasEnded();
    }

    /** Why not all of the trace is here, once it is finished: a sentence without a full stop. */
    Optional<String> failure() {
        return process.flatMap(CopyProcess::failure);
    }

    /** How far the events go at present. */
    long bytes() throws IOException {
        return events.length();
    }

    /**
     * One event, without its length.
     *
     * @param at where it begins
     * @return empty where there is none, or not yet
     * @throws IOException if the file can't be read, is damaged, or closed
     */
    synchronized Optional<ByteBuffer> event(long at) throws IOException {
        if (!fill(at, Integer.BYTES)) {
            return Optional.empty();
        }
        int length = window.getInt((int) (at - windowAt));
        if (length < 0 || length > MOST_RECORD_BYTES) {
            throw new IOException("The length of an event is " + length);
        }
        if (!fill(at, Integer.BYTES + length)) {
            return Optional.empty();
        }
        byte[] bytes = new byte[length];
        window.get((int) (at - windowAt) + Integer.BYTES, bytes);
        return Optional.of(ByteBuffer.wrap(bytes));
    }

    /** Has so many bytes in the window, if the file has them. */
    private boolean fill(long at, int bytes) throws IOException {
        if (at >= windowAt && at + bytes <= windowAt + window.limit()) {
            return true;
        }
        if (at + bytes > events.length()) {
            return false;
        }
        ByteBuffer read = window.capacity() >= bytes && window.capacity() >= WINDOW_BYTES ? window
                : ByteBuffer.allocate(Math.max(WINDOW_BYTES, bytes));
        read.clear();
        windowAt = at;
        events.seek(at);
        int count = 0;
        for (int more = 0; count < read.capacity() && more >= 0; count += Math.max(0, more)) {
            more = events.read(read.array(), count, read.capacity() - count);
        }
        window = read.limit(count);
        return read.limit() >= bytes;
    }

    /** The name of a number that an event has. */
    synchronized String name(int number) throws IOException {
        while (names.size() <= number) {
            namesFile.seek(namesRead);
            byte[] text = new byte[Math.clamp(namesFile.readInt(), 0, WINDOW_BYTES)];
            namesFile.readFully(text);
            namesRead = namesFile.getFilePointer();
            names.add(SafeText.line(new String(text, StandardCharsets.UTF_8)));
        }
        return names.get(number);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Ends the process that writes it, if it goes on, and removes what is not whole. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        boolean whole = process.filter(CopyProcess::hasEnded).filter(ended -> ended.failure().isEmpty()).isPresent();
        process.ifPresent(CopyProcess::close);
        try (events; namesFile) {
            if (process.isPresent()) {
                process.get().join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (whole) {
            keep();
        } else if (process.isPresent()) {
            remove(folder);
        }
    }

    /** For the next time; of two that were made at once, the later one. */
    private void keep() throws IOException {
        Files.writeString(folder.resolve(TRACE), identity);
        Path kept = home.resolve(WHOLE);
        if (Files.exists(kept)) {
            remove(kept);
        }
        Files.move(folder, kept, StandardCopyOption.ATOMIC_MOVE);
    }
}
