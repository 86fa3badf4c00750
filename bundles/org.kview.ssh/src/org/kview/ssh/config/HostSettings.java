// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.time.Duration;
import java.util.List;

/**
 * How to reach one host, and what to trust there, as the configuration says. Immutable.
 *
 * @param original as the user named the host
 * @param hostName where to connect to
 * @param port     its TCP port
 * @param user     on that host
 * @param proxy    what the connection goes through
 * @param hostKeys which keys of the host are trusted
 * @param login    how the user logs in
 * @param limits   how long is waited for the host
 * @param security further restrictions
 */
public record HostSettings(String original, String hostName, int port, String user, Proxy proxy, HostKeyOptions hostKeys,
        LoginOptions login, TimeLimits limits, SecurityOptions security) {
    public static final int DEFAULT_PORT = 22;

    /** The same settings, but reaching the host may take no longer than this limit. */
    public HostSettings reachedWithin(Duration limit) {
        return new HostSettings(original, hostName, port, user, proxy, hostKeys, login, limits.reachedWithin(limit), security);
    }

    /** What a connection goes through. */
    public sealed interface Proxy {
        /** Nothing. */
        record None() implements Proxy {
        }

        /** Jump hosts in turn; the last one reaches the destination. */
        record Jump(String text) implements Proxy {
            /** @throws SshConfigException if one of them is not understood */
            public List<SshDestination> hops() throws SshConfigException {
                List<SshDestination> hops = new java.util.ArrayList<>();
                for (String hop : text.split(",", -1)) {
                    hops.add(SshDestination.parse(hop.strip()));
                }
                return List.copyOf(hops);
            }
        }

        /** A command of the user's whose input and output are the connection. */
        record Command(String text) implements Proxy {
        }

        static Proxy jump(String text) {
            return text.equalsIgnoreCase("none") ? new None() : new Jump(text);
        }

        static Proxy command(String text) {
            return text.equalsIgnoreCase("none") ? new None() : new Command(text);
        }
    }

    /** The name under which the key is in known_hosts. */
    public String hostKeyName() {
        return hostKeys.alias().orElse(port == DEFAULT_PORT ? hostName : "[" + hostName + "]:" + port);
    }

    /** For messages: the name by which the user's own ssh reaches the same host. */
    public String asCommand() {
        return "ssh " + (port == DEFAULT_PORT ? "" : "-p " + port + " ") + user + "@" + original;
    }

    /** For questions: the address, and also the name that the user gave if that differs. */
    public String named() {
        return address() + (original.equalsIgnoreCase(hostName) ? "" : " (" + original + ")");
    }

    /** For messages: {@code user@host:port}. */
    public String address() {
        return user + "@" + (hostName.contains(":") ? "[" + hostName + "]" : hostName)
                + (port == DEFAULT_PORT ? "" : ":" + port);
    }
}
