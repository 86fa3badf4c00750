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
    /** An eBPF program at one of the kernel's tracepoints. */
    public static final Mechanism TRACEPOINT = new Mechanism("tracepoint");

    public Mechanism {
        Objects.requireNonNull(id);
    }

    /** The mechanism for such a point; so far agents have only one for each kind. */
    public static Mechanism of(ProbePoint point) {
        return switch (point) {
            case ProbePoint.UserFunction _ -> TRAP;
            case ProbePoint.SystemCall _ -> TRACEPOINT;
            case ProbePoint.KernelFunction _, ProbePoint.Tracepoint _, ProbePoint.Usdt _, ProbePoint.Unknown _ -> UNKNOWN;
        };
    }
}
