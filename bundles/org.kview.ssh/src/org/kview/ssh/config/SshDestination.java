// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

import org.kview.model.SafeText;

/**
 * Where to connect to, as the user wrote it: {@code [user@]host[:port]}, an IPv6 address with a port
 * in brackets, or {@code ssh://[user@]host[:port]}.
 *
 * @param user empty if not given: then it is the configuration's, or the local user
 * @param host a name in the configuration, a host name or an address
 * @param port empty if not given: then it is the configuration's, or 22
 */
public record SshDestination(Optional<String> user, String host, OptionalInt port) {
    private static final String SCHEME = "ssh://";

    public SshDestination {
        Objects.requireNonNull(user);
        Objects.requireNonNull(host);
        Objects.requireNonNull(port);
    }

    /** @throws SshConfigException if there is no host, or the port is not valid */
    public static SshDestination parse(String text) throws SshConfigException {
        String rest = text.startsWith(SCHEME) ? text.substring(SCHEME.length()).replaceFirst("/$", "") : text;
        // As with OpenSSH, a user name may contain an @; a host name never does.
        int at = rest.lastIndexOf('@');
        Optional<String> user = at < 0 ? Optional.empty() : Optional.of(rest.substring(0, at));
        rest = rest.substring(at + 1);
        String host = rest;
        OptionalInt port = OptionalInt.empty();
        int colon = rest.lastIndexOf(':');
        if (rest.startsWith("[") && rest.contains("]")) {
            int end = rest.indexOf(']');
            host = rest.substring(1, end);
            String after = rest.substring(end + 1);
            if (!after.isEmpty() && !after.startsWith(":")) {
                throw notUnderstood(text);
            }
            port = after.isEmpty() ? OptionalInt.empty() : OptionalInt.of(port(text, after.substring(1)));
        } else if (colon >= 0 && colon == rest.indexOf(':')) {
            host = rest.substring(0, colon);
            port = OptionalInt.of(port(text, rest.substring(colon + 1)));
        }
        if (!SshNames.isHost(host) || user.filter(u -> !SshNames.isUser(u)).isPresent()) {
            throw notUnderstood(text);
        }
        return new SshDestination(user, host, port);
    }

    private static int port(String text, String digits) throws SshConfigException {
        if (digits.matches("\\d{1,5}")) {
            int port = Integer.parseInt(digits);
            if (port > 0 && port < 65536) {
                return port;
            }
        }
        throw notUnderstood(text);
    }

    private static SshConfigException notUnderstood(String text) {
        return new SshConfigException("The target \"" + SafeText.line(text)
                + "\" is not understood; write it as [user@]host[:port]");
    }

    @Override
    public String toString() {
        String shown = port.isPresent() ? (host.contains(":") ? "[" + host + "]" : host) + ":" + port.getAsInt() : host;
        return user.map(u -> u + "@").orElse("") + shown;
    }
}
