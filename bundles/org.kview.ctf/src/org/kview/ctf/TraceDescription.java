// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The metadata of a trace that is written here, from the layout that the agent fills in as well.
 *
 * @param uuid                which trace its packets are of
 * @param host                where it was recorded
 * @param pid                 the traced process; 0 if that is not known
 * @param realTimeOffsetNanos what is to be added to an event's time for ns since 1970
 * @param functions           their names, by id
 */
public record TraceDescription(UUID uuid, String host, long pid, long realTimeOffsetNanos, List<String> functions) {
    private static final String LAYOUT = "trace.tsdl";
    private static final String SIGNATURE = "/* CTF ";

    public TraceDescription {
        functions = List.copyOf(functions);
    }

    /** The text of the metadata file. */
    public String metadata() {
        String text = layout();
        for (Map.Entry<String, String> blank : Map.of("uuid", quoted(uuid.toString()), "hostname", quoted(host), "target_pid",
                Long.toString(pid), "realtime_offset_ns", Long.toString(realTimeOffsetNanos), "functions", labels()).entrySet()) {
            text = text.replace("@" + blank.getKey() + "@", blank.getValue());
        }
        return text;
    }

    private static String layout() {
        try (InputStream in = TraceDescription.class.getResourceAsStream(LAYOUT)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            // Readers know a metadata file by what it begins with.
            return text.substring(text.indexOf(SIGNATURE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the agent does: a label may stand only once. */
    private String labels() {
        Set<String> taken = new HashSet<>();
        StringBuilder labels = new StringBuilder();
        for (int id = 0; id < functions.size(); id++) {
            String label = quoted(functions.get(id));
            if (!taken.add(label)) {
                label = quoted(functions.get(id) + "#" + id);
                taken.add(label);
            }
            labels.append(id == 0 ? "" : ",\n\t").append(label).append(" = ").append(id);
        }
        return functions.isEmpty() ? "\"none\" = 0" : labels.toString();
    }

    /** The blanks' own mark is replaced, too, so that no name is taken for a blank. */
    private static String quoted(String text) {
        return text.codePoints().mapToObj(c -> c < 0x20 || c > 0x7e || c == '@' ? "?"
                : c == '"' || c == '\\' ? "\\" + (char) c : Character.toString(c)).collect(Collectors.joining("", "\"", "\""));
    }
}
