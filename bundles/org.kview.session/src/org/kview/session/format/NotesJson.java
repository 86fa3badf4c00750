// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.Bookmark;
import org.kview.model.SessionNotes;
import org.kview.session.SessionException;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** {@code notes.json}, which people may have edited by hand and later versions may have added to. */
public final class NotesJson {
    static final int VERSION = 1;
    private static final String SCHEMA_PREFIX = "kview-notes/";
    private static final String FILE = SessionFiles.NOTES_JSON;

    private NotesJson() {
    }

    public static byte[] encode(SessionNotes notes) {
        ObjectNode root = ValuesJson.MAPPER.createObjectNode().put("schema", SCHEMA_PREFIX + VERSION)
                .put("text", notes.text());
        ArrayNode tags = root.putArray("tags");
        notes.tags().forEach(tags::add);
        ArrayNode bookmarks = root.putArray("bookmarks");
        for (Bookmark bookmark : notes.bookmarks()) {
            ObjectNode node = bookmarks.addObject().put("text", bookmark.text());
            bookmark.function().ifPresent(f -> node.putObject("function").put("name", f.name())
                    .put("binary", f.binary()));
            bookmark.range().ifPresent(r -> node.put("begin_ns", r.beginNanos()).put("end_ns", r.endNanos()));
        }
        return ValuesJson.print(root).getBytes(StandardCharsets.UTF_8);
    }

    /** @throws SessionException if it is no notes.json, or one of a newer version */
    public static SessionNotes decode(byte[] bytes) throws SessionException {
        JsonNode node;
        try {
            node = ValuesJson.MAPPER.readTree(bytes);
        } catch (IOException e) {
            throw new SessionException(FILE + " is damaged: it is cut off or no JSON", e);
        }
        JsonFields root = new JsonFields(FILE, node, "");
        checkVersion(root.text("schema"));
        List<String> tags = new ArrayList<>();
        for (JsonNode tag : node.path("tags")) {
            tags.add(tag.asText());
        }
        List<Bookmark> bookmarks = new ArrayList<>();
        for (JsonFields bookmark : root.objects("bookmarks")) {
            bookmarks.add(bookmark(bookmark));
        }
        return new SessionNotes(root.text("text"), tags, bookmarks);
    }

    private static void checkVersion(String schema) throws SessionException {
        String number = schema.startsWith(SCHEMA_PREFIX) ? schema.substring(SCHEMA_PREFIX.length()) : "";
        if (!number.matches("[1-9][0-9]{0,5}")) {
            throw new SessionException(FILE + " is damaged: it holds no notes of Kview Workbench");
        }
        if (Integer.parseInt(number) > VERSION) {
            throw new SessionException(FILE + " was written by a newer Kview Workbench (its format is " + schema
                    + ", this one reads up to " + SCHEMA_PREFIX + VERSION + "): update to see the notes");
        }
    }

    private static Bookmark bookmark(JsonFields fields) throws SessionException {
        Optional<JsonFields> function = fields.optionalObject("function");
        Optional<Bookmark.Function> about = Optional.empty();
        if (function.isPresent()) {
            about = Optional.of(new Bookmark.Function(function.get().text("name"), function.get().text("binary")));
        }
        Optional<Bookmark.Range> range = Optional.empty();
        if (fields.node().has("begin_ns")) {
            long begin = fields.count("begin_ns");
            long end = fields.count("end_ns");
            if (end < begin) {
                throw fields.damaged("end_ns", "is before begin_ns");
            }
            range = Optional.of(new Bookmark.Range(begin, end));
        }
        return new Bookmark(fields.text("text"), about, range);
    }
}
