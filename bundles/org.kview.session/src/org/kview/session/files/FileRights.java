// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Who may read and write a file. */
final class FileRights {
    private static final Set<PosixFilePermission> OF_GROUP = EnumSet.of(PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE);

    private FileRights() {
    }

    /**
     * Gives a new file the access rights of the file that it is about to replace, so that those who could not read the
     * former one can't read the new one. If the two belong to different groups, the group gets no rights. Does nothing
     * where there is no former file, or the file system knows no rights. Does not follow links, because the owner of the
     * folder may have put a link in the place of either file.
     *
     * @param file nobody but its owner may open it yet
     * @throws IOException if the file would be open to others than the former one
     */
    static void copy(Path former, Path file) throws IOException {
        if (!Files.isRegularFile(former, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        // Views that belong to an open folder are the only ones that can be told not to follow links.
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(file.toAbsolutePath().getParent())) {
            PosixFileAttributeView view = folder instanceof SecureDirectoryStream<Path> secure ? secure.getFileAttributeView(
                    file.getFileName(), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS) : null;
            if (view != null) {
                copy(Files.readAttributes(former, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS), view, file);
            }
        }
    }

    private static void copy(PosixFileAttributes former, PosixFileAttributeView view, Path file) throws IOException {
        PosixFileAttributes is = view.readAttributes();
        if (!is.isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "somebody put something else in its place");
        }
        Set<PosixFilePermission> wanted = EnumSet.noneOf(PosixFilePermission.class);
        wanted.addAll(former.permissions());
        if (!former.group().equals(is.group())) {
            wanted.removeAll(OF_GROUP);
        }
        if (wanted.equals(is.permissions())) {
            return;
        }
        try {
            view.setPermissions(wanted);
        } catch (IOException e) {
            // Some file systems give all files the same owner and the same rights.
            if (!wanted.containsAll(is.permissions())) {
                throw e;
            }
        }
    }
}
