// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.read.SessionSummary;

/** Names that sessions may have, and names that are free. */
public final class SessionNaming {
    /** File systems take 255; the endings, and what is put before it while it is copied, come on top. */
    private static final int MAX_BYTES = 200;

    private SessionNaming() {
    }

    /**
     * What keeps a text from being a session's name.
     *
     * @param name without ending
     * @return one sentence; empty if nothing does
     */
    public static Optional<String> problem(String name) {
        if (name.isBlank()) {
            return Optional.of("A session needs a name.");
        }
        if (name.startsWith(".")) {
            return Optional.of("A name that begins with a dot would be hidden: choose another.");
        }
        if (name.indexOf('/') >= 0) {
            return Optional.of("A name can't hold a slash: use Save As to put the session into another folder.");
        }
        if (name.chars().anyMatch(c -> Character.isSurrogate((char) c)) && !StandardCharsets.UTF_8.newEncoder()
                .canEncode(name)) {
            return Optional.of("The name holds half a character.");
        }
        if (!name.codePoints().allMatch(SafeText::isShown)) {
            return Optional.of("A name can't hold line breaks or other control characters.");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return Optional.of("The name is too long: " + MAX_BYTES + " bytes are the most.");
        }
        return Optional.empty();
    }

    /** The name that a user typed, with or without ending. */
    public static String withoutSuffix(String typed) {
        return typed.strip().replaceFirst("\\.kview(\\.zip)?$", "");
    }

    /** Where a session of this name stands. */
    static Path sibling(Path session, String name, String suffix) throws SessionException {
        Optional<String> problem = problem(name);
        if (problem.isPresent()) {
            throw new SessionException(problem.get());
        }
        return parent(session).resolve(name + suffix);
    }

    /** The first of "NAME", "NAME 2", "NAME 3" … that nothing is called. */
    static Path free(Path folder, String name, String suffix) {
        String base = shorten(name);
        Path path = folder.resolve(base + suffix);
        for (int i = 2; Files.exists(path, LinkOption.NOFOLLOW_LINKS); i++) {
            path = folder.resolve(base + " " + i + suffix);
        }
        return path;
    }

    private static String shorten(String name) {
        String shorter = name;
        while (shorter.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            shorter = shorter.substring(0, shorter.offsetByCodePoints(shorter.length(), -1));
        }
        return shorter;
    }

    static Path parent(Path session) {
        return session.toAbsolutePath().normalize().getParent();
    }
}
