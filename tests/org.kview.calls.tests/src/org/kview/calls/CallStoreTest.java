// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.ctf.calls.Call;

/** A store holds what its trace tells, or is refused. */
class CallStoreTest {
    private static final int FEW_ROWS = 64;
    private static final int FEW_CELLS = 100;
    private static final int DAMAGED_TRACES = 100;

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("store");
    }

    private static List<Call> calls(CallStore store) {
        List<Call> calls = new ArrayList<>();
        new CallScan(store, List.of()).each((block, rows, count) -> {
            for (int i = 0; i < count; i++) {
                calls.add(block.call(rows[i]));
            }
            return true;
        });
        return calls;
    }

    @Test
    void itHoldsTheCallsOfItsTraceAndWhatWasFound() throws Exception {
        Recording recording = Recording.ofDemo();
        try (CallStore store = recording.store(file(), FEW_ROWS, FEW_CELLS)) {
            assertThat(store.table().blocks()).isGreaterThan(10);
            assertThat(calls(store)).isEqualTo(recording.calls()).hasSizeGreaterThan(1000);
            assertThat(store.findings()).isEqualTo(recording.findings());
            assertThat(store.isInOrder()).isTrue();
            store.verify(_ -> true);
            for (int row = 0; row < recording.calls().size(); row++) {
                assertThat(store.call(row)).isEqualTo(recording.calls().get(row));
            }
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file()))).isEqualTo("rw-------");
    }

    /** Times that go back, threads without names, calls without entries, causes that are named twice: all of it. */
    @Test
    void damagedTracesHaveTheSameCallsInIt() throws Exception {
        int different = 0;
        int late = 0;
        for (int seed = 0; seed < DAMAGED_TRACES; seed++) {
            Path damaged = Files.createDirectories(folder.resolve("trace"));
            Recording recording = Recording.of(Recording.damaged(damaged, seed), seed % 2 == 0);
            Files.deleteIfExists(file());
            try (CallStore store = recording.store(file(), FEW_ROWS, FEW_CELLS)) {
                assertThat(calls(store)).as("seed " + seed).isEqualTo(recording.calls());
                assertThat(store.findings()).as("seed " + seed).isEqualTo(recording.findings());
                late += store.isInOrder() ? 0 : 1;
            }
            different += recording.findings().damages() > 0 ? 1 : 0;
        }
        assertThat(different).isGreaterThan(DAMAGED_TRACES / 2);
        assertThat(late).isBetween(1, DAMAGED_TRACES - 1);
    }

    @Test
    void noCallsAreAStoreAsWell() throws Exception {
        Path empty = Files.createDirectories(folder.resolve("empty"));
        Files.copy(Path.of(System.getProperty("kview.recorded-trace"), EventTrace.METADATA), empty.resolve(EventTrace.METADATA));
        try (CallStore store = Recording.of(EventTrace.open(empty), true).store(file(), FEW_ROWS, FEW_CELLS)) {
            store.verify(_ -> true);
            assertThat(store.calls()).isZero();
            CallQueries queries = new CallQueries(store);
            assertThat(queries.slowest(CallBox.ALL, 10, () -> true)).isEmpty();
            assertThat(queries.percentiles(CallBox.ALL, 50)).containsExactly(0);
        }
    }

    /** Wherever one of its bytes is another, it is not used. */
    @Test
    void aStoreThatIsDamagedAnywhereIsRefused() throws Exception {
        Recording.ofDemo().store(file(), FEW_ROWS, FEW_CELLS).close();
        byte[] whole = Files.readAllBytes(file());
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = whole.clone();
            int at = i < StoreHeader.BYTES - Integer.BYTES ? i : StoreHeader.BYTES + random.nextInt(bytes.length - StoreHeader.BYTES);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), bytes);
            assertThatThrownBy(this::openAndVerify).as("byte " + at).isInstanceOf(StoreException.class);
        }
        for (int bytes : new int[] {0, 1, StoreHeader.BYTES, whole.length / 2, whole.length - 1}) {
            Files.write(file(), Arrays.copyOf(whole, bytes));
            assertThatThrownBy(this::openAndVerify).as(bytes + " bytes").isInstanceOf(StoreException.class);
        }
        Files.write(file(), whole);
        openAndVerify();
    }

    private void openAndVerify() throws StoreException, IOException {
        try (CallStore store = CallStore.open(file(), "key")) {
            store.verify(_ -> true);
        }
    }

    @Test
    void aStoreOfAnotherVersionOrTraceIsRefused() throws Exception {
        Recording.ofDemo().store(file(), FEW_ROWS, FEW_CELLS).close();
        assertThatThrownBy(() -> CallStore.open(file(), "another")).isInstanceOf(StoreException.class)
                .hasMessage("it is of another trace");
        byte[] bytes = Files.readAllBytes(file());
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(Long.BYTES, StoreHeader.VERSION + 1);
        Files.write(file(), bytes);
        assertThatThrownBy(() -> CallStore.open(file(), "key")).isInstanceOf(StoreException.class)
                .hasMessageContaining("another version");
    }

    @Test
    void whatIsNotFinishedLeavesNothing() throws Exception {
        Recording recording = Recording.ofDemo();
        assertThatThrownBy(() -> StoreBuilder.build(recording.trace(), true, file(), "key", _ -> false))
                .isInstanceOf(CancellationException.class);
        assertThat(file()).doesNotExist();
        Files.writeString(file(), "mine");
        assertThatThrownBy(() -> StoreBuilder.build(recording.trace(), true, file(), "key", _ -> true))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file()).hasContent("mine");
    }

    /** Those that read the trace and make its calls end with who stores them. */
    @Test
    void noThreadGoesOnBehindAStore() throws Exception {
        Recording recording = Recording.ofDemo();
        recording.store(file(), FEW_ROWS, FEW_CELLS).close();
        assertThat(helpers()).isEmpty();
        Path other = folder.resolve("other");
        assertThatThrownBy(() -> StoreBuilder.build(recording.trace(), true, other, "key", _ -> false)).isInstanceOf(CancellationException.class);
        assertThat(helpers()).isEmpty();
    }

    private static List<String> helpers() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .filter(name -> name.equals("kview-call-feed") || name.equals("kview-read-ahead")).toList();
    }

    @Test
    void aTraceThatCannotBeReadLeavesNothing() throws Exception {
        Path gone = Files.createDirectories(folder.resolve("gone"));
        EventTrace trace = Recording.damaged(gone, 1);
        Files.delete(gone.resolve("cpu_1"));
        assertThatThrownBy(() -> StoreBuilder.build(trace, true, file(), "key", _ -> true)).isInstanceOf(CtfException.class)
                .hasMessageContaining("cpu_1");
        assertThat(file()).doesNotExist();
        assertThat(helpers()).isEmpty();
    }

    @Test
    void readingAStoreThatWasClosedFails() throws Exception {
        CallStore store = Recording.ofDemo().store(file(), FEW_ROWS, FEW_CELLS);
        store.close();
        assertThatThrownBy(() -> store.call(0)).isInstanceOf(IllegalStateException.class);
    }
}
