// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

/**
 * Which names of hosts and users are accepted: those that OpenSSH accepts. Names reach a shell, as {@code %h} and
 * {@code %r} of a ProxyCommand or a Match, and other programs, as arguments.
 */
final class SshNames {
    private static final String SHELL_IN_HOSTS = "'`\"$\\;&<>|(){},";
    private static final String SHELL_IN_USERS = "'`\";&<>|(){}";

    private SshNames() {
    }

    static boolean isHost(String name) {
        return !name.isEmpty() && name.charAt(0) != '-'
                && name.chars().noneMatch(c -> SHELL_IN_HOSTS.indexOf(c) >= 0 || isBlankOrControl(c));
    }

    /** Unlike OpenSSH, this accepts no blanks: who writes one has most likely forgotten a quote. */
    static boolean isUser(String name) {
        return !name.isEmpty() && name.charAt(0) != '-' && !name.endsWith("\\")
                && name.chars().noneMatch(c -> SHELL_IN_USERS.indexOf(c) >= 0 || isBlankOrControl(c));
    }

    private static boolean isBlankOrControl(int c) {
        return c <= ' ' || c >= 127 && c < 160 || Character.isWhitespace(c) || Character.isSpaceChar(c);
    }
}
