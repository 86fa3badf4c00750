// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.Bookmark;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionSummary;
import org.kview.ui.text.Counts;
import org.kview.ui.text.Sentence;

/** How a list of sessions writes what it knows of each. */
final class SessionTexts {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
    private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

    private SessionTexts() {
    }

    /** "checkout", "checkout (zip)": both may stand beside each other. */
    static String name(SessionSummary session) {
        return session.name() + (session.zip() ? " (zip)" : "");
    }

    /** "checkout (4711)". */
    static String process(SessionInfo info) {
        return info.programName() + (info.pids().isEmpty() ? "" : " (" + info.pidsText() + ")");
    }

    /** The name the user gave the target, and the host's own where that says more. */
    static String target(SessionInfo info) {
        return info.target().equals(info.host()) ? info.host() : info.target() + " (" + info.host() + ")";
    }

    /** In the time zone of this machine. */
    static String date(Instant instant) {
        return DATE.format(instant.atZone(ZoneId.systemDefault()));
    }

    /** The day of it. */
    static String day(Instant instant) {
        return date(instant).substring(0, "uuuu-MM-dd".length());
    }

    /** "0.8 s", "30 s", "2 min 5 s", "1 h 3 min". */
    static String duration(Duration duration) {
        long seconds = Math.round(duration.toMillis() / 1000.0);
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds < 3600 ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }

    /** Powers of 1000, as file managers have them. */
    static String size(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, unit > 0 && value < 9.95 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }

    /** What is wrong with it, in one sentence with a full stop; empty if nothing is. */
    static String problem(SessionSummary session) {
        return switch (session.state()) {
            case DAMAGED -> Sentence.of(session.problems().getFirst());
            case CUT_OFF -> "Its recording was cut off: it opens with what was measured up to then.";
            case RECORDING -> "It is being recorded.";
            case WHOLE -> session.problems().isEmpty() ? "" : Sentence.of(session.problems().getFirst());
        };
    }

    /** The first line of what people wrote, and how many bookmarks there are. */
    static String notes(SessionSummary session) {
        String line = session.notes().text().strip().split("\\R", 2)[0];
        int bookmarks = session.notes().bookmarks().size();
        String count = bookmarks == 0 ? "" : Counts.format(bookmarks, "bookmark", "bookmarks");
        return line.isEmpty() || count.isEmpty() ? line + count : line + "  (" + count + ")";
    }

    /** Everything that a search looks at, one text. */
    static String all(SessionSummary session) {
        Stream<String> recorded = session.info().stream().flatMap(i -> Stream.of(i.target(), i.host(), i.kernel(),
                i.command(), i.pidsText(), date(i.start()), i.filter()));
        Stream<String> written = Stream.concat(session.notes().tags().stream(), session.notes().bookmarks().stream()
                .flatMap(b -> Stream.concat(Stream.of(b.text()), b.function().map(Bookmark.Function::name).stream())));
        return Stream.of(Stream.of(session.path().getFileName().toString(), session.notes().text()), recorded, written,
                session.functions().stream(), session.problems().stream()).flatMap(s -> s)
                .collect(Collectors.joining("\n"));
    }

    /** In a menu, a single & makes the next letter a mnemonic, and @ separates the key. */
    static String menu(String text) {
        return text.replace("&", "&&").replace('@', '\uff20');
    }
}
