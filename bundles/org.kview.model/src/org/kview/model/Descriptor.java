// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a descriptor of a traced process was open for when a thread waited with it. Names and addresses are as the process has them.
 *
 * @param name    the path, or what the kernel calls it; empty where it has none
 * @param local   of sockets, the own address; empty where there is none
 * @param peer    and that of the other end
 * @param peerPid of Unix sockets, the process at the other end when it was connected; 0: not known
 * @param listens whether it waits for connections
 */
public record Descriptor(int number, Kind kind, String name, String local, String peer, int peerPid, boolean listens, long inode,
        Watched watched) {
    /** What it is open for. */
    public enum Kind {
        OTHER("other", ""), FILE("file", ""), DIRECTORY("directory", ""), DEVICE("device", ""), PIPE("pipe", "pipe"),
        SOCKET("socket", "socket"), TCP("tcp", "TCP"), UDP("udp", "UDP"), UNIX("unix", "Unix socket"), EPOLL("epoll", "epoll"),
        EVENT("eventfd", "eventfd"), TIMER("timerfd", "timerfd");

        private final String id;
        private final String label;

        Kind(String id, String label) {
            this.id = id;
            this.label = label;
        }

        /** The name in files and reports; never changes. */
        public String id() {
            return id;
        }

        public static Optional<Kind> ofId(String id) {
            return Arrays.stream(values()).filter(kind -> kind.id.equals(id)).findFirst();
        }
    }

    /**
     * How many descriptors an epoll watched, by what they were open for.
     *
     * @param more whether there were more, of which nothing is known
     */
    public record Watched(int sockets, int pipes, int events, int timers, int others, boolean more) {
        public static final Watched NONE = new Watched(0, 0, 0, 0, 0, false);

        public Watched {
            if (sockets < 0 || pipes < 0 || events < 0 || timers < 0 || others < 0) {
                throw new IllegalArgumentException("No number of descriptors that are watched");
            }
        }

        /** "2 sockets, 1 eventfd and more"; empty where it watched none. */
        String text() {
            List<String> texts = new ArrayList<>();
            add(texts, sockets, "socket");
            add(texts, pipes, "pipe");
            add(texts, events, "eventfd");
            add(texts, timers, "timerfd");
            add(texts, others, "other");
            return String.join(", ", texts) + (more ? " and more" : "");
        }

        private static void add(List<String> texts, int number, String what) {
            if (number > 0) {
                texts.add(LatencyFormat.count(number) + " " + what + (number == 1 ? "" : "s"));
            }
        }
    }

    public Descriptor {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
        Objects.requireNonNull(local);
        Objects.requireNonNull(peer);
        Objects.requireNonNull(watched);
        if (number < 0 || peerPid < 0) {
            throw new IllegalArgumentException("No descriptor: " + number + ", " + peerPid);
        }
    }

    /** The same one whatever it watches by now. */
    public Descriptor withoutWatched() {
        return new Descriptor(number, kind, name, local, peer, peerPid, listens, inode, Watched.NONE);
    }

    /** "TCP to 127.0.0.1:6379 (descriptor 8)"; "descriptor 8" where nothing else is known. */
    public String text() {
        return text(1);
    }

    /** "Unix socket (descriptor 4, 300 different ones)": of so many that have this text. */
    String text(int different) {
        String watches = watched.text();
        String what = watches.isEmpty()
                ? Stream.of(kind.label, name, address()).filter(part -> !part.isEmpty()).collect(Collectors.joining(" ")) : watches;
        String whose = (watches.isEmpty() ? "" : kind.label + ", ") + "descriptor " + number + (peerPid == 0 ? "" : ", to process " + peerPid)
                + (different == 1 ? "" : ", " + LatencyFormat.count(different) + " different ones");
        return what.isEmpty() ? whose : what + " (" + whose + ")";
    }

    /** Who listens has no other end; else that tells most. */
    private String address() {
        return !peer.isEmpty() ? "to " + peer : local.isEmpty() ? "" : "at " + local;
    }
}
