// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.TraceFindings;

/** What the agent recorded of the demo workload, half a second of seven functions on two CPUs; and its calls without a store. */
record Recording(EventTrace trace, boolean whole, List<Call> calls, TraceFindings findings) {
    private static final List<String> FILES = List.of("metadata", "cpu_0", "cpu_1");
    private static final Path FOLDER = Path.of(System.getProperty("kview.recorded-trace"));

    static Recording ofDemo() throws Exception {
        return of(EventTrace.open(FOLDER), true);
    }

    static Recording of(EventTrace trace, boolean whole) throws CtfException {
        List<Call> calls = new ArrayList<>();
        try (CallCursor cursor = new CallCursor(trace, whole)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                calls.add(call.get());
            }
            return new Recording(trace, whole, calls, cursor.findings());
        }
    }

    /** The same with some bytes of its packets changed, lost or doubled; the same seed makes the same changes. */
    static EventTrace damaged(Path folder, long seed) throws IOException, CtfException {
        Random random = new Random(seed);
        for (String file : FILES) {
            byte[] bytes = Files.readAllBytes(FOLDER.resolve(file));
            if (!file.equals(FILES.getFirst())) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
                bytes = random.nextInt(3) > 0 ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            Files.write(folder.resolve(file), bytes);
        }
        return EventTrace.open(folder);
    }

    /** Its store, in small blocks, so that there are many. */
    CallStore store(Path file, int blockRows, int mostCells) throws Exception {
        StoreBuilder.build(trace, whole, file, "key", _ -> true, Optional.empty(), new StoreBuilder.Sizes(2048, blockRows, mostCells));
        return CallStore.open(file, "key");
    }
}
