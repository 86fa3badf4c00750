// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets;

import org.kview.ssh.config.SshConfig;
import org.kview.ui.ssh.SecretStore;

/** Gives the workbench's targets another configuration and other secrets, which nothing but tests may. */
public final class OtherTargets {
    private OtherTargets() {
    }

    public static void use(TargetService service, SshConfig config, SecretStore secrets) {
        service.use(config, secrets);
    }
}
