// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.Optional;

/**
 * How many pairs of recordings are simulated; {@code KVIEW_PAIRS} says it otherwise. The documentation tells the figures of 200. As the
 * seeds are fixed, so is whether those of fewer are within the same bounds.
 */
final class Simulated {
    static final int PAIRS = Optional.ofNullable(System.getenv("KVIEW_PAIRS")).map(Integer::parseInt).orElse(50);

    private Simulated() {
    }
}
