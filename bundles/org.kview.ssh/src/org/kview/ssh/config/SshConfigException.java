// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

/** A destination or a configuration file can't be understood. The message is one sentence for the user. */
public final class SshConfigException extends Exception {
    private static final long serialVersionUID = 1;

    public SshConfigException(String message) {
        super(message);
    }
}
