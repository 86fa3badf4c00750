// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the container or the service of a process in the path of its control group. */
final class Container {
    private static final int ID_SHOWN = 12;
    /** docker-3f2a….scope, /docker/3f2a…, cri-containerd-….scope, crio-….scope, libpod-….scope; of a pod the id alone. */
    private static final Pattern ID = Pattern.compile("(?:^|[/-])(?:(docker|libpod|crio|containerd)[-/])?([0-9a-f]{64})(?:\\.scope)?(?:/|$)");
    private static final Pattern LXC = Pattern.compile("(?:^|/)lxc(?:\\.payload\\.|/)([^/]+)");
    private static final Pattern MACHINE = Pattern.compile("(?:^|/)machine\\.slice/machine-([^/]+)\\.scope");

    private Container() {
    }

    /** "docker 3f2a91c0be12", else "nginx.service", else the path's end; empty for the root. */
    static String of(String cgroup) {
        Matcher id = ID.matcher(cgroup);
        if (id.find()) {
            String runtime = id.group(1) != null ? id.group(1) : cgroup.contains("kubepods") ? "pod" : "container";
            return runtime + " " + id.group(2).substring(0, ID_SHOWN);
        }
        Matcher lxc = LXC.matcher(cgroup);
        if (lxc.find()) {
            return "lxc " + lxc.group(1);
        }
        Matcher machine = MACHINE.matcher(cgroup);
        if (machine.find()) {
            return "machine " + machine.group(1).replace("\\x2d", "-");
        }
        String[] parts = cgroup.split("/");
        for (int i = parts.length - 1; i >= 0; i--) {
            if (parts[i].endsWith(".service") || parts[i].endsWith(".scope")) {
                return parts[i];
            }
        }
        return parts.length == 0 ? "" : parts[parts.length - 1];
    }
}
