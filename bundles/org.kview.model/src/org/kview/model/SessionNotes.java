// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * What people have written about a session, as opposed to what was measured.
 *
 * @param text      free text, any number of lines
 * @param tags      words to find it by; none is there twice or blank, or contains commas or line ends
 * @param bookmarks in the order in which they were made
 */
public record SessionNotes(String text, List<String> tags, List<Bookmark> bookmarks) {
    public static final SessionNotes NONE = new SessionNotes("", List.of(), List.of());

    public SessionNotes {
        tags = tidy(tags);
        bookmarks = List.copyOf(bookmarks);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    public SessionNotes withText(String changed) {
        return new SessionNotes(changed, tags, bookmarks);
    }

    public SessionNotes withTags(List<String> changed) {
        return new SessionNotes(text, changed, bookmarks);
    }

    public SessionNotes withBookmarks(List<Bookmark> changed) {
        return new SessionNotes(text, tags, changed);
    }

    public SessionNotes plus(Bookmark bookmark) {
        List<Bookmark> more = new ArrayList<>(bookmarks);
        more.add(bookmark);
        return withBookmarks(more);
    }

    /** The tags of a line in which they are separated by commas. */
    public static List<String> tagsOf(String line) {
        return tidy(Arrays.asList(line.split(",")));
    }

    private static List<String> tidy(List<String> tags) {
        LinkedHashSet<String> tidy = new LinkedHashSet<>();
        for (String tag : tags) {
            tidy.add(SafeText.line(tag.replaceAll("[,\\p{Cntrl}\\s]+", " ").strip()));
        }
        tidy.remove("");
        return List.copyOf(tidy);
    }
}
