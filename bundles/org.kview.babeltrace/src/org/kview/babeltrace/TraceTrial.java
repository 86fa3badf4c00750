// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a trace can be read, found out in a process of its own, because libbabeltrace2 ends the process where a damaged trace
 * makes one of its assertions fail, or take much memory. Whoever then reads no more messages than these is not ended.
 *
 * @param messages how many messages could be read: all of them, unless {@link #died}
 * @param died     whether the library ended that process; a trace that it can't read for another reason is not told here, as
 *                 {@link TraceReader} says so itself
 * @param cause    what the library printed then, or what it may be if it printed nothing; may hold what the trace says
 */
public record TraceTrial(long messages, boolean died, String cause) {
    private static final int MOST_CAUSE_BYTES = 2000;

    /**
     * Reads the traces once, as fast as the library does. It needs a JVM's command beside this one's {@code java.home}.
     *
     * @throws BabeltraceException  if the other process can't be started
     * @throws InterruptedException if this thread is interrupted; the other process is ended then
     */
    public static TraceTrial run(List<Path> folders) throws BabeltraceException, InterruptedException {
        try {
            Path counted = Files.createTempFile("kview-trial", "");
            try {
                counted.toFile().deleteOnExit();
                Files.write(counted, new byte[Long.BYTES]);
                return run(folders, counted);
            } finally {
                Files.delete(counted);
            }
        } catch (IOException e) {
            throw new BabeltraceException("The process that tries how far the trace can be read failed: " + e.getMessage());
        }
    }

    private static TraceTrial run(List<Path> folders, Path counted) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(counted.toString()));
        folders.forEach(folder -> arguments.add(folder.toAbsolutePath().toString()));
        Process process = ReaderProcess.start(Reading.class, List.of(), List.of("-XX:TieredStopAtLevel=1"), arguments);
        // Whatever ends this JVM ends the other one.
        Thread end = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(end);
        try {
            process.getOutputStream().close();
            byte[] printed = process.getErrorStream().readNBytes(MOST_CAUSE_BYTES);
            process.getErrorStream().skip(Long.MAX_VALUE);
            boolean died = process.waitFor() != 0;
            String cause = new String(printed, StandardCharsets.UTF_8).strip();
            return new TraceTrial(ByteBuffer.wrap(Files.readAllBytes(counted)).getLong(), died,
                    !died ? "" : cause.isEmpty() ? ReaderProcess.ENDED_SILENTLY : cause);
        } finally {
            process.destroyForcibly();
            removeHook(end);
        }
    }

    private static void removeHook(Thread end) {
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException e) {
            // It runs already.
            return;
        }
    }

    /** What the other process runs. */
    static final class Reading {
        private Reading() {
        }

        /** @param arguments the file that counts, and the folders */
        public static void main(String[] arguments) {
            try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                // What is in it is there for others even if this process is gone.
                MappedByteBuffer counted = file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
                List<Path> folders = new ArrayList<>();
                for (int i = 1; i < arguments.length; i++) {
                    folders.add(Path.of(arguments[i]));
                }
                try (TraceReader reader = Babeltrace.load().open(folders)) {
                    for (long count = 1; reader.next(); count++) {
                        counted.putLong(0, count);
                    }
                }
            } catch (BabeltraceException e) {
                // Who reads the trace after this gets the same one.
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
