// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import org.kview.targets.values.TargetException;

/** A host that can be measured: this machine, or one that is reached over SSH. Immutable. */
public interface Target {

    /** As the user names it: "local" or {@code [user@]host[:port]}. */
    String name();

    /**
     * Starts the target's agent and greets it. Blocks for some 10 ms locally.
     *
     * @return to be closed by the caller; after that nothing is left attached on the host
     * @throws TargetException if the target is not reached, or if what answers is not an agent of this version
     */
    Agent connect() throws TargetException, InterruptedException;
}
