// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What distinguishes a recording from others with the same name. Each text may be empty: not known.
 *
 * @param workbench    version of the program that recorded it
 * @param agent        version of the agent that measured
 * @param architecture of the host's CPUs, as {@code uname -m}
 * @param cpus         online on the host; 0: not known
 * @param cpuModel     as the host's kernel names it
 * @param bootId       the kernel's random id of this boot
 * @param processes    those that the figures belong to, each with the number by which functions refer to it
 * @param binaries     the files that hold the probed functions
 * @param origin       the trace that it was imported from; empty if it was recorded
 */
public record Provenance(String workbench, String agent, String architecture, int cpus, String cpuModel,
        String bootId, List<TracedProcess> processes, List<Binary> binaries, Optional<Trace> origin) {
    /** For a recording of an older version, which did not store this, or of several hosts. */
    public static final Provenance UNKNOWN = new Provenance("", "", "", 0, "", "", List.of(), List.of());

    /** Of a recording. */
    public Provenance(String workbench, String agent, String architecture, int cpus, String cpuModel, String bootId,
            List<TracedProcess> processes, List<Binary> binaries) {
        this(workbench, agent, architecture, cpus, cpuModel, bootId, processes, binaries, Optional.empty());
    }

    /** Of a session that was made from a trace. */
    public static Provenance imported(String workbench, Trace trace) {
        return new Provenance(workbench, "", "", 0, "", "", List.of(), List.of(), Optional.of(trace));
    }

    public Provenance {
        Objects.requireNonNull(origin);
        processes = List.copyOf(processes);
        binaries = List.copyOf(binaries);
        if (cpus < 0) {
            throw new IllegalArgumentException("No number of CPUs: " + cpus);
        }
    }

    /**
     * A process to which figures belong.
     *
     * @param id         its number within the recording, from 0
     * @param kind       as the file says it: {@link #PROCESS}, unless a newer version wrote it
     * @param pid        its process's number
     * @param name       the kernel's short name of it
     * @param executable path of its program
     * @param startNanos when it started, on the host's CLOCK_MONOTONIC, in steps of 10 ms; 0: not known
     * @param cgroup     path of its control group
     */
    public record TracedProcess(int id, String kind, long pid, String name, String executable, long startNanos,
            String cgroup) {
        public static final String PROCESS = "process";
    }

    /**
     * A trace that was imported.
     *
     * @param path   of its folder, where it was imported
     * @param reader the library that read it, with its version
     */
    public record Trace(String path, String reader) {
    }

    /**
     * A file of code.
     *
     * @param path    as the process sees it
     * @param buildId in hexadecimal digits; empty if it has none
     */
    public record Binary(String path, String buildId) {
    }
}
