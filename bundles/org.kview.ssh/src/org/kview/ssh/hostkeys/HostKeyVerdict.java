// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.hostkeys;

import java.util.List;

/** What the known_hosts files say of a key that a host showed. */
public sealed interface HostKeyVerdict {

    /** It is the host's key, or signed by who may sign it. */
    record Trusted(KnownHost by) implements HostKeyVerdict {
    }

    /**
     * Nothing is known of it.
     *
     * @param others lines that have keys of other types for this host: a reason to be careful
     */
    record Unknown(List<KnownHost> others) implements HostKeyVerdict {
        public Unknown {
            others = List.copyOf(others);
        }
    }

    /** The host is known with another key of this type. */
    record Changed(KnownHost known) implements HostKeyVerdict {
    }

    /** It must not be trusted. */
    record Revoked(KnownHost by) implements HostKeyVerdict {
    }
}
