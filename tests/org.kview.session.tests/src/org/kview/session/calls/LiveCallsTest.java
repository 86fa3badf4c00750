// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventTrace;
import org.kview.ctf.PacketHeader;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.SessionFiles;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;
import org.kview.session.write.SessionWriter;

/** What becomes of the store that was made while a session was recorded: here of a recording that is whole from the beginning on. */
class LiveCallsTest {
    @TempDir
    Path temp;

    private CallStores stores;
    private Path demo;

    @BeforeEach
    void unpack() throws Exception {
        stores = CallStores.in(temp.resolve("stores"), Long.MAX_VALUE);
        demo = recordedIn(temp);
    }

    /** The demo's events, as a recorder of this version writes them: with the checksums of their packets. */
    private static Path recordedIn(Path folder) throws Exception {
        Path trace = Demo.unpackedIn(folder).resolve(SessionFiles.TRACE);
        Path session = folder.resolve("recorded.kview");
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(Files.readString(trace.resolve(EventTrace.METADATA))))) {
            for (int cpu : new int[] {0, 1}) {
                ByteBuffer stream = ByteBuffer.wrap(Files.readAllBytes(trace.resolve(EventTrace.STREAM_PREFIX + cpu)));
                while (stream.hasRemaining()) {
                    int bytes = (int) PacketHeader.parse(stream).orElseThrow().packetBytes();
                    writer.appendPacket(cpu, stream.slice(stream.position(), bytes), 1);
                    stream.position(stream.position() + bytes);
                }
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return session;
    }

    private List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.toString().endsWith(".lock")).toList();
        }
    }

    /** Follows the demo, of which that session became; why what was stored was not kept. */
    private Optional<String> followed(Path became) throws Exception {
        LiveCalls live = new LiveCalls(demo, stores);
        try (SessionReader recorded = SessionReader.open(demo); SessionReader session = SessionReader.open(became)) {
            CompletableFuture<Void> follows = CompletableFuture.runAsync(() -> follow(live, recorded));
            // Until it follows, there is nothing to keep.
            while (!Files.exists(temp.resolve("stores")) || files(temp.resolve("stores")).isEmpty()) {
                Thread.onSpinWait();
            }
            Optional<String> why = live.keep(session, () -> true);
            follows.get();
            return why;
        }
    }

    private static void follow(LiveCalls live, SessionReader session) {
        try {
            live.follow(session, () -> true, _ -> { });
        } catch (SessionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Byte by byte: nobody could tell by it that it was not made of the whole trace. */
    @Test
    void itIsTheStoreThatIsMadeOfTheWholeTrace() throws Exception {
        assertThat(followed(demo)).isEmpty();
        Path kept = files(temp.resolve("stores")).getFirst();
        CallStores others = CallStores.in(temp.resolve("others"), Long.MAX_VALUE);
        try (SessionReader session = SessionReader.open(demo); SessionCallStore store = SessionCallStore.of(session, demo, others, _ -> true).orElseThrow()) {
            assertThat(store.ask(StoredSession::calls).orElseThrow()).isPositive();
            assertThat(stores.open(session.events().getFirst())).as("it is found").hasValueSatisfying(its -> its.close());
        }
        Path made = files(temp.resolve("others")).getFirst();
        assertThat(kept.getFileName()).isEqualTo(made.getFileName());
        assertThat(Files.mismatch(kept, made)).isEqualTo(-1);
    }

    /** Who looks is told why it takes longer. */
    @Test
    void ofATraceThatLacksSomethingItIsMadeAnewWhichIsSaid() throws Exception {
        Path became = recordedIn(Files.createDirectory(temp.resolve("became")));
        byte[] bytes = Files.readAllBytes(became.resolve("trace/cpu_0"));
        Files.write(became.resolve("trace/cpu_0"), Arrays.copyOf(bytes, bytes.length - 1));
        Optional<String> why = followed(became);
        assertThat(why).hasValue("something is missing in what was stored of them while they were recorded");
        assertThat(files(temp.resolve("stores"))).isEmpty();
        List<String> told = new ArrayList<>();
        try (SessionReader session = SessionReader.open(became)) {
            SessionCallStore.of(session, became, stores, _ -> {
                // One is shown some 0.2 s after the beginning, if there is one more batch of calls by then.
                long begin = System.nanoTime();
                while (told.isEmpty() && System.nanoTime() - begin < 300_000_000L) {
                    Thread.onSpinWait();
                }
                return true;
            }, soFar -> told.add(soFar.ask(its -> its.soFar().orElseThrow()).orElseThrow()), why).orElseThrow().close();
        }
        assertThat(told.getFirst()).endsWith("all are stored anew, as something is missing in what was stored of them while they were recorded.");
    }

    @Test
    void thereIsNothingToKeepOfARecordingThatWasNotFollowed() throws Exception {
        try (SessionReader session = SessionReader.open(demo)) {
            LiveCalls live = new LiveCalls(demo, stores);
            assertThat(live.keep(session, () -> true)).isEmpty();
            live.follow(session, () -> true, _ -> { });
        }
        assertThat(temp.resolve("stores")).as("it was too late to begin").doesNotExist();
    }

    /** What is recorded needs it more. */
    @Test
    void itEndsByItselfWhereTheDiskHasTooLittleRoom() throws Exception {
        stores = CallStores.in(temp.resolve("stores"), Long.MAX_VALUE, temp.toFile().getTotalSpace());
        LiveCalls live = new LiveCalls(demo, stores);
        try (SessionReader session = SessionReader.open(demo)) {
            live.follow(session, () -> true, _ -> { });
            assertThat(files(temp.resolve("stores"))).isEmpty();
            assertThat(live.keep(session, () -> true)).isPresent();
        }
    }
}
