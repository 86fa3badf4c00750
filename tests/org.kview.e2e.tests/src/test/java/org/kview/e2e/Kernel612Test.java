// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

/** Debian's kernel 6.12. */
class Kernel612Test extends GuestTest {
    Kernel612Test() {
        super("6.12");
    }
}
