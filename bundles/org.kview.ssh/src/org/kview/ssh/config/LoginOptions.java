// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a user logs in.
 *
 * @param identityFiles   private keys, in the order in which they are tried
 * @param identitiesOnly  whether only those keys are tried, even if the ssh-agent holds others
 * @param identitiesGiven whether the configuration names those keys; otherwise they are the usual ones
 * @param agentSocket     of the ssh-agent; empty if none is to be asked
 * @param authentications methods by name, in the order in which they are tried
 * @param passwordPrompts how often a password is asked for
 * @param batchMode       whether the user is never asked for anything
 */
public record LoginOptions(List<Path> identityFiles, boolean identitiesOnly, boolean identitiesGiven, Optional<Path> agentSocket,
        List<String> authentications, int passwordPrompts, boolean batchMode) {

    public LoginOptions {
        identityFiles = List.copyOf(identityFiles);
        authentications = List.copyOf(authentications);
        Objects.requireNonNull(agentSocket);
    }
}
