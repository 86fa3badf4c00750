// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import org.kview.model.Bookmark;
import org.kview.model.LatencyFormat;

/** How a bookmark is written in a line. */
final class BookmarkText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final long NANOS = 1_000_000_000L;

    private BookmarkText() {
    }

    /** "01:29:01.772245 + 3.2 ms"; empty for the whole recording. */
    static String when(Bookmark bookmark) {
        return bookmark.range().map(range -> {
            Instant begin = Instant.ofEpochSecond(Math.floorDiv(range.beginNanos(), NANOS),
                    Math.floorMod(range.beginNanos(), NANOS));
            long length = range.endNanos() - range.beginNanos();
            return TIME.format(begin.atZone(ZoneId.systemDefault()))
                    + (length == 0 ? "" : " + " + LatencyFormat.nanos(length));
        }).orElse("");
    }

    static String function(Bookmark bookmark) {
        return bookmark.function().map(Bookmark.Function::name).orElse("");
    }
}
