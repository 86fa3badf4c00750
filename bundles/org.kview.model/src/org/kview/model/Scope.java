// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who is measured: a process, one with its children, or all that are in a cgroup. Files may contain the kinds of newer versions.
 */
public sealed interface Scope {

    /** The name in files; never changes. */
    String kind();

    /** The number of its process; 0 if it has none. */
    long pid();

    /**
     * One process.
     *
     * @param startNanos when it started, on the host's CLOCK_MONOTONIC, in steps of 10 ms: tells it from a later process
     *                   with the same number; 0: not known
     */
    record Process(long pid, long startNanos) implements Scope {
        public static final String KIND = "process";

        public Process {
            if (pid <= 0 || startNanos < 0) {
                throw new IllegalArgumentException("No process has the number " + pid + " and the start " + startNanos);
            }
        }

        @Override
        public String kind() {
            return KIND;
        }
    }

    /** More than one process. */
    sealed interface Group extends Scope permits Cgroup, Tree {

        /** Those that came to the points, by their first time; empty before the end. */
        List<Member> members();

        /** There were others, which are not among these. */
        boolean more();

        /** With the processes that came to the points. */
        Group with(List<Member> came, boolean others);

        /** "12 processes (nginx 11, sh)"; empty where none is known. */
        default String membersText() {
            int mostNames = 6;
            if (members().isEmpty()) {
                return "";
            }
            Map<String, Long> byName = members().stream().collect(Collectors.groupingBy(Member::name, TreeMap::new, Collectors.counting()));
            List<String> names = byName.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                    .map(one -> one.getKey() + (one.getValue() == 1 ? "" : " " + LatencyFormat.count(one.getValue()))).toList();
            return (more() ? "more than " : "") + LatencyFormat.count(members().size()) + (members().size() == 1 ? " process (" : " processes (")
                    + String.join(", ", names.subList(0, Math.min(names.size(), mostNames))) + (names.size() > mostNames ? ", …)" : ")");
        }
    }

    /**
     * All processes that are in a cgroup (v2) or in one below it, for as long as they are.
     *
     * @param path    from the root of the hierarchy, "/system.slice/nginx.service"
     * @param leader  one of its processes as the recording began; 0: not known
     * @param members those that came to the points, by their first time; empty before the end
     * @param more    there were others, which are not among these
     */
    record Cgroup(String path, long leader, List<Member> members, boolean more) implements Group {
        public static final String KIND = "cgroup";

        public Cgroup {
            members = List.copyOf(members);
            if (path.isEmpty() || leader < 0) {
                throw new IllegalArgumentException("A cgroup has a path, and no process has the number " + leader);
            }
        }

        @Override
        public String kind() {
            return KIND;
        }

        /** It has many. */
        @Override
        public long pid() {
            return 0;
        }

        @Override
        public Cgroup with(List<Member> came, boolean others) {
            return new Cgroup(path, leader, came, others);
        }
    }

    /**
     * A process, the processes that it has forked, those that these have forked, and so on, now and later.
     *
     * @param pid        of the first one
     * @param startNanos as of {@link Process}
     * @param members    as of {@link Cgroup}
     * @param more       likewise
     */
    record Tree(long pid, long startNanos, List<Member> members, boolean more) implements Group {
        public static final String KIND = "process-tree";

        public Tree {
            members = List.copyOf(members);
            if (pid <= 0 || startNanos < 0) {
                throw new IllegalArgumentException("No process has the number " + pid + " and the start " + startNanos);
            }
        }

        @Override
        public String kind() {
            return KIND;
        }

        @Override
        public Tree with(List<Member> came, boolean others) {
            return new Tree(pid, startNanos, came, others);
        }
    }

    /** A process of a group, by its number and the kernel's short name of it. */
    record Member(long pid, String name) {
        public Member {
            Objects.requireNonNull(name);
            if (pid < 0) {
                throw new IllegalArgumentException("No process has the number " + pid);
            }
        }
    }

    /**
     * A scope of a kind that only newer versions know.
     *
     * @param kind as the file names it; empty if it names none
     */
    record Unknown(String kind, long pid) implements Scope {
        public Unknown {
            Objects.requireNonNull(kind);
        }
    }
}
