// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Security options of a user's configuration. Algorithms have the names of SSH's protocol.
 *
 * @param ciphers               that are allowed, the preferred one first; empty: the usual ones
 * @param macs                  likewise
 * @param keyExchanges          likewise
 * @param hostKeyAlgorithms     likewise, for the host's key
 * @param publicKeyAlgorithms   likewise, for the user's own keys
 * @param caSignatureAlgorithms that are allowed for the signatures of host certificates
 * @param leastRsaBits          the smallest size of RSA keys, the host's and the user's
 * @param revokedHostKeys       a file of keys that are refused, as text or as OpenSSH's revocation list
 * @param localCommand          to be run on this machine after each login, with its tokens replaced
 * @param rekeyBytes            after so many bytes, keys are exchanged anew
 * @param addressFamily         which addresses are used, where this machine looks them up
 */
public record SecurityOptions(Optional<List<String>> ciphers, Optional<List<String>> macs,
        Optional<List<String>> keyExchanges, Optional<List<String>> hostKeyAlgorithms,
        Optional<List<String>> publicKeyAlgorithms, List<String> caSignatureAlgorithms, int leastRsaBits,
        Optional<Path> revokedHostKeys, Optional<String> localCommand, OptionalLong rekeyBytes,
        AddressFamily addressFamily) {
    /** The options where nothing is configured. */
    public static final SecurityOptions USUAL = new SecurityOptions(Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.empty(), Optional.empty(), List.of("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
                    "ecdsa-sha2-nistp521", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
                    "rsa-sha2-512", "rsa-sha2-256"), 1024, Optional.empty(), Optional.empty(), OptionalLong.empty(),
            AddressFamily.ANY);

    public SecurityOptions {
        ciphers = ciphers.map(List::copyOf);
        macs = macs.map(List::copyOf);
        keyExchanges = keyExchanges.map(List::copyOf);
        hostKeyAlgorithms = hostKeyAlgorithms.map(List::copyOf);
        publicKeyAlgorithms = publicKeyAlgorithms.map(List::copyOf);
        caSignatureAlgorithms = List.copyOf(caSignatureAlgorithms);
        Objects.requireNonNull(revokedHostKeys);
        Objects.requireNonNull(localCommand);
        Objects.requireNonNull(rekeyBytes);
        Objects.requireNonNull(addressFamily);
    }
}
