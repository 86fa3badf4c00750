// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.apache.sshd.common.NamedResource;
import org.kview.ssh.config.SecurityOptions;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * Chooses from the library's algorithms those that the user's configuration allows, in its order. If none is left,
 * that is an error: the library would take an empty list for no restriction.
 *
 * @param host for messages
 */
record Algorithms(SecurityOptions options, String host) {

    <T extends NamedResource> List<T> ciphers(List<T> all) throws TargetException {
        return allowed(all, options.ciphers(), "Ciphers");
    }

    <T extends NamedResource> List<T> macs(List<T> all) throws TargetException {
        return allowed(all, options.macs(), "MACs");
    }

    <T extends NamedResource> List<T> keyExchanges(List<T> all) throws TargetException {
        return allowed(all, options.keyExchanges(), "KexAlgorithms");
    }

    <T extends NamedResource> List<T> hostKeys(List<T> all) throws TargetException {
        return allowed(all, options.hostKeyAlgorithms(), "HostKeyAlgorithms");
    }

    <T extends NamedResource> List<T> ownKeys(List<T> all) throws TargetException {
        return allowed(all, options.publicKeyAlgorithms(), "PubkeyAcceptedAlgorithms");
    }

    private <T extends NamedResource> List<T> allowed(List<T> all, Optional<List<String>> names, String option)
            throws TargetException {
        if (names.isEmpty()) {
            return all;
        }
        List<T> left = all.stream().filter(one -> names.get().contains(one.getName()))
                .sorted(Comparator.comparingInt(one -> names.get().indexOf(one.getName()))).toList();
        if (left.isEmpty()) {
            throw new TargetException(Kind.NOT_REACHED, "The SSH configuration's " + option + " for " + host
                    + " allow none that Kview has (" + String.join(", ", all.stream().map(NamedResource::getName).toList())
                    + "); allow one of these for this host");
        }
        return left;
    }
}
