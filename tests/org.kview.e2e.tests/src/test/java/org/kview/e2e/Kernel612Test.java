// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

import org.junit.jupiter.api.Test;

/** Debian's kernel 6.12, at the end of a network that is slow and loses packets. */
class Kernel612Test extends GuestTest {
    Kernel612Test() {
        super("6.12", Optional.of("delay 200ms loss 1%"));
    }

    /** Of no kernel in particular: the other guest has more to do. */
    @Test
    void aUserWithoutSudoIsToldWhatItTakes() throws Exception {
        Kview.Result result = guest().kview(folder(), "doctor", "--target", "plain@guest");
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(4);
        assertThat(result.errors()).contains("plain ALL=(root) NOPASSWD: sha256:").contains("setcap");
    }
}
