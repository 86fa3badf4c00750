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
 * The agent as an administrator installs it on a host, to give it rights: a file of root's, in a folder
 * of root's. Rights that are given to a file of a user's are worth root to that user, who can change it.
 * Its name has the beginning of its SHA-256, so that several versions stand side by side.
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

    /** The installed one that has these bytes. */
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

    /** Its file. No character in it means anything to a shell, or to sudo. */
    public String path() {
        return FOLDER + "/kview-agent-" + sha256.substring(0, DIGITS);
    }

    /** Whether this machine has it, with the right content, and as a file of root's. */
    public boolean isHere() {
        Path file = Path.of(path());
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isExecutable(file)
                    && Objects.equals(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS), 0)
                    && sha256(Files.readAllBytes(file)).equals(sha256);
        } catch (IOException e) {
            return false; // it went meanwhile, or may not be read: then it is not used
        }
    }

    /**
     * A command for a shell of an administrator's that installs it. The file that it comes from is a user's, who may
     * have put anything there: a link to a file that only root reads, or one without end. So no more than an agent can
     * have is read, nobody but root can read the copy until its hash is the right one, and otherwise it is removed.
     *
     * @param from the agent's file on that host
     */
    public String installCommand(String from) {
        String copy = path() + ".new";
        return "sudo sh -c 'umask 022 && mkdir -p " + FOLDER + " && umask 077 && head -c " + MAX_BYTES + " \"$1\" >" + copy
                + " && echo \"" + sha256 + "  " + copy + "\" | sha256sum -c && chmod 0755 " + copy + " && mv -f " + copy + " "
                + path() + " || { rm -f " + copy + "; exit 1; }' install '" + from.replace("'", "'\\''") + "'";
    }

    /** A line for sudoers that allows a user to start it, and nothing else in its place. */
    public String sudoersLine(String user) {
        return user + " ALL=(root) NOPASSWD: sha256:" + sha256 + " " + path();
    }

    /** A command for a shell of an administrator's that lets all users of the host measure through it. */
    public String setcapCommand() {
        return "sudo setcap " + CAPABILITIES + " " + path();
    }
}
