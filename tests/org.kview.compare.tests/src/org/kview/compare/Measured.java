/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

/** What a test found, beside whether that will do: in its output, which stands in its report. */
final class Measured {
    private Measured() {
    }

    static void tell(String what, double found) {
        System.out.println(what + ": " + found);
    }
}
