// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import java.util.Optional;

/** Debian's kernel 6.1. */
class Kernel61Test extends GuestTest {
    Kernel61Test() {
        super("6.1", Optional.empty());
    }

    /** Not run: this kernel is built without CONFIG_FPROBE, and so has no probes for it (docs/probes-and-cost.md). */
    @Override
    void callsOfKernelFunctionsAreCounted() {
        return;
    }
}
