// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

/** What a test found, beside whether that will do: in its output, which stands in its report. */
public final class Measured {
    private Measured() {
    }

    public static void tell(String what, double found) {
        System.out.println(what + ": " + found);
    }
}
