/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Turns what the file system says into a sentence for the user. */
final class Failures {
    private Failures() {
    }

    /** @param what happened, the beginning of the sentence, which names the file */
    static SessionException of(String what, IOException e) {
        return e instanceof SessionException s ? s : new SessionException(what + ": " + reason(e), e);
    }

    static String reason(IOException e) {
        String text = String.valueOf(e.getMessage());
        if (text.contains("No space left") || text.contains("Disk quota exceeded")) {
            return "the disk is full";
        }
        return switch (e) {
            case AccessDeniedException a -> "no permission for " + a.getFile();
            case NoSuchFileException n -> n.getFile() + " does not exist";
            case FileAlreadyExistsException x -> x.getFile() + " is in the way";
            case NotDirectoryException d -> d.getFile() + " is no folder";
            case FileSystemException f when f.getReason() != null -> f.getReason() + " (" + f.getFile() + ")";
            default -> text;
        };
    }
}
