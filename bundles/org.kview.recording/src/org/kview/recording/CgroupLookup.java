// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.ProbeSpec;
import org.kview.targets.Agent;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/** Finds a cgroup with its processes. */
final class CgroupLookup {
    private static final int MOST_SHOWN = 8;
    /** Where the hierarchy of version 2 is mounted, alone or beside that of version 1. */
    private static final List<String> MOUNTS = List.of("/sys/fs/cgroup/unified", "/sys/fs/cgroup");
    private static final Pattern CONTAINER_ID = Pattern.compile("[0-9a-f]{12,64}");

    private final Agent agent;
    private final String target;

    /** @param target its name, for messages */
    CgroupLookup(Agent agent, String target) {
        this.agent = agent;
        this.target = target;
    }

    /**
     * A cgroup.
     *
     * @param path      from the root of the hierarchy
     * @param processes that are in it or below it now, the oldest first; at least one
     */
    record Found(String path, List<ProcessInfo> processes) {

        /** In which process to look for functions: of each program one, those that are called so first. */
        List<Long> candidates(ProbeSpec spec) {
            List<ProcessInfo> programs = ofEachProgram();
            return Stream.concat(programs.stream().filter(p -> runs(p, spec.binary())), programs.stream().filter(p -> !runs(p, spec.binary())))
                    .map(ProcessInfo::pid).toList();
        }

        /** The oldest that runs this program, by its path. */
        private Optional<Long> running(String executable) {
            return processes.stream().filter(p -> !executable.isEmpty() && p.program().executable().equals(executable))
                    .map(ProcessInfo::pid).findFirst();
        }

        /** The process that runs this program, else the first that has the file loaded, of each program one; empty where none has. */
        Optional<Long> having(Agent agent, String file) throws TargetException, InterruptedException {
            Optional<Long> running = running(file);
            if (running.isPresent() || file.isEmpty()) {
                return running;
            }
            for (ProcessInfo process : ofEachProgram()) {
                try {
                    if (agent.mappedFiles(process.pid()).contains(file)) {
                        return Optional.of(process.pid());
                    }
                } catch (TargetException e) {
                    if (e.kind() != Kind.NO_SUCH_PROCESS && e.kind() != Kind.PROCESS_ENDED) {
                        throw e;
                    }
                }
            }
            return Optional.empty();
        }

        private List<ProcessInfo> ofEachProgram() {
            Set<String> seen = new HashSet<>();
            return processes.stream().filter(p -> p.program().executable().isEmpty() || seen.add(p.program().executable())).toList();
        }

        private static boolean runs(ProcessInfo process, String binary) {
            return process.program().executable().equals(binary) || lastPart(process.program().executable()).equals(binary);
        }
    }

    /** @throws TargetException where no process is in it, or where it may be several */
    Found find(String name) throws TargetException, InterruptedException {
        List<ProcessInfo> processes = agent.processes().stream().filter(p -> !p.kernelThread()).toList();
        String path = name.startsWith("/") ? byPath(name, processes) : byPart(name, processes);
        return new Found(path, processes.stream().filter(p -> isIn(p, path)).sorted(Comparator.comparingLong(ProcessInfo::startNanos)
                .thenComparingLong(ProcessInfo::pid)).toList());
    }

    private String byPath(String name, List<ProcessInfo> processes) throws TargetException {
        String path = name.replaceAll("/+$", "");
        List<String> meant = new ArrayList<>(List.of(path));
        MOUNTS.stream().filter(mount -> path.startsWith(mount + "/")).forEach(mount -> meant.add(path.substring(mount.length())));
        Optional<String> found = meant.stream().filter(p -> !p.isEmpty()).filter(p -> processes.stream().anyMatch(process -> isIn(process, p))).findFirst();
        if (found.isEmpty()) {
            throw new TargetException(Kind.NO_SUCH_PROCESS, path.isEmpty() ? "The root of all cgroups is the whole host; name a cgroup below it"
                    : "No process is in the cgroup " + path + " on " + target + "; systemd-cgls shows which there are");
        }
        return found.get();
    }

    private String byPart(String name, List<ProcessInfo> processes) throws TargetException {
        List<String> found = processes.stream().map(process -> upTo(name, process.cgroup())).flatMap(Optional::stream).distinct().toList();
        if (found.size() != 1) {
            throw new TargetException(Kind.NO_SUCH_PROCESS, found.isEmpty()
                    ? "No process is in a cgroup named " + name + " on " + target + "; systemd-cgls shows which there are"
                    : "There are " + found.size() + " cgroups named " + name + " on " + target + "; give the path of one of them: "
                            + found.stream().limit(MOST_SHOWN).collect(Collectors.joining(", ")));
        }
        return found.getFirst();
    }

    /** The path up to the part that is called so, or that is of the container with that id. */
    private static Optional<String> upTo(String name, String cgroup) {
        boolean isId = CONTAINER_ID.matcher(name).matches();
        int end = 0;
        while (end < cgroup.length()) {
            int begin = end + 1;
            int next = cgroup.indexOf('/', begin);
            end = next < 0 ? cgroup.length() : next;
            String part = begin > end ? "" : cgroup.substring(begin, end);
            if (part.equals(name) || (isId && part.contains(name))) {
                return Optional.of(cgroup.substring(0, end));
            }
        }
        return Optional.empty();
    }

    private static boolean isIn(ProcessInfo process, String path) {
        return process.cgroup().equals(path) || process.cgroup().startsWith(path + "/");
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
