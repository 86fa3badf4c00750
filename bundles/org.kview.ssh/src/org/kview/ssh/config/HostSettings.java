// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to reach one host, and what to trust there, as the configuration says. Immutable.
 *
 * @param original          as the user named the host
 * @param hostName          where to connect to
 * @param port              its TCP port
 * @param user              on that host
 * @param proxy             what the connection goes through
 * @param identityFiles     private keys, in the order in which they are tried
 * @param identitiesOnly    whether only those keys are tried, even if the ssh-agent holds others
 * @param identitiesGiven   whether the configuration names those keys; otherwise they are the usual ones
 * @param agentSocket       of the ssh-agent; empty if none is to be asked
 * @param userKnownHosts    known_hosts files of the user; the first one is written to
 * @param globalKnownHosts  known_hosts files of the machine
 * @param strictness        what happens when a host key is not known
 * @param hostKeyAlias      the name under which the host key is looked up, instead of host name and port
 * @param hashKnownHosts    whether names are hashed when they are added to known_hosts
 * @param aliveInterval     between two keep-alives; empty if not configured, zero for none
 * @param aliveCountMax     how many unanswered keep-alives mean that the link is lost
 * @param connectTimeout    for reaching the host; empty if not configured
 * @param batchMode         whether the user is never asked for anything
 * @param authentications   methods by name, in the order in which they are tried
 * @param passwordPrompts   how often a password is asked for
 * @param security          further restrictions
 */
public record HostSettings(String original, String hostName, int port, String user, Proxy proxy,
        List<Path> identityFiles, boolean identitiesOnly, boolean identitiesGiven, Optional<Path> agentSocket,
        List<Path> userKnownHosts, List<Path> globalKnownHosts, Strictness strictness, Optional<String> hostKeyAlias,
        boolean hashKnownHosts, Optional<Duration> aliveInterval, int aliveCountMax, Optional<Duration> connectTimeout,
        boolean batchMode, List<String> authentications, int passwordPrompts,
        SecurityOptions security) {
    public static final int DEFAULT_PORT = 22;

    public HostSettings {
        identityFiles = List.copyOf(identityFiles);
        userKnownHosts = List.copyOf(userKnownHosts);
        globalKnownHosts = List.copyOf(globalKnownHosts);
        authentications = List.copyOf(authentications);
    }

    /** The same settings, but reaching the host may take no longer than this limit. */
    public HostSettings reachedWithin(Duration limit) {
        return new HostSettings(original, hostName, port, user, proxy, identityFiles, identitiesOnly, identitiesGiven,
                agentSocket, userKnownHosts, globalKnownHosts, strictness, hostKeyAlias, hashKnownHosts, aliveInterval,
                aliveCountMax, connectTimeout.filter(t -> t.compareTo(limit) < 0).or(() -> Optional.of(limit)), batchMode,
                authentications, passwordPrompts, security);
    }

    /** What happens when a host key is not known. A key that differs from a known one is always refused. */
    public enum Strictness {
        /** It is shown, and the user is asked. */
        ASK,
        /** It is refused. */
        YES,
        /** It is accepted and added to known_hosts. */
        ACCEPT_NEW,
        /** It is accepted, but not added. */
        NO
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
        return hostKeyAlias.orElse(port == DEFAULT_PORT ? hostName : "[" + hostName + "]:" + port);
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
