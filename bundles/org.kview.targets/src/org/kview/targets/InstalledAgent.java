// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The agent as an administrator installs it on a host, to give it rights: the file and its folder belong
 * to root. A user who owned a file with such rights could change the file, and so become root.
 * The file's name contains the beginning of its SHA-256, so that several versions can stand side by side.
 *
 * @param sha256 of the agent, 64 digits of lower-case hexadecimal
 */
public record InstalledAgent(String sha256) {
    /** Where installed agents are, on every host. */
    public static final String FOLDER = "/usr/local/libexec/kview";
    private static final String CAPABILITIES =
            "cap_bpf,cap_perfmon,cap_sys_ptrace,cap_dac_read_search,cap_checkpoint_restore+ep";
    private static final int DIGITS = 16;
    private static final int MAX_BYTES = 64 << 20;

    public InstalledAgent {
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("no SHA-256: " + sha256);
        }
    }

    /** The installed agent whose file has this content. */
    public static InstalledAgent of(byte[] agent) {
        return new InstalledAgent(sha256(agent));
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The path of its file. No character of it has a special meaning for a shell or for sudo. */
    public String path() {
        return FOLDER + "/kview-agent-" + sha256.substring(0, DIGITS);
    }

    /** Whether it is installed on this machine with the right content, as a file that belongs to root. */
    public boolean isHere() {
        Path file = Path.of(path());
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isExecutable(file)
                    && Objects.equals(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS), 0)
                    && sha256(Files.readAllBytes(file)).equals(sha256);
        } catch (IOException e) {
            return false; // it was removed meanwhile, or may not be read: then it is not used
        }
    }

    /**
     * The command by which an administrator installs it from a shell. The file that is copied belongs to a user, who
     * may have put anything there: a link to a file that only root may read, or a file without end. So the command
     * reads no more bytes than an agent can have; only root can read the copy until its hash has been checked; and a
     * copy with another hash is removed.
     *
     * @param from the path of the user's file on that host
     */
    public String installCommand(String from) {
        String copy = path() + ".new";
        return "sudo sh -c 'umask 022 && mkdir -p " + FOLDER + " && umask 077 && head -c " + MAX_BYTES + " \"$1\" >" + copy
                + " && echo \"" + sha256 + "  " + copy + "\" | sha256sum -c && chmod 0755 " + copy + " && mv -f " + copy + " "
                + path() + " || { rm -f " + copy + "; exit 1; }' install '" + from.replace("'", "'\\''") + "'";
    }

    /** A line for sudoers that allows a user to start this file and no other. */
    public String sudoersLine(String user) {
        return user + " ALL=(root) NOPASSWD: sha256:" + sha256 + " " + path();
    }

    /** The command by which an administrator lets all users of the host measure through it. */
    public String setcapCommand() {
        return "sudo setcap " + CAPABILITIES + " " + path();
    }
}
