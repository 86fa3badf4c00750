// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.Optional;

/**
 * What an agent says about its host.
 *
 * @param hostname            the host's own name
 * @param kernel              its kernel's release
 * @param machine             as {@code uname -m}
 * @param cpus                online
 * @param uid                 the agent's effective user id
 * @param agentVersion        the agent's version
 * @param realtimeOffsetNanos CLOCK_REALTIME − CLOCK_MONOTONIC on the host
 * @param capabilities        what the host can do, found by trying it
 * @param cpuModel            as its kernel names it; empty where it does not
 * @param bootId              the kernel's random id of this boot; empty where it is not known
 */
public record HostInfo(String hostname, String kernel, String machine, int cpus, int uid, String agentVersion,
        long realtimeOffsetNanos, List<Capability> capabilities, String cpuModel, String bootId) {
    private static final String MEASURE = "measure-";

    public HostInfo {
        capabilities = List.copyOf(capabilities);
    }

    /**
     * One thing that a host can do or can't.
     *
     * @param name      stable identifier, e.g. "uprobe_multi"
     * @param available whether it works here
     * @param detail    one sentence for the user
     * @param required  whether a recording is impossible without it
     */
    public record Capability(String name, boolean available, String detail, boolean required) {
    }

    /**
     * The sentence that says why the agent serves nobody, because it was given its rights in an unsafe way; empty if it
     * serves requests.
     */
    public Optional<String> refusal() {
        return capabilities.stream().filter(c -> c.name().equals("all_processes") && c.required() && !c.available())
                .map(Capability::detail).findFirst();
    }

    /** Whether the agent there measures calls by conditions; an older one would measure all. */
    public boolean hasConditions() {
        return capabilities.stream().anyMatch(c -> c.name().equals("conditions") && c.available());
    }

    /** Whether the agent there measures all processes of a cgroup. */
    public boolean hasCgroups() {
        return capabilities.stream().anyMatch(c -> c.name().equals("cgroup") && c.available());
    }

    /** Whether the agent there measures a process together with its children. */
    public boolean hasProcessTrees() {
        return capabilities.stream().anyMatch(c -> c.name().equals("process-tree") && c.available());
    }

    /** Whether the agent there splits figures by values; an older one would tell of none. */
    public boolean hasSplits() {
        return capabilities.stream().anyMatch(c -> c.name().equals("splits") && c.available());
    }

    /** Why the agent there does not count something within calls beside time, as a sentence without a full stop; empty if it does. */
    public Optional<String> whyNoMeasure(String measure) {
        List<String> known = capabilities.stream().map(Capability::name).filter(name -> name.startsWith(MEASURE))
                .map(name -> name.substring(MEASURE.length())).toList();
        if (!known.contains(measure)) {
            return Optional.of("The agent there measures no '" + measure + "' within calls"
                    + (known.isEmpty() ? "; install the agent that came with this workbench, or record without --measure"
                            : ": it has " + String.join(", ", known)));
        }
        return capabilities.stream().filter(c -> c.name().equals(MEASURE + measure) && !c.available()).findFirst()
                .map(c -> c.detail().replaceFirst("\\.$", ""));
    }

    /** Why functions can't be measured by jumps there, as a sentence; empty if they can. */
    public Optional<String> whyNoJumps() {
        return capabilities.stream().filter(c -> c.name().equals("jump")).findFirst()
                .map(c -> c.available() ? Optional.<String>empty() : Optional.of(c.detail()))
                .orElse(Optional.of("The agent there does not measure by jumps; install the agent that came with this workbench"));
    }

    /** Whether everything that a recording needs is there. */
    public boolean canRecord() {
        return capabilities.stream().allMatch(c -> c.available() || !c.required());
    }
}
