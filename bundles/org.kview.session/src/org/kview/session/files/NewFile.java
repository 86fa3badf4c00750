// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.kview.session.SessionException;
import org.kview.session.format.SessionFiles;

/** Files that are made as a whole, where none was before. */
public final class NewFile {
    /** Makes a file. */
    public interface Maker {
        void make(Path file) throws IOException;
    }

    private NewFile() {
    }

    /** @throws SessionException if the file or its temporary file is there already, or if its folder is not there */
    public static void check(Path file) throws SessionException {
        Path folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw new SessionException(file + " can't be made: there is no folder " + folder);
        }
        if (Files.exists(file)) {
            throw new SessionException(file + " exists already: choose another name");
        }
        if (Files.exists(temporary(file))) {
            throw new SessionException(temporary(file) + " is in the way: remove it, or choose another name");
        }
    }

    /**
     * Makes the file.
     *
     * @param maker makes one beside it, which gets the wanted name when it is complete; throws a
     *              {@link FileAlreadyExistsException} if one is there already
     * @throws IOException if the file is there already or can't be made; then nothing of this one is left beside it
     */
    public static void create(Path file, Maker maker) throws IOException {
        check(file);
        Path temporary = temporary(file);
        try {
            maker.make(temporary);
        } catch (FileAlreadyExistsException e) {
            // Another program has made it since the check, so it must not be removed here.
            throw e;
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        try {
            Files.move(temporary, file);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    private static Path temporary(Path file) {
        return file.resolveSibling(file.getFileName() + SessionFiles.TEMPORARY_SUFFIX);
    }
}
