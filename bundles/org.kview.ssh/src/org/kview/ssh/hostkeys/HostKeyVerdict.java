// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.hostkeys;

import java.util.List;

/** What the known_hosts files say about a key that a host showed. */
public sealed interface HostKeyVerdict {

    /** It is the host's key, or an authority for this host signed it. */
    record Trusted(KnownHost by) implements HostKeyVerdict {
    }

    /**
     * The files say nothing about the key.
     *
     * @param others lines that have keys of other types for this host: a reason to be careful
     */
    record Unknown(List<KnownHost> others) implements HostKeyVerdict {
        public Unknown {
            others = List.copyOf(others);
        }
    }

    /** The host is known, but with another key of this type. */
    record Changed(KnownHost known) implements HostKeyVerdict {
    }

    /** It must not be trusted. */
    record Revoked(KnownHost by) implements HostKeyVerdict {
    }
}
