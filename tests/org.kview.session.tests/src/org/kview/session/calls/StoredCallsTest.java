// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallStore;
import org.kview.model.SyntaxException;
import org.kview.session.SampleRecording;
import org.kview.session.read.SessionReader;
import org.kview.session.report.TableStyle;
import org.kview.session.store.CallStores;
import org.kview.session.write.HostsFolder;

/** With a store of its calls a session tells the same lines and the same findings as without. */
class StoredCallsTest {
    private static final int FEW = 50;
    private static final int MANY = 100_000;
    private static final List<String> FILTERS = List.of("wall >= 0", "wall > 10ms && cause == lock", "lock > 20ms || on_cpu < 50us",
            "!(depth == 0)", "start >= 100ms && start < 300ms", "end > 0.2s && tid != 1", "cpu == 0 && wall >= on_cpu",
            "parent ~ \"*\" && waker_tid > 0", "start_cpu == 1", "cause == on_cpu", "10us < wall && (depth > 0 && depth <= 1)",
            "waker != \"\"", "wall > 1000s");
    private static final List<String> ORDERS = List.of("wall", "wall:asc", "start", "start:desc", "end", "thread", "lock", "cause",
            "waker_tid:desc", "start_cpu", "parent", "depth:desc");

    @TempDir
    Path temp;

    /** What is told, with the findings behind it. */
    private static List<String> tell(Path path, CallStores stores, int keptRows, CallQuery query, CallForm form) throws Exception {
        List<String> lines = new ArrayList<>();
        try (SessionReader session = SessionReader.open(path)) {
            SessionCalls calls = SessionCalls.of(session, path, stores, keptRows);
            calls.tell(query, form, line -> line.isEmpty() || lines.add(line), _ -> { });
            lines.addAll(calls.findings());
        }
        return lines;
    }

    private static CallQuery query(String filter, Optional<String> function, String order, int top) throws SyntaxException {
        return new CallQuery(CallFilter.parse(filter), function, CallOrder.parse(order),
                top == 0 ? OptionalInt.empty() : OptionalInt.of(top));
    }

    /** Makes the stores of all hosts. */
    private CallStores stored(Path path) throws Exception {
        CallStores stores = CallStores.in(temp.resolve("stores"), Long.MAX_VALUE);
        try (SessionReader session = SessionReader.open(path)) {
            for (SessionReader.HostEvents host : session.events()) {
                stores.build(host, _ -> true).orElseThrow().close();
            }
            for (SessionReader.HostEvents host : session.events()) {
                Optional<CallStore> store = stores.open(host);
                assertThat(store).isPresent();
                store.get().close();
            }
        }
        return stores;
    }

    private void assertSame(Path path) throws Exception {
        CallStores stores = stored(path);
        // Each filter and each order in each way; to try them all with one another would take a minute.
        for (int i = 0; i < FILTERS.size(); i++) {
            int way = 0;
            for (int top : new int[] {0, 7}) {
                for (int keptRows : new int[] {FEW, MANY}) {
                    String order = ORDERS.get((i + 3 * way++) % ORDERS.size());
                    CallQuery query = query(FILTERS.get(i), Optional.empty(), order, top);
                    assertThat(tell(path, stores, keptRows, query, CallForm.json()))
                            .as(FILTERS.get(i) + " by " + order + ", " + top + ", " + keptRows)
                            .isEqualTo(tell(path, CallStores.none(), keptRows, query, CallForm.json()));
                }
            }
        }
        CallQuery all = query("wall >= 0", Optional.empty(), "wall", 0);
        assertThat(tell(path, stores, MANY, all, CallForm.csv())).isEqualTo(tell(path, CallStores.none(), MANY, all, CallForm.csv()));
        assertThat(tell(path, stores, MANY, all, CallForm.table(TableStyle.PLAIN)))
                .isEqualTo(tell(path, CallStores.none(), MANY, all, CallForm.table(TableStyle.PLAIN)));
    }

