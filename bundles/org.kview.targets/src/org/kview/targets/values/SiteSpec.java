// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import org.kview.targets.values.KernelViews.SiteKind;

/**
 * A site of a kernel view, as a user names it: {@code vfs_read} is that function's entry, {@code return:vfs_read} its returns,
 * {@code tracepoint:sys_enter} a tracepoint, and {@code tracepoint:sched:sched_switch} a trace event.
 *
 * @param name without what tells the kind
 */
public record SiteSpec(SiteKind kind, String name) {
    private static final String KERNEL = "kernel:";
    private static final String RETURN = "return:";
    private static final String TRACEPOINT = "tracepoint:";

    /** @throws IllegalArgumentException with a sentence, if it is none */
    public static SiteSpec parse(String text) {
        String site = text.strip();
        SiteSpec spec;
        if (site.startsWith(RETURN)) {
            spec = new SiteSpec(SiteKind.RETURN, site.substring(RETURN.length()));
        } else if (site.startsWith(TRACEPOINT)) {
            String name = site.substring(TRACEPOINT.length());
            spec = new SiteSpec(name.contains(":") ? SiteKind.EVENT : SiteKind.TRACEPOINT, name);
        } else {
            spec = new SiteSpec(SiteKind.ENTRY, site.startsWith(KERNEL) ? site.substring(KERNEL.length()) : site);
        }
        if (!spec.name.matches(spec.kind == SiteKind.EVENT ? "[\\w.-]+:[\\w.-]+" : "[\\w.]+")) {
            throw new IllegalArgumentException("'" + text + "' is no site such as vfs_read, return:vfs_read, tracepoint:sys_enter or"
                    + " tracepoint:sched:sched_switch");
        }
        return spec;
    }
}
