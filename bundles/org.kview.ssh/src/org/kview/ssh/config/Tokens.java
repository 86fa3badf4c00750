// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces the tokens and variables in a configuration's values: {@code %h}, {@code ~}, <code>${NAME}</code>.
 *
 * @param environment of the user
 * @param hostName    %h: the remote host's
 * @param original    %n: the host as the user named it
 * @param port        %p
 * @param remoteUser  %r
 * @param alias       %k: the host key's alias; if there is none, the host as the user named it
 * @param jump        %j: the jump hosts as configured, or empty
 */
record Tokens(SshEnvironment environment, String hostName, String original, int port, String remoteUser, String alias,
        String jump) {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)\\}");

    /** @throws SshConfigException if a token or a variable is not known */
    String expand(String text) throws SshConfigException {
        return expandVariables(expandPercents(text));
    }

    /** Expands a file's path, in which {@code ~} is the home folder. */
    Path path(String text) throws SshConfigException {
        String expanded = expand(text);
        if (expanded.equals("~") || expanded.startsWith("~/")) {
            return environment.home().resolve(expanded.substring(Math.min(2, expanded.length())));
        }
        // As with ssh, a name without a leading slash is relative to the working directory.
        return Path.of(expanded);
    }

    private String expandVariables(String text) throws SshConfigException {
        StringBuilder result = new StringBuilder();
        Matcher matcher = VARIABLE.matcher(text);
        while (matcher.find()) {
            String value = environment.variables().get(matcher.group(1));
            if (value == null) {
                throw new SshConfigException("The SSH configuration's value " + text + " names the variable "
                        + matcher.group(1) + ", which is not set; set it or correct the value");
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(result).toString();
    }

    String expandPercents(String text) throws SshConfigException {
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '%') {
                result.append(text.charAt(i));
                continue;
            }
            i++;
            result.append(switch (i < text.length() ? text.charAt(i) : 0) {
                case '%' -> "%";
                case 'C' -> connectionHash();
                case 'd' -> environment.home().toString();
                case 'h' -> hostName;
                case 'i' -> ownUid();
                case 'j' -> jump;
                case 'k' -> alias;
                case 'L' -> localHost().replaceFirst("\\..*", "");
                case 'l' -> localHost();
                case 'n' -> original;
                case 'p' -> Integer.toString(port);
                case 'r' -> remoteUser;
                case 'u' -> environment.user();
                default -> throw new SshConfigException("The SSH configuration's value " + text
                        + " has a %-token that is not known; correct it");
            });
        }
        return result.toString();
    }

    private String connectionHash() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1")
                    .digest((localHost() + hostName + port + remoteUser).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static String localHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private String ownUid() throws SshConfigException {
        try {
            return java.nio.file.Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
        } catch (java.io.IOException e) {
            throw new SshConfigException("The own user's id, %i in the SSH configuration, can't be found out: " + e.getMessage());
        }
    }
}
