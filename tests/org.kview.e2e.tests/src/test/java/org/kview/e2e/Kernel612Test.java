// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import java.util.Optional;

/** Debian's kernel 6.12, at the end of a network that is slow and loses packets. */
class Kernel612Test extends GuestTest {
    Kernel612Test() {
        super("6.12", Optional.of("delay 200ms loss 1%"));
    }
}
