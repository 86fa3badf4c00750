// SPDX-License-Identifier: EPL-2.0
package org.kview.session;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

import org.kview.model.SafeText;

/**
 * A session can't be written, read or exported. The message is one sentence for the user: which
 * file, what is wrong with it and, where there is something to do, what. It is {@link SafeText}.
 */
public final class SessionException extends IOException {
    private static final long serialVersionUID = 1;

    public SessionException(String message) {
        super(SafeText.line(message));
    }

    public SessionException(String message, Throwable cause) {
        super(SafeText.line(message), cause);
    }

    /**
     * Turns what the file system says into a sentence for the user.
     *
     * @param what happened, the beginning of the sentence, which names the file
     */
    public static SessionException of(String what, IOException cause) {
        return cause instanceof SessionException s ? s : new SessionException(what + ": " + reason(cause), cause);
    }

    public static String reason(IOException e) {
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
