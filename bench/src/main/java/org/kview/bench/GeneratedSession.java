// SPDX-License-Identifier: EPL-2.0
package org.kview.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.ctf.EventTrace;
import org.kview.model.Mechanism;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.Provenance;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.session.SessionException;
import org.kview.session.write.SessionWriter;

/** Writes a session whose events are those of a {@link GeneratedTrace}; its histograms are empty. */
public final class GeneratedSession {
    private static final int HEADER_BYTES = 76;
    private static final int PACKET_BITS_AT = 48;

    private GeneratedSession() {
    }

    /**
     * Writes a session.
     *
     * @param folder      that is not there yet
     * @param description {@code trace.tsdl}
     * @param calls       how many there are to be, about
     */
    public static void write(Path folder, String description, long calls) throws IOException, SessionException {
        Path trace = Files.createDirectories(folder.resolveSibling(folder.getFileName() + ".trace"));
        GeneratedTrace.write(trace, description, calls);
        SessionInfo info = new SessionInfo(new SessionInfo.Host("local", "vm", "6.1", Optional.empty()),
                List.of(new Scope.Process(4711, 0)), "/usr/bin/shop", new SessionInfo.Filtering("in", ""), Instant.ofEpochSecond(0),
                Duration.ZERO, new SessionInfo.Ending(SessionInfo.State.RECORDING, "", Optional.empty()), Provenance.UNKNOWN);
        List<ProbedFunction> functions = new ArrayList<>();
        for (int i = 0; i < GeneratedTrace.FUNCTIONS; i++) {
            functions.add(new ProbedFunction(i, "handle_" + i,
                    new ProbePoint.UserFunction("/usr/bin/shop", "handle_" + i, 0x1000 + i, 0x1000 + i, 200), Mechanism.TRAP,
                    ProbedFunction.ALL_METRICS, ProbedFunction.Ends.of(ProbedFunction.ExitKind.RETURN_SITES),
                    new ProbedFunction.Cost(180, 2300), 0));
        }
        try (SessionWriter writer = SessionWriter.create(folder, info, functions,
                Optional.of(Files.readString(trace.resolve(EventTrace.METADATA))));
                Stream<Path> files = Files.list(trace)) {
            for (Path stream : files.filter(file -> file.getFileName().toString().startsWith(EventTrace.STREAM_PREFIX)).sorted().toList()) {
                copy(stream, Integer.parseInt(stream.getFileName().toString().substring(EventTrace.STREAM_PREFIX.length())), writer);
                Files.delete(stream);
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
    }

    private static void copy(Path stream, int cpu, SessionWriter writer) throws IOException, SessionException {
        try (FileChannel in = FileChannel.open(stream)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (long at = 0; at < in.size();) {
                in.read(header.clear(), at);
                ByteBuffer packet = ByteBuffer.allocate((int) (header.getLong(PACKET_BITS_AT) / Byte.SIZE)).order(ByteOrder.LITTLE_ENDIAN);
                while (packet.hasRemaining() && in.read(packet, at + packet.position()) > 0) {
                    continue;
                }
                at += packet.capacity();
                writer.appendPacket(cpu, packet.flip(), 1);
            }
        }
    }
}
