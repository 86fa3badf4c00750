// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Names that stand once for all events: of events, fields, labels and channels. Runs in the process that reads the trace. */
final class Names {
    private static final int MOST_CHARS = 500;
    /** A trace that has more is not one that a tracer wrote. */
    private static final int MOST_NAMES = 1_000_000;

    private final DataOutputStream out;
    private final Map<String, Integer> numbers = new HashMap<>();
    private boolean added;

    Names(DataOutputStream out) {
        this.out = out;
    }

    int number(String name) throws IOException {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (numbers.size() >= MOST_NAMES) {
            throw new IOException("the trace has more than " + MOST_NAMES + " names of events, fields and values");
        }
        byte[] bytes = (name.length() > MOST_CHARS ? name.substring(0, MOST_CHARS) + "…" : name).getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
        numbers.put(name, numbers.size());
        added = true;
        return numbers.size() - 1;
    }

    /** Before an event is written that may have new ones. */
    void flush() throws IOException {
        if (added) {
            added = false;
            out.flush();
        }
    }
}