    private Path unpacked(Class<?> beside, String resource, String name) throws Exception {
        Path session = temp.resolve(name);
        try (InputStream in = beside.getResourceAsStream(resource); ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    Path file = session.resolve(entry.getName().substring(entry.getName().indexOf(".kview/") + 7));
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        return session;
    }

    @Test
    void aRecordingTellsTheSame() throws Exception {
        assertSame(Demo.in(temp));
    }

    /** Of one function, also by a glob; and where it has calls within calls. */
    @Test
    void aFunctionsCallsAreTheSame() throws Exception {
        Path demo = Demo.in(temp);
        CallStores stores = stored(demo);
        for (String function : List.of("fetch_rates", "fetch_*", "*")) {
            for (String order : ORDERS) {
                CallQuery query = query("wall > 100us", Optional.of(function), order, 11);
                assertThat(tell(demo, stores, MANY, query, CallForm.json()))
                        .isEqualTo(tell(demo, CallStores.none(), MANY, query, CallForm.json())).hasSizeGreaterThan(5);
            }
        }
    }

    @Test
    void nestedCallsAreTheSame() throws Exception {
        assertSame(unpacked(SampleRecording.class, "pprof/data/nested.kview.zip", "nested.kview"));
    }

    @Test
    void severalHostsTellTheSame() throws Exception {
        Path session = Files.createDirectory(temp.resolve("two.kview"));
        for (Path part : HostsFolder.create(session, List.of("web-1", "web-2")).values()) {
            Path demo = Demo.unpackedIn(temp);
            Files.deleteIfExists(part);
            Files.move(demo, part);
        }
        CallStores stores = stored(session);
        for (String order : ORDERS) {
            CallQuery query = query("wall > 5ms", Optional.empty(), order, 50);
            assertThat(tell(session, stores, FEW, query, CallForm.csv()))
                    .isEqualTo(tell(session, CallStores.none(), FEW, query, CallForm.csv()));
        }
    }

    /** Bytes that are others, packets that are missing, checksums that are missing. */
    @Test
    void damagedRecordingsTellTheSame() throws Exception {
        Random random = new Random(3);
        for (int i = 0; i < 6; i++) {
            Path folder = Files.createDirectories(temp.resolve("damaged-" + i));
            Path session = Demo.unpackedIn(folder);
            try (var streams = Files.newDirectoryStream(session.resolve("trace"), "cpu_*")) {
                for (Path stream : streams) {
                    byte[] bytes = Files.readAllBytes(stream);
                    bytes[random.nextInt(bytes.length)] ^= 4;
                    Files.write(stream, i % 3 == 2 ? Arrays.copyOf(bytes, bytes.length * 2 / 3) : bytes);
                }
            }
            if (i % 2 == 1) {
                Files.deleteIfExists(session.resolve("packets.crc32"));
            }
            CallStores stores = stored(session);
            for (String filter : List.of("wall >= 0", "wall > 1ms && depth == 0")) {
                for (String order : List.of("wall", "start", "end:desc")) {
                    CallQuery query = query(filter, Optional.empty(), order, 0);
                    assertThat(tell(session, stores, MANY, query, CallForm.json())).as(i + ": " + filter + " by " + order)
                            .isEqualTo(tell(session, CallStores.none(), MANY, query, CallForm.json()));
                }
            }
        }
    }

    /** What becomes damaged after the store was made is told as well. */
    @Test
    void aTraceThatIsDamagedLaterHasNotTheStoreOfTheWholeOne() throws Exception {
        assertDamageIsTold(Demo.unpackedIn(temp));
        assertDamageIsTold(unpacked(SampleRecording.class, "pprof/data/nested.kview.zip", "nested.kview"));
    }

    private void assertDamageIsTold(Path session) throws Exception {
        CallStores stores = stored(session);
        CallQuery all = query("wall >= 0", Optional.empty(), "wall", 0);
        List<String> whole = tell(session, stores, MANY, all, CallForm.json());
        Path stream = session.resolve("trace/cpu_0");
        byte[] bytes = Files.readAllBytes(stream);
        bytes[bytes.length / 2] ^= 1;
        Files.write(stream, bytes);
        assertThat(tell(session, stores, MANY, all, CallForm.json())).isNotEqualTo(whole)
                .isEqualTo(tell(session, CallStores.none(), MANY, all, CallForm.json()));
    }

    @Test
    void aStoreThatIsDamagedIsThrownAwayAndMadeAgain() throws Exception {
        Path demo = Demo.in(temp);
        CallStores stores = stored(demo);
        CallQuery all = query("wall >= 0", Optional.empty(), "wall", 0);
        List<String> whole = tell(demo, stores, MANY, all, CallForm.json());
        Path store = onlyStore();
        byte[] bytes = Files.readAllBytes(store);
        bytes[bytes.length / 3] ^= 1;
        Files.write(store, bytes);
        assertThat(tell(demo, stores, MANY, all, CallForm.json())).isEqualTo(whole);
        assertThat(store).doesNotExist();
        stored(demo);
        assertThat(store).exists();
        assertThat(tell(demo, stores, MANY, all, CallForm.json())).isEqualTo(whole);
    }

    private Path onlyStore() throws Exception {
        try (var files = Files.newDirectoryStream(temp.resolve("stores"), "*.calls")) {
            List<Path> all = new ArrayList<>();
            files.forEach(all::add);
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }
}
