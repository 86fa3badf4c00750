// SPDX-License-Identifier: EPL-2.0
package org.kview.target;

import java.util.List;

/**
 * What an agent says of its host.
 *
 * @param hostname            the host's own name
 * @param kernel              its kernel's release
 * @param machine             as {@code uname -m}
 * @param cpus                online
 * @param uid                 the agent's effective user
 * @param agentVersion        the agent's own
 * @param realtimeOffsetNanos CLOCK_REALTIME − CLOCK_MONOTONIC on the host
 * @param capabilities        what the host can do, found by trying it
 */
public record HostInfo(String hostname, String kernel, String machine, int cpus, int uid, String agentVersion,
        long realtimeOffsetNanos, List<Capability> capabilities) {
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

    /** Whether everything that a recording needs is there. */
    public boolean canRecord() {
        return capabilities.stream().allMatch(c -> c.available() || !c.required());
    }
}
