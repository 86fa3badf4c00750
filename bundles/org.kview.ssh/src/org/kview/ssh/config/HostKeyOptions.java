// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which keys of a host are trusted.
 *
 * @param userFiles   known_hosts files of the user; the first one is written to
 * @param globalFiles known_hosts files of the machine
 * @param strictness  what happens when a host key is not known
 * @param alias       the name under which the host key is looked up, instead of host name and port
 * @param hashNames   whether names are hashed when they are added to known_hosts
 */
public record HostKeyOptions(List<Path> userFiles, List<Path> globalFiles, Strictness strictness, Optional<String> alias,
        boolean hashNames) {

    /** What happens when a host key is not known. A key that differs from a known one is always refused. */
    public enum Strictness {
        /** It is shown, and the user is asked. */
        ASK,
        /** It is refused. */
        YES,
        /** It is accepted and added to known_hosts. */
        ACCEPT_NEW,
        /** It is accepted, but not added. */
        NO
    }

    public HostKeyOptions {
        userFiles = List.copyOf(userFiles);
        globalFiles = List.copyOf(globalFiles);
        Objects.requireNonNull(strictness);
        Objects.requireNonNull(alias);
    }
}
