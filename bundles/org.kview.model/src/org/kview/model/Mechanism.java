// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;

/**
 * How a probe point is measured.
 *
 * @param id the name in files, which never changes; newer versions may have others than those below
 */
public record Mechanism(String id) {
    /** It is not known. */
    public static final Mechanism UNKNOWN = new Mechanism("");
    /** A trap in the code. */
    public static final Mechanism TRAP = new Mechanism("trap");
    /** A jump in the code, to code that was put into the process. */
    public static final Mechanism JUMP = new Mechanism("jump");
    /** An eBPF program at one of the kernel's tracepoints. */
    public static final Mechanism TRACEPOINT = new Mechanism("tracepoint");
    /** eBPF programs at the entry and the return of a function of the kernel. */
    public static final Mechanism KERNEL_PROBE = new Mechanism("kernel_probe");

    /** By the events of a trace that was imported. */
    public static final Mechanism IMPORTED = new Mechanism("imported");

    public Mechanism {
        Objects.requireNonNull(id);
    }
}
